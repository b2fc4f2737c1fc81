package engine

import (
	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/zset"
)

// Form is how a set with int64 scores orders its entries. It stays the same as long as the set exists. The zero value has no ties.
type Form struct {
	TieWidth int  // of each tie, in bytes: see zset.Options.TieWidth
	ScoreTie int  // how many leading bytes of each tie belong to the score: see zset.Options.ScoreTie
	Dense    bool // dense ranks take O(log n): see zset.Options.DenseRanks
}

// Builder returns a builder of a set of the form, for Owner.StoreInts. O(1). Errors: those of zset.Options.Validate.
func (f Form) Builder() (*zset.IntBuilder, error) { return f.layout().NewBuilder() }

func (f Form) layout() facts.Layout {
	return facts.Layout{TieWidth: f.TieWidth, ScoreTie: f.ScoreTie, Dense: f.Dense, Ints: true}
}

// formOf returns the form of a layout.
func formOf(l facts.Layout) Form {
	return Form{TieWidth: l.TieWidth, ScoreTie: l.ScoreTie, Dense: l.Dense}
}
