package groups

import (
	"context"
	"sync"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// period is a period of a derived board: an open one, or a closed one that moderation changes.
type period struct {
	b    *catalog.Board // the derived board
	f    *catalog.Following
	st   *state.State
	t    *state.Timeline
	slot *state.Slot

	closed bool // the period is closed
	past   bool // and who was in which group then is known; members count for those groups
}

// periodOf returns the period of a derived board that follows an open period of its source, and
// false if there is none.
func periodOf(b *catalog.Board, t *state.Timeline, slot *state.Slot) (p period, ok bool) {
	p = period{b: b, f: b.Following(), st: b.State()}
	if t.IsClosed(slot) { // moderation changes it: see closedPeriodOf
		return p, false
	}
	p.t, p.slot, ok = p.st.Follows(t, slot)
	return p, ok && !p.t.IsClosed(p.slot)
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
		at := p.at(string(group), group)
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
	reached int64  // when its entry was, in microseconds after 1970
	change  catalog.Change
}

// begin makes the place that of a group, which is not open. key is the name again.
func (at *groupPlace) begin(p *period, name string, key []byte) {
	*at = groupPlace{}
	at.Begin(p.b, p.st, p.t, p.slot, name, key)
	at.Closed = p.closed
}

// at returns the place of a group, which is not open. key is the name again.
func (p *period) at(name string, key []byte) (at groupPlace) {
	at.begin(p, name, key)
	return at
}

// groupPlaces are places that are not in use: every submission of a member borrows one.
var groupPlaces = sync.Pool{New: func() any { return new(groupPlace) }}

// borrow returns the place of a group, which is not open, until giveBack.
func (p *period) borrow(g *catalog.Group) *groupPlace {
	at := groupPlaces.Get().(*groupPlace)
	at.begin(p, g.Name, g.Key)
	return at
}

func (at *groupPlace) giveBack() { groupPlaces.Put(at) }

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
		at.reached = p.st.Rules.DecodeScore(&e.score, score, tie)
	}
	return e, nil
}

// put gives a group an entry in place of was, which get has returned, or none, and tells the
// observers. reached is in microseconds after 1970. In a closed period put corrects the record.
// O(log groups).
func (p *period) put(tx *engine.Tx, at *groupPlace, was, is entry, reached int64) error {
	switch {
	case is == was:
		return nil
	case !p.closed:
		return p.replace(tx, at, was, is, reached)
	}
	var c correction
	if err := p.correct(tx, at, was, is, max(reached, at.reached), &c); err != nil {
		return err
	}
	return p.storeRecord(tx, &c)
}

// replace is put without a look at the record.
func (p *period) replace(tx *engine.Tx, at *groupPlace, was, is entry, reached int64) error {
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
		c := &at.change
		*c = at.Coming(0)
		c.Had, c.Was.Score, c.Has, c.Reached = was.ranked, was.score, is.ranked, reached
		c.Is = rules.Entry{Score: is.score, Reached: reached, Arrival: at.version}
		c.Hides = was.exists && is.exists && was.ranked != is.ranked
		if err := at.Change(c); err != nil {
			return err
		}
		if !at.Closed && at.IsStepDue(was.ranked) {
			step := at.Place // at may be another one by then
			p.b.Later(func() { step.Maintain(context.Background()) })
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

// correction is what has changed in a closed period.
type correction struct {
	groups  int    // that had another entry, or none
	members int    // how many groups more are ranked
	beside  int    // how many more are beside the ranking
	sum     uint64 // by which the digest of the ranking has risen
}

// correct gives one group of a closed period another entry, or none, and adds to what has changed.
func (p *period) correct(tx *engine.Tx, at *groupPlace, was, is entry, reached int64, c *correction) error {
	c.groups++
	count := func(e entry, n int) {
		value, tie, _ := at.Get()
		if !e.ranked {
			c.beside += n
			return
		}
		c.members += n
		c.sum += uint64(n) * p.b.Owner().EntryHash(value, tie, at.Name)
	}
	if was.exists {
		count(was, -1)
	}
	if err := p.replace(tx, at, was, is, reached); err != nil {
		return err
	}
	if !is.exists {
		return places.Delete(tx, p.st.Name, at.Name, places.Place{Window: p.t.Window.Name, Period: p.slot.Name})
	}
	if _, err := p.get(tx, at); err != nil {
		return err
	}
	count(is, 1)
	return nil
}

// storeRecord corrects the record of a closed period, which is indexed again afterwards. Error:
// ErrAgain if it has been dropped.
func (p *period) storeRecord(tx *engine.Tx, c *correction) error {
	if c.groups == 0 {
		return nil
	}
	stored, ok, err := tx.Get(boardkey.Record(p.st.Name, p.t.Window.Name, p.slot.Name))
	if err != nil {
		return err
	}
	if !ok || p.b.CheckWritable(p.st) != nil {
		return state.ErrAgain
	}
	r, err := state.DecodeRecord(stored)
	if err != nil {
		return err
	}
	next, t, env := r.Changed(p.st.Version, c.members, c.sum).ChangedHidden(c.beside), p.t, p.b.Env()
	p.b.Owner().NoteEnd(tx, catalog.OnCommit(func() {
		t.ReplaceRecord(next)
		env.WakeClosed()
	}))
	return places.PutRecord(tx, p.t, next)
}
