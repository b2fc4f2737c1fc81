package moderation

import (
	"fmt"

	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
)

// replay computes a member's entries without the reverted rows.
type replay struct {
	st     *state.State
	member string
	spots  []*spot
	byName map[string]*spot // by window and period
}

func spotName(window int, period string) string { return fmt.Sprint(window, " ", period) }

// row goes over the next row of the member. reverts says that it is being reverted. It corrects the entries before the row (RV2), and reports whether
// they have changed.
func (p *replay) row(r *journal.Row, reverts bool) (corrected bool, err error) {
	if r.Version != p.st.Version { // of a member that had the name before
		return false, nil
	}
	if r.Kind == journal.Removal {
		return p.removal(r), nil
	}
	for i := range r.Befores {
		if r.Befores[i].Outside {
			continue
		}
		s, err := p.spotOf(i, r)
		if err != nil {
			return false, err
		}
		if s == nil || !s.begun && !reverts {
			continue
		}
		changed, err := p.apply(s, r, &r.Befores[i], reverts)
		if err != nil {
			return false, fmt.Errorf("%w: row %d of the journal of %q, member %q, applied again", err, r.Number, p.st.Name, p.member)
		}
		corrected = corrected || changed
	}
	return corrected, nil
}

// removal goes over the row of a removal of the member.
func (p *replay) removal(r *journal.Row) (corrected bool) {
	for i := range r.Removed {
		place := &r.Removed[i]
		s := p.byName[spotName(place.Window, place.Period)]
		if s == nil || !s.begun {
			continue
		}
		was := *place
		if place.Had, place.Score, place.Tie = s.had, 0, nil; s.had {
			place.Score, place.Tie = p.st.Rules.Encode(nil, s.entry)
		}
		corrected = corrected || r.Entries && (was.Had != place.Had || was.Score != place.Score || string(was.Tie) != string(place.Tie))
		s.had, s.entry, s.kept, s.metaGone = false, rules.Entry{}, nil, false
	}
	return corrected
}

// apply goes over a row in one window.
func (p *replay) apply(s *spot, r *journal.Row, b *journal.Before, reverts bool) (corrected bool, err error) {
	wrote := r.Meta && b.Changed
	if !s.begun {
		s.begun, s.had, s.entry, s.kept = true, b.Had, rules.Entry{}, b.Kept
		if b.Had {
			s.entry = p.st.Rules.Decode(b.Score, b.Tie)
		}
	}
	if wrote && r.Reverted == 0 {
		s.metaGone = reverts
	}
	if reverts || r.Reverted > 0 {
		return false, nil
	}
	was := *b
	if b.Had, b.Score, b.Tie, b.Kept = s.had, 0, nil, s.kept; s.had {
		b.Score, b.Tie = p.st.Rules.Encode(nil, s.entry)
	}
	corrected = was.Had != b.Had || was.Score != b.Score || string(was.Tie) != string(b.Tie) || string(was.Kept) != string(b.Kept)
	return corrected, p.submit(s, rules.Entry{Score: r.Score, Reached: r.At, Arrival: b.Arrival})
}

// submit applies a result to an entry.
func (p *replay) submit(s *spot, sub rules.Entry) error {
	if !s.had {
		s.kept = nil
	}
	var err error
	if s.entry, _, s.kept, _, err = entry.Apply(p.st.Rules, s.entry, s.had, s.kept, sub); err == nil {
		s.had = true
	}
	return err
}

// spotOf returns the spot of a row in a window, nil if the replay has none there.
func (p *replay) spotOf(window int, r *journal.Row) (*spot, error) {
	period, err := p.st.Timelines[window].PeriodAt(timeOf(r.At))
	if err != nil {
		return nil, err
	}
	return p.byName[spotName(window, period.Name)], nil
}
