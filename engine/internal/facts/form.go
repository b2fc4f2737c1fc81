package facts

import (
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/zset"
)

var (
	// ErrTieWidth is returned when a set exists with ties of another width than asked for, or with another Form.
	ErrTieWidth = errors.New("engine: set has ties of another width")
	// ErrKind is returned when a set has int64 scores and the call is for float64 scores, or the other way round.
	ErrKind = errors.New("engine: set has scores of another kind")
	// ErrForm is returned for a set that is to be stored and was made with options that the engine does not keep.
	ErrForm = errors.New("engine: set was made with options that no Form has")
)

// Layout is how a set orders its entries, and the kind of its scores: engine.Form and Ints. A set with float64 scores has only a tie width.
type Layout struct {
	TieWidth int
	ScoreTie int
	Dense    bool
	Ints     bool
}

// LayoutOf returns the layout of a set. O(1).
func LayoutOf(v *zset.IntView) Layout {
	o := v.Options()
	return Layout{o.TieWidth, o.ScoreTie, o.DenseRanks, v.Integers()}
}

func (f Layout) options() zset.Options {
	return zset.Options{TieWidth: f.TieWidth, ScoreTie: f.ScoreTie, DenseRanks: f.Dense}
}

// NewSet returns an empty set of the layout.
func (f Layout) NewSet() (*zset.IntSet, error) {
	if f.Ints {
		return zset.NewInt(f.options())
	}
	z, err := zset.New(f.options())
	return zset.As[int64](z), err
}

// NewBuilder returns an empty builder of a set of the layout.
func (f Layout) NewBuilder() (*zset.IntBuilder, error) {
	if f.Ints {
		return zset.NewIntBuilder(f.options())
	}
	b, err := zset.NewBuilder(f.options())
	return (*zset.IntBuilder)(b), err
}

// String returns the kind of scores and the fields that are not zero.
func (f Layout) String() string {
	kind := "float64 scores"
	if f.Ints {
		kind = "int64 scores"
	}
	text := fmt.Sprintf("%s, tie width %d", kind, f.TieWidth)
	if f.ScoreTie != 0 {
		text += fmt.Sprintf(", %d of it score", f.ScoreTie)
	}
	if f.Dense {
		text += ", dense ranks"
	}
	return text
}

// Accepts returns an error if the set of a key has layout f and the caller wants another: ErrKind or ErrTieWidth.
func (f Layout) Accepts(key string, want Layout) error {
	switch {
	case f.Ints != want.Ints:
		return KindError(key, f.Ints)
	case f != want:
		return fmt.Errorf("%w: %q has %v, not %v", ErrTieWidth, key, f, want)
	}
	return nil
}

// KindError returns an ErrKind for a key whose set has int64 scores, or float64 scores if ints is false.
func KindError(key string, ints bool) error {
	kind := "float64"
	if ints {
		kind = "int64"
	}
	return fmt.Errorf("%w: %q has %s", ErrKind, key, kind)
}

// RefuseForm returns the error of a set that is to be stored under a key as one with float64 scores, or nil: ErrKind, ErrForm.
func RefuseForm(key string, z *zset.IntSet) error {
	if LayoutOf(z.View()).Ints {
		return fmt.Errorf("%w: what is to be %q was made with int64", ErrKind, key)
	}
	if o := z.Options(); o.Cap != 0 || o.TieWidth != 0 || o.DenseRanks {
		return fmt.Errorf("%w: what is to be %q with %+v", ErrForm, key, o)
	}
	return nil
}
