package boardspecs

import (
	"reflect"

	"github.com/zrankdb/zrank/board"
)

// MixedSpecs is the number of specs of Mixed: some for each combination, which differ in sizes.
const MixedSpecs = 1 << 18

// Of returns a board's i-th spec, modulo their number.
func Of(name string, i int) board.Spec {
	if name == Mixed {
		i = max(i, 0) % MixedSpecs
		return mixed(CombinationOf(i), uint64(i))
	}
	specs := specsOf[name]
	spec := specs[((i%len(specs))+len(specs))%len(specs)]
	spec.Name = name
	return spec
}

// Converts reports whether Migrate can convert entries of Mixed from one spec to another. It cannot
// where results are kept under other rules, and where cohorts are those of another window.
func Converts(from, to board.Spec) bool {
	from, to = WithDefaults(from), WithDefaults(to)
	kept := from.K > 0 || to.K > 0
	alike := from.Op == to.Op && from.K == to.K && from.Ties == to.Ties && reflect.DeepEqual(from.Top, to.Top) &&
		from.Parts == to.Parts && from.PartMembers == to.PartMembers
	return (!kept || alike) && (from.Leagues == nil || to.Leagues == nil || from.Leagues.Window == to.Leagues.Window)
}

// Followed reports whether boards of groups follow a board with a spec.
func Followed(spec board.Spec) bool {
	return spec.Name == Rolling || spec.Name == Mixed && spec.MaxMeta == followedMeta
}
