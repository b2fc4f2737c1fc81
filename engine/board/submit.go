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
	// At is when it happened, to the microsecond. Zero means now, by the engine's clock.
	At time.Time
}

// Change is what a submission did to the ranking of the board's first window.
type Change struct {
	Window  Window
	Period  string
	Changed bool // the member's entry is not what it was
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
	w := b.spec.Windows[0]
	c := Change{Window: w, Period: w.Period(sub.At)}
	keys := b.Keys(nil, sub.At)
	err := b.e.Update(keys, func(tx *engine.Tx) error {
		s, err := tx.SetTied(keys[0], b.spec.tieWidth())
		if err != nil {
			return err
		}
		var had bool
		last := s.Len()
		c.Before, had = b.row(s.View, sub.Member)
		c.New = !had
		if c.Changed, err = b.SubmitTx(tx, sub); err != nil {
			return err
		}
		c.After, _ = b.row(s.View, sub.Member)
		c.Passed = last + 1 - c.After.Rank
		if had {
			c.Passed = max(c.Before.Rank-c.After.Rank, 0)
		}
		return nil
	})
	if err != nil {
		return Change{}, err
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
// any window has changed. sub.At must be set. Errors: as Submit; the transaction must not be committed then.
func (b *Board) SubmitTx(tx *engine.Tx, sub Submission) (changed bool, err error) {
	if err := sub.validate(); err != nil {
		return false, err
	}
	for i := range b.spec.Windows {
		s, err := tx.SetTied(b.keyAt(i, sub.At), b.spec.tieWidth())
		if err != nil {
			return false, err
		}
		moved, err := b.submit(s, sub)
		if err != nil {
			return false, err
		}
		changed = changed || moved
	}
	return changed, nil
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

// submit applies a submission to one ranking.
func (b *Board) submit(s *engine.Set, sub Submission) (changed bool, err error) {
	member := []byte(sub.Member)
	stored, tie, had := s.Get(member)
	old := b.spec.read(stored, tie)
	next, changed, err := b.spec.apply(old, had, entry{sub.Score, sub.At.UnixMicro(), s.Version()})
	if err != nil {
		return false, fmt.Errorf("%w: %v plus %v for %q", err, old.score, sub.Score, sub.Member)
	}
	if !changed {
		return false, nil
	}
	var text [16]byte
	_, err = s.AddTied(member, b.spec.tie(&text, next), b.spec.stored(next.score))
	return true, err
}
