package board

import (
	"fmt"
	"math"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// Submission is one result of a member.
type Submission struct {
	Member string
	// Score is the result; with the operator Sum, what is added.
	Score float64
	// At is when it happened, to the microsecond. Zero means now, by the engine's clock; SubmitTx wants it set.
	At time.Time
}

// Change is what a submission did to the ranking of the board's first window, Spec().Windows[0].
type Change struct {
	Window  Window
	Period  string
	Changed bool // the member's score, or when it was reached, is not what it was
	New     bool // the member was not ranked before; Before is zero
	Before  Row
	After   Row
	Passed  int // how many members it stood behind and now stands before; a new member stood behind all
}

// Submit applies a submission to every window of the board in one commit and returns when that is as durable as the engine
// makes it (B1). O(windows log members). Errors: ErrMember, ErrScore, ErrTime, those of the engine; nothing changes then.
func (b *Board) Submit(sub Submission) (Change, error) {
	if sub.At.IsZero() {
		sub.At = b.e.Now()
	}
	if err := sub.validate(); err != nil {
		return Change{}, err
	}
	var c Change
	keys := b.Keys(nil, sub.At)
	err := b.e.Update(keys, func(tx *engine.Tx) (err error) {
		c, err = b.change(tx, keys[0], sub)
		return err
	})
	if err != nil {
		return Change{}, err
	}
	return c, nil
}

// change applies a submission and looks at the ranking of the first window, which has the given key, before and after.
func (b *Board) change(tx *engine.Tx, key string, sub Submission) (Change, error) {
	s, err := tx.SetTied(key, b.spec.tieWidth())
	if err != nil {
		return Change{}, err
	}
	w, last := b.spec.Windows[0], s.Len()
	c := Change{Window: w, Period: w.Period(sub.At)}
	before, had := b.row(s.View, sub.Member)
	if c.Changed, _, err = b.submit(tx, sub); err != nil {
		return Change{}, err
	}
	c.Before, c.New = before, !had
	c.After, _ = b.row(s.View, sub.Member)
	c.Passed = last + 1 - c.After.Rank
	if had {
		c.Passed = max(before.Rank-c.After.Rank, 0)
	}
	return c, nil
}

// Keys appends the keys of the sets that a submission at a time touches to dst: what the transaction of SubmitTx must name.
// O(windows).
func (b *Board) Keys(dst []string, at time.Time) []string {
	for i := range b.spec.Windows {
		dst = append(dst, b.keyAt(i, at))
	}
	return dst
}

// SubmitTx is Submit as part of an engine transaction that has named Keys(sub.At), and reports whether the member's entry in
// any window has changed. Errors: ErrMember, ErrScore, and ErrTime also if sub.At is zero: the transaction is as it was then,
// and may go on. Those of the engine: it must not be committed then.
func (b *Board) SubmitTx(tx *engine.Tx, sub Submission) (changed bool, err error) {
	if sub.At.IsZero() {
		return false, fmt.Errorf("%w: not set", ErrTime)
	}
	if err := sub.validate(); err != nil {
		return false, err
	}
	_, changed, err = b.submit(tx, sub)
	return changed, err
}

func (s *Submission) validate() error {
	if s.Member == "" || len(s.Member) > MaxMember {
		return ErrMember
	}
	if math.IsNaN(s.Score) || math.IsInf(s.Score, 0) {
		return fmt.Errorf("%w: %v for %q", ErrScore, s.Score, s.Member)
	}
	if year := s.At.UTC().Year(); year < 0 || year > 9999 {
		return fmt.Errorf("%w: %s", ErrTime, s.At)
	}
	return nil
}

// outcome is what a submission makes of a member's entry in one window.
type outcome struct {
	set     *engine.Set
	next    entry
	changed bool
}

// submit applies a valid submission to every window, and reports whether the entry in the first and in any of them has
// changed. All outcomes are worked out before one is stored, so that a sum that overflows leaves every window alone.
func (b *Board) submit(tx *engine.Tx, sub Submission) (first, anywhere bool, err error) {
	member := []byte(sub.Member)
	var room [8]outcome
	outcomes := room[:0]
	for i := range b.spec.Windows {
		s, err := tx.SetTied(b.keyAt(i, sub.At), b.spec.tieWidth())
		if err != nil {
			return false, false, err
		}
		stored, tie, had := s.Get(member)
		old := b.spec.read(stored, tie)
		next, changed, err := b.spec.apply(old, had, entry{sub.Score, sub.At.UnixMicro(), s.Version()})
		if err != nil {
			return false, false, fmt.Errorf("%w: %v plus %v for %q", err, old.score, sub.Score, sub.Member)
		}
		outcomes = append(outcomes, outcome{s, next, changed})
	}
	for _, o := range outcomes {
		if !o.changed {
			continue
		}
		anywhere = true
		var tie [16]byte
		if _, err := o.set.AddTied(member, b.spec.tie(&tie, o.next), b.spec.stored(o.next.score)); err != nil {
			return false, false, err
		}
	}
	return outcomes[0].changed, anywhere, nil
}
