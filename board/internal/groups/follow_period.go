package groups

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// period is an open period of a derived board.
type period struct {
	b    *catalog.Board // the derived board
	f    *catalog.Following
	st   *state.State
	t    *state.Timeline
	slot *state.Slot
}

// periodOf returns the period of a derived board that follows a period of its source, and false if
// there is none that may change.
func periodOf(b *catalog.Board, t *state.Timeline, slot *state.Slot) (p period, ok bool) {
	p = period{b: b, f: b.Following(), st: b.State()}
	if t.IsClosed(slot) { // moderation changes it
		return p, false
	}
	p.t, p.slot, ok = p.st.Follows(t, slot)
	return p, ok
}

// totals returns what computes the scores of the groups.
func (p *period) totals() *totals.Totals { return p.f.Totals.In(p.t.Window) }

// hasBeside reports whether groups may have their entries beside the ranking.
func (p *period) hasBeside() bool { return p.f.Totals.Derived.Least > 0 }

// appendKeys appends the keys of the sets that have the entry of a group; nil: of all groups.
func (p *period) appendKeys(dst []string, group []byte) []string {
	if group == nil {
		dst = append(dst, p.t.RankingKeys(p.slot.Name)...)
	} else {
		at := p.at(group)
		dst = at.AppendKeys(dst, false)
	}
	if p.hasBeside() {
		dst = append(dst, p.t.HiddenKey(p.slot.Name))
	}
	return dst
}

// entry is the score of a group in a period.
type entry struct {
	score  rules.Score
	exists bool
	ranked bool // it is in the ranking, not beside it
}

// entryOf returns the entry of a group with a score and so many members that have one: none if
// there is no such member.
func (p *period) entryOf(score rules.Score, members int64) (e entry) {
	if members > 0 {
		e = entry{score: score, exists: true, ranked: p.f.Totals.IsRanked(members)}
	}
	return e
}

// groupPlace is the place of a group, which is open where its entry is.
type groupPlace struct {
	place.Place
	version uint64 // of the ranking
}

// at returns the place of a group, which is not open.
func (p *period) at(group []byte) groupPlace {
	return groupPlace{Place: place.Of(p.b, p.st, p.t, p.slot, string(group))}
}

// get opens the place, and returns the entry of the group. Errors: those of Place.Open. O(1).
func (p *period) get(tx *engine.Tx, at *groupPlace) (e entry, err error) {
	if err := at.Open(tx); err != nil {
		return e, err
	}
	at.version = at.Version()
	score, tie, ok := at.Get()
	if e.ranked = ok; !ok && p.hasBeside() {
		if err := at.OpenHidden(tx); err != nil {
			return e, err
		}
		score, tie, ok = at.Get()
	}
	if e.exists = ok; ok {
		p.st.Rules.DecodeScore(&e.score, score, tie)
	}
	return e, nil
}

// put gives a group an entry in the place of was, which get has returned, or none, and tells the
// observers. reached is in microseconds after 1970. O(log groups).
func (p *period) put(tx *engine.Tx, at *groupPlace, was, is entry, reached int64) error {
	if is == was {
		return nil
	}
	if !at.Closed {
		p.t.NoteOpen(p.slot)
	}
	if was.exists && !was.ranked {
		if err := at.Take(); err != nil {
			return err
		}
	}
	if was.ranked || is.ranked {
		if !was.ranked {
			if err := at.Open(tx); err != nil {
				return err
			}
		}
		c := at.Coming(0)
		c.Had, c.Was.Score, c.Has, c.Reached = was.ranked, was.score, is.ranked, reached
		c.Is = rules.Entry{Score: is.score, Reached: reached, Arrival: at.version}
		c.Hides = was.exists && is.exists && was.ranked != is.ranked
		if err := at.Change(&c); err != nil {
			return err
		}
		if at.IsStepDue(was.ranked) {
			p.b.Later(func() { at.Maintain(context.Background()) })
		}
	}
	if !is.exists || is.ranked {
		return nil
	}
	if err := at.OpenHidden(tx); err != nil {
		return err
	}
	value, tie := p.st.Rules.Encode(nil, rules.Entry{Score: is.score, Reached: reached, Arrival: at.version})
	_, _, err := at.Put(tie, value)
	return err
}
