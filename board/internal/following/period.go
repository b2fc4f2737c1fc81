package following

import (
	"errors"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/state"
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

// periodOf returns the period of a derived board that follows a period of its source, and false if there is none that may change.
func periodOf(b *catalog.Board, t *state.Timeline, slot *state.Slot) (p period, ok bool) {
	if t.IsClosed(slot) { // moderation changes it
		return p, false
	}
	p = period{b: b, f: b.Following(), st: b.State()}
	for _, own := range p.st.Timelines {
		if own.Window.Name == t.Window.Name {
			p.t, p.slot = own, own.SlotFor(slot.Period)
			return p, !own.IsClosed(p.slot)
		}
	}
	return p, false
}

// hasBeside reports whether groups may have their entries beside the ranking.
func (p *period) hasBeside() bool { return p.f.Totals.Derived.Least > 0 }

// appendKeys appends the keys of the sets that have the entries of groups.
func (p *period) appendKeys(dst []string) []string {
	if dst = append(dst, p.slot.Key); p.hasBeside() {
		dst = append(dst, p.t.HiddenKey(p.slot.Name))
	}
	return dst
}

// sets is the sets that have the entries of groups in a transaction.
type sets struct {
	ranked *engine.IntSet
	beside *engine.IntSet // nil unless groups may have their entries there
}

// open opens the sets. Errors: ErrMoved if the transaction has not named them, those of the engine.
func (p *period) open(tx *engine.Tx) (s sets, err error) {
	if s.ranked, err = tx.IntSet(p.slot.Key, p.st.Form); err == nil && p.hasBeside() {
		s.beside, err = tx.IntSet(p.t.HiddenKey(p.slot.Name), p.st.Form)
	}
	if errors.Is(err, engine.ErrNotNamed) { // the board follows since then
		err = errs.ErrMoved
	}
	return s, err
}

// entry is the score of a group in a period.
type entry struct {
	score  rules.Score
	exists bool
	ranked bool // it is in the ranking, not beside it
}

// get returns the entry of a group. O(1).
func (p *period) get(s sets, group []byte) (e entry) {
	score, tie, ok := s.ranked.Get(group)
	if e.ranked = ok; !ok && s.beside != nil {
		score, tie, ok = s.beside.Get(group)
	}
	if e.exists = ok; ok {
		p.st.Rules.DecodeScore(&e.score, score, tie)
	}
	return e
}

// entryOf returns the entry of a group with a score and so many members that have one: none if there is no such member.
func (p *period) entryOf(s sets, score rules.Score, members int64) (e entry) {
	if members > 0 {
		e = entry{score: score, exists: true, ranked: s.beside == nil || p.f.Totals.IsRanked(members)}
	}
	return e
}

// put gives a group an entry in the place of was, or none if it has no member with a score. reached is in microseconds after 1970. It returns what the entry
// is then. O(log groups).
func (p *period) put(tx *engine.Tx, s sets, group []byte, was entry, score rules.Score, members, reached int64) (e entry, err error) {
	if e = p.entryOf(s, score, members); e == was {
		return e, nil
	}
	p.t.NoteOpen(p.slot)
	m := events.Move{T: p.t, Period: p.slot.Name, Before: -1, After: -1}
	if was.exists && (!e.exists || was.ranked != e.ranked) {
		if rank, ok := s.ranked.Rank(group); ok {
			m.Before = rank
		}
		if _, err := s.of(was).Remove(group); err != nil {
			return e, err
		}
	}
	if e.exists {
		var array [rules.MaxTie]byte
		value, tie := p.st.Rules.Encode(array[:0], rules.Entry{Score: score, Reached: reached, Arrival: s.ranked.Version()})
		moved, err := s.of(e).Put(group, tie, value)
		if err != nil {
			return e, err
		}
		if e.ranked {
			m.Before, m.After = moved.Before, moved.After
		}
	}
	if !events.Has(p.st) || m.Before < 0 && m.After < 0 {
		return e, nil
	}
	m.Member = string(group)
	return e, p.note(tx, s, m)
}

// note writes the events of a group's move in the ranking.
func (p *period) note(tx *engine.Tx, s sets, m events.Move) error {
	w := p.b.Events(tx, p.st)
	if err := w.Opened(&m, s.ranked); err != nil {
		return err
	}
	return w.Moved(&m, s.ranked)
}

// of returns the set that an entry is in.
func (s sets) of(e entry) *engine.IntSet {
	if e.ranked {
		return s.ranked
	}
	return s.beside
}
