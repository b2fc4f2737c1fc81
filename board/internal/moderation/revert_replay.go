package moderation

import (
	"fmt"
	"iter"
	"slices"

	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
)

// replay computes a member's entries without the reverted rows.
type replay struct {
	st     *state.State
	member string
	rows   []journal.Row // of the member, from the first one that is reverted on
	spots  []*spot
	byName map[string]*spot // by window and period
}

func spotName(window int, period string) string { return fmt.Sprint(window, " ", period) }

// row goes over the i-th row. reverts says that it is being reverted. It corrects the entries before
// the row (RV2), and reports whether they have changed.
func (p *replay) row(i int, reverts bool) (corrected bool, err error) {
	r := &p.rows[i]
	if r.Kind == journal.Removal {
		return p.removal(r)
	}
	for s, b := range p.spotsOf(r) {
		if !s.begun && !reverts {
			continue
		}
		changed, err := p.apply(s, i, b, reverts)
		if err != nil {
			return false, fmt.Errorf("%w: row %d of the journal of %q, member %q, applied again", err, r.Number, p.st.Name, p.member)
		}
		corrected = corrected || changed
	}
	return corrected, nil
}

// spotsOf iterates over the spots that a submission went to, with what the row has of them: none if
// the row is of a member that had the name before.
func (p *replay) spotsOf(r *journal.Row) iter.Seq2[*spot, *journal.Before] {
	return func(yield func(*spot, *journal.Before) bool) {
		if r.Version != p.st.Version {
			return
		}
		for i := range r.Befores {
			if r.Befores[i].Outside {
				continue
			}
			period, err := p.st.Timelines[i].PeriodAt(timeOf(r.At))
			if s := p.byName[spotName(i, period.Name)]; err == nil && s != nil && !yield(s, &r.Befores[i]) {
				return
			}
		}
	}
}

// encode returns what a row has of the entry of a spot.
func (p *replay) encode(s *spot) (had bool, score int64, tie []byte) {
	if !s.past.Had {
		return false, 0, nil
	}
	score, tie = p.st.Rules.Encode(nil, s.past.Is)
	return true, score, tie
}

// removal goes over the row of a removal of the member.
func (p *replay) removal(r *journal.Row) (corrected bool, err error) {
	if r.Version != p.st.Version {
		return false, nil
	}
	for i := range r.Removed {
		at := &r.Removed[i]
		s := p.byName[spotName(at.Window, at.Period)]
		if s == nil || !s.begun {
			continue
		}
		was := *at
		at.Had, at.Score, at.Tie = p.encode(s)
		changed := was.Had != at.Had || was.Score != at.Score || string(was.Tie) != string(at.Tie)
		corrected = corrected || r.Entries && changed
		s.metaGone = false
		if err := s.Forget(&s.past); err != nil {
			return false, err
		}
	}
	return corrected, nil
}

// begin makes of a spot what the member had before the i-th row, which has b of it.
func (p *replay) begin(s *spot, i int, b *journal.Before) error {
	s.begun, s.past = true, place.Past{Had: b.Had, Kept: b.Kept}
	if b.Had {
		s.past.Is = p.st.Rules.Decode(b.Score, b.Tie)
	}
	for j := range slices.Backward(p.rows[i:]) {
		r := &p.rows[i+j]
		for of, b := range p.spotsOf(r) {
			if of != s || r.Reverted > 0 {
				continue
			}
			if err := s.Undo(r.At, b.Kept); err != nil {
				return err
			}
		}
	}
	return nil
}

// apply goes over the i-th row in one window.
func (p *replay) apply(s *spot, i int, b *journal.Before, reverts bool) (corrected bool, err error) {
	r := &p.rows[i]
	if !s.begun {
		if err := p.begin(s, i, b); err != nil {
			return false, err
		}
	}
	had := s.past.Had
	if err := s.Advance(&s.past, r.Arrived, false); err != nil {
		return false, err
	}
	switch { // metadata leaves with the last result
	case !b.Had:
		s.metaGone = false
	case had && !s.past.Had:
		s.metaGone = true
	}
	if r.Meta && b.Changed && r.Reverted == 0 {
		s.metaGone = reverts
	}
	if reverts || r.Reverted > 0 {
		return false, nil
	}
	sub, was := rules.Entry{Score: r.Score, Reached: r.At, Arrival: b.Arrival}, *b
	b.Had, b.Score, b.Tie = p.encode(s)
	if b.Kept, err = s.KeptBefore(s.past.Kept, sub); err != nil {
		return false, err
	}
	corrected = was.Had != b.Had || was.Score != b.Score || string(was.Tie) != string(b.Tie) ||
		string(was.Kept) != string(b.Kept)
	return corrected, s.Replay(&s.past, sub)
}
