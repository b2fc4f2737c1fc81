package zset

import (
	"errors"
	"fmt"
	"sync/atomic"
)

const (
	// MaxMember is the length of the longest member, in bytes.
	MaxMember = 16 << 20

	// MaxListpackEntries is the most entries a listpack can hold, whatever the thresholds.
	MaxListpackEntries = 1 << 15

	// MaxListpackBytes is about the most bytes that the members of a listpack have together, whatever the thresholds: a listpack is copied
	// when it changes, and it is stored as one page.
	MaxListpackBytes = 8 << 20

	defaultListpackEntries = 128
	defaultListpackMember  = 64
)

// Options say how a set orders and stores its entries. The zero value is a plain sorted set with Redis's thresholds.
type Options struct {
	// TieWidth is the width of every tie in bytes: 0, 8, 16, 24, 32 or 40.
	TieWidth int
	// ScoreTie is how many leading bytes of every tie are further columns of the score, a multiple of 8 and at most TieWidth.
	// Entries are equals, and share a rank under any Mode but Ordinal, if their scores and these bytes are the same.
	ScoreTie int
	// MaxListpackEntries is the largest number of entries a listpack holds, as Redis's zset-max-listpack-entries. 0 means
	// 128; a negative number means that the set starts as a skiplist.
	MaxListpackEntries int
	// MaxListpackMember is the longest member a listpack holds, in bytes, as Redis's zset-max-listpack-value. 0 means 64; a
	// negative number means that only the empty member fits.
	MaxListpackMember int
	// Cap makes the set keep its best entries only: as soon as it holds more than Cap + Reserve, the worst one goes. 0 means
	// no limit. See Best.
	Cap int
	// Reserve is the number of entries kept behind the best Cap, so that the next ones step up when one of the best is
	// removed.
	Reserve int
	// CapLowest says that in a set with a Cap the lowest scores are the best, as in a race. Otherwise the highest are.
	CapLowest bool
	// DenseRanks makes a skiplist count distinct scores, so that dense ranks take O(log n). It costs no memory, and a little time in
	// each change.
	DenseRanks bool
}

// Validate returns one error that names every field with an impossible value, or nil. O(1).
func (o Options) Validate() error {
	var errs []error
	if o.TieWidth < 0 || o.TieWidth > MaxTieWidth || o.TieWidth%8 != 0 {
		errs = append(errs, fmt.Errorf("zset: TieWidth is %d, want 0, 8, 16, 24, 32 or 40", o.TieWidth))
	}
	if o.ScoreTie < 0 || o.ScoreTie > max(o.TieWidth, 0) || o.ScoreTie%8 != 0 {
		errs = append(errs, fmt.Errorf("zset: ScoreTie is %d, want a multiple of 8 from 0 to the TieWidth of %d", o.ScoreTie, o.TieWidth))
	}
	if o.MaxListpackEntries > MaxListpackEntries {
		errs = append(errs, fmt.Errorf("zset: MaxListpackEntries is %d, want at most %d", o.MaxListpackEntries, MaxListpackEntries))
	}
	if o.MaxListpackMember > MaxMember {
		errs = append(errs, fmt.Errorf("zset: MaxListpackMember is %d, want at most %d", o.MaxListpackMember, MaxMember))
	}
	if o.Cap < 0 {
		errs = append(errs, fmt.Errorf("zset: Cap is %d, want 0 or more", o.Cap))
	}
	if o.Reserve < 0 || o.Reserve > 0 && o.Cap == 0 {
		errs = append(errs, fmt.Errorf("zset: Reserve is %d, want 0 or more, and a Cap to stand behind", o.Reserve))
	}
	if o.CapLowest && o.Cap == 0 {
		errs = append(errs, errors.New("zset: CapLowest is set, but no Cap"))
	}
	return errors.Join(errs...)
}

func (o Options) limits() limits {
	l := limits{maxMember: defaultListpackMember, maxEntries: defaultListpackEntries, tieWidth: uint8(o.TieWidth), scoreTie: uint8(o.ScoreTie), dense: o.DenseRanks}
	if o.MaxListpackEntries != 0 {
		l.maxEntries = uint16(max(o.MaxListpackEntries, 0))
	}
	if o.MaxListpackMember != 0 {
		l.maxMember = uint32(max(o.MaxListpackMember, 0))
	}
	if o.Cap > 0 {
		*l.more() = rare{cap: o.Cap, reserve: o.Reserve, lowest: o.CapLowest}
	}
	return l
}

// defaults has the rests that all empty or small sets with default thresholds and no rare options share.
var defaults = func() (d forEach[rest]) {
	for width := range d {
		for columns := range d[width] {
			for i := range 4 {
				l := Options{TieWidth: 8 * width, ScoreTie: 8 * columns, DenseRanks: i&1 != 0}.limits()
				l.integers = i&2 != 0
				*d.of(l) = rest{limits: l, common: true}
			}
		}
	}
	return d
}()

// latest has, for each combination, the shared rest for the other thresholds that were used last, without rare options.
var latest forEach[atomic.Pointer[rest]]

// of returns the element for sets with these limits.
func (e *forEach[T]) of(l limits) *T {
	dense, integers := 0, 0
	if l.dense {
		dense = 1
	}
	if l.integers {
		integers = 1
	}
	return &e[l.tieWidth/8][l.scoreTie/8][dense][integers]
}

// empty returns the rest of an empty set.
func (l limits) empty() *rest {
	if d := defaults.of(l); d.limits == l {
		return d
	}
	if l.rare != nil {
		return &rest{limits: l}
	}
	last := latest.of(l)
	r := last.Load()
	if r == nil || r.limits != l {
		r = &rest{limits: l, common: true}
		last.Store(r)
	}
	return r
}
