package board

import (
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// List returns the specs of all boards, in the order of their names. O(boards). Errors: those of the engine.
func List(e *engine.Engine) ([]Spec, error) {
	var specs []Spec
	err := e.View(nil, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(prefix) {
			if err != nil {
				return err
			}
			spec, err := decodeSpec(kv.Value)
			if err != nil {
				return err
			}
			specs = append(specs, spec)
		}
		return nil
	})
	return specs, err
}

// Inventory returns the rankings of all boards that hold anybody: boards by name, windows as in the spec, periods in order of
// time. One pass over all, where Periods for each board would take one a board. O(sets of the engine). Errors: those of the
// engine.
func Inventory(e *engine.Engine) ([]Ranking, error) {
	specs, err := List(e)
	if err != nil {
		return nil, err
	}
	keys, err := e.Keys(prefix)
	if err != nil {
		return nil, err
	}
	periods := map[string][]string{} // by what stands before them in their keys
	for _, key := range keys {
		cut := strings.LastIndexByte(key, '/') + 1
		periods[key[:cut]] = append(periods[key[:cut]], key[cut:])
	}
	var all []Ranking
	for _, spec := range specs {
		b := newBoard(e, spec)
		for _, w := range spec.Windows {
			for _, period := range periods[spec.key(w, "")] {
				all = append(all, Ranking{b, w, period, spec.key(w, period)})
			}
		}
	}
	return all, nil
}

// Keys appends the keys of the sets that a submission at a time touches, as Board.Keys does for an open board. O(windows).
func (s Spec) Keys(dst []string, at time.Time) []string {
	for _, w := range s.withDefaults().Windows {
		dst = append(dst, s.key(w, w.Period(at)))
	}
	return dst
}

// key returns the key of a period's set.
func (s Spec) key(w Window, period string) string {
	return prefix + escape.Replace(s.Name) + "/" + string(w) + "/" + period
}

// escape keeps names apart from what follows them.
var escape = strings.NewReplacer("%", "%25", "/", "%2F")

// has reports whether the spec has a window.
func (s Spec) has(w Window) bool { return slices.Contains(s.Windows, w) }
