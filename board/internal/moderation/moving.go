package moderation

import (
	"bytes"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/combine"
	"github.com/zrankdb/zrank/board/internal/following"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/submit"
	"github.com/zrankdb/zrank/engine"
)

// moving moves the entry of one member to another one in the ranking of one period, and combines it with the entry that the other one has.
type moving struct {
	t          *state.Timeline
	slot       *state.Slot
	from, into string
	at, to     place.Place

	between int // the rank of the other member once the entry of the first is gone, from 1; 0: it has none

	roll   rolling.Sets  // of a rolling window
	record *state.Record // of a closed period, else nil
	next   *state.Record // after the move
}

func newMoving(t *state.Timeline, slot *state.Slot, from, into string) *moving {
	return &moving{t: t, slot: slot, from: from, into: into, at: place.Of(t, slot, []byte(from)), to: place.Of(t, slot, []byte(into))}
}

func (m *moving) appendKeys(dst []string) []string {
	if rolling.IsRolling(m.t) {
		dst = rolling.AppendKeys(dst, m.t)
	}
	return m.to.AppendKeys(m.at.AppendKeys(dst))
}

// expire removes the results that have left, if the ranking is that of a rolling window. Error: see submit.OpenRolling.
func (m *moving) expire(tx *engine.Tx, st *state.State) (err error) {
	if rolling.IsRolling(m.t) {
		m.roll, err = submit.OpenRolling(tx, st, m.t)
	}
	return err
}

// move moves the entry in the transaction, and returns what has become of the place; ok is false if there is no entry. A score that would be out of range is
// an error in an open period; in a closed one the other member keeps its entry as it is.
func (m *moving) move(tx *engine.Tx, b *catalog.Board, st *state.State) (p board.Place, ok bool, err error) {
	if err := m.at.Open(tx, b, st, nil); err != nil {
		return p, false, err
	}
	if err := m.to.Open(tx, b, st, nil); err != nil {
		return p, false, err
	}
	was, other := entryAt(&m.at), entryAt(&m.to)
	if !was.OK {
		return p, false, nil
	}
	next, err := m.combine(tx, st, &was, &other)
	if err != nil && m.record == nil {
		return p, false, err
	}
	p = board.Place{Window: m.t.Window.Name, Period: m.slot.Name, Closed: m.record != nil, Rank: ordinal(&m.at, m.at.Rank()), Score: st.Rules.Decode(was.Score, was.Tie).Score,
		NewScore: st.Rules.Decode(next.Score, next.Tie).Score}
	if m.record != nil {
		p.Members = m.record.Members
	}
	if p.NewRank, err = m.store(tx, b, st, was, next, other); err != nil {
		return p, false, err
	}
	if err := m.storeBeside(tx, st, &next, other.OK); err != nil {
		return p, false, err
	}
	if m.record != nil {
		p.Rank, p.NewRank = rankAt(st, m.record, p.Rank, was), rankAt(st, m.record, p.NewRank, next)
		err = m.storeRecord(tx, b.Owner(), st, was, other, next)
	}
	return p, err == nil, err
}

// entryAt returns the entry of a place, with a copy of its tie.
func entryAt(at *place.Place) (e combine.Entry) {
	e.Score, e.Tie, e.OK = at.Get()
	e.Tie = bytes.Clone(e.Tie)
	return e
}

// ordinal returns a rank of a place from 1; 0 if there is no entry, or the ranking is in parts.
func ordinal(at *place.Place, rank int) int {
	if at.Division != nil {
		return 0
	}
	return rank + 1
}

// combine returns the entry that the other member gets, and moves the results of a rolling window.
func (m *moving) combine(tx *engine.Tx, st *state.State, was, other *combine.Entry) (next combine.Entry, err error) {
	if rolling.IsRolling(m.t) {
		entry, err := m.roll.Move([]byte(m.from), []byte(m.into))
		next.OK = true
		next.Score, next.Tie = st.Rules.Encode(nil, entry)
		return next, err
	}
	if err := readKept(tx, st, was, m.t.Window.Name, m.slot.Name, m.from); err != nil {
		return next, err
	}
	if err := readKept(tx, st, other, m.t.Window.Name, m.slot.Name, m.into); err != nil {
		return next, err
	}
	return other.Merge(st.Rules, *was)
}

// store changes the ranking, and returns the new rank.
func (m *moving) store(tx *engine.Tx, b *catalog.Board, st *state.State, was, next, other combine.Entry) (rank int, err error) {
	if err := m.at.Remove(); err != nil {
		return 0, err
	}
	c := following.Change{Member: []byte(m.from)}
	if !other.OK {
		c.To = []byte(m.into)
	}
	if err := m.follow(tx, b, st, c, was, combine.Entry{}); err != nil {
		return 0, err
	}
	if err := m.to.Open(tx, b, st, nil); err != nil { // its rank may be another one by now
		return 0, err
	}
	if m.between = 0; other.OK {
		m.between = ordinal(&m.to, m.to.Rank())
	}
	if other.OK && other.Score == next.Score && bytes.Equal(other.Tie, next.Tie) {
		return ordinal(&m.to, m.to.Rank()), nil
	}
	_, rank, err = m.to.Put(next.Tie, next.Score)
	if err != nil {
		return 0, err
	}
	return ordinal(&m.to, rank), m.follow(tx, b, st, following.Change{Member: []byte(m.into)}, other, next)
}

// follow makes the boards that follow do so after the entry of the member of c has changed in an open period.
func (m *moving) follow(tx *engine.Tx, b *catalog.Board, st *state.State, c following.Change, was, is combine.Entry) error {
	if m.record != nil || !following.HasFollowers(b) {
		return nil
	}
	c.Had, c.Has, c.Reached = was.OK, is.OK, tx.Now().UnixMicro()
	if was.OK {
		st.Rules.DecodeScore(&c.Before, was.Score, was.Tie)
	}
	if is.OK {
		st.Rules.DecodeScore(&c.After, is.Score, is.Tie)
	}
	return following.Apply(tx, b, m.t, m.slot, c)
}

// storeBeside moves what is combine.Entry beside the entry. The other member keeps its metadata if it has an entry.
func (m *moving) storeBeside(tx *engine.Tx, st *state.State, next *combine.Entry, other bool) error {
	window, period := m.t.Window.Name, m.slot.Name
	if !other {
		meta, ok, err := tx.Get(boardkey.Meta(st.Name, window, period, m.from))
		if err == nil && ok {
			err = tx.Put(boardkey.Meta(st.Name, window, period, m.into), meta)
		}
		if err != nil {
			return err
		}
	}
	if err := deleteBeside(tx, st, window, period, m.from); err != nil {
		return err
	}
	return putKept(tx, st, *next, m.t, period, m.into)
}

// storeRecord corrects the record of a closed period. It is indexed again afterwards.
func (m *moving) storeRecord(tx *engine.Tx, own engine.Owner, st *state.State, was, other, next combine.Entry) error {
	members, sum := 0, own.EntryHash(next.Score, next.Tie, m.into)-own.EntryHash(was.Score, was.Tie, m.from)
	if other.OK {
		members, sum = -1, sum-own.EntryHash(other.Score, other.Tie, m.into)
	}
	m.next = m.record.Changed(st.Version, members, sum)
	if err := places.Delete(tx, st.Name, m.from, places.Place{Window: m.t.Window.Name, Period: m.slot.Name}); err != nil {
		return err
	}
	return places.PutRecord(tx, m.t, m.next)
}
