package moderation

import (
	"bytes"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// moving moves the entry of one member to another one in the ranking of one period, and combines it
// with the entry that the other one has.
type moving struct {
	at, to place.Place

	between int // the rank of the other member once the entry of the first is gone, from 1; 0: it has none

	record  *state.Record // of a closed period, else nil
	next    *state.Record // after the move
	renames bool          // of a closed period: the two are one member
}

// newMoving returns what moves the entry of the member of a place to another one. record is that of
// a closed period, else nil.
func newMoving(at place.Place, into string, record *state.Record) *moving {
	m := &moving{at: at, to: place.Of(at.Board, at.State, at.T, at.Slot, into), record: record}
	m.to.Closed = at.Closed
	m.at.Counts, m.to.Counts = true, true
	return m
}

func (m *moving) appendKeys(dst []string) []string {
	return m.to.AppendKeys(m.at.AppendKeys(dst, false), false)
}

// move moves the entry in the transaction, and returns what has become of the place; ok is false if
// there is no entry. A score that would be out of range is an error in an open period; in a closed
// one the other member keeps its entry as it is.
func (m *moving) move(tx *engine.Tx) (p board.Place, ok bool, err error) {
	if err := m.at.Open(tx); err != nil {
		return p, false, err
	}
	if err := m.to.Open(tx); err != nil {
		return p, false, err
	}
	was, _, err := entryAt(&m.at)
	if err != nil || !was.OK {
		return p, false, err
	}
	other, kept, err := entryAt(&m.to)
	if err != nil {
		return p, false, err
	}
	next, err := m.combine(was, other)
	if err != nil && m.record == nil {
		return p, false, err
	}
	r := m.at.State.Rules
	p = board.Place{Window: m.at.T.Window.Name, Period: m.at.Slot.Name, Closed: m.record != nil,
		Rank: m.at.Rank() + 1, Score: was.Decoded(r).Score, NewScore: next.Decoded(r).Score}
	if m.record != nil {
		p.Members = m.record.Members
	}
	before := m.to.Rank()
	if p.NewRank, err = m.store(tx, next, other, kept); err != nil {
		return p, false, err
	}
	if m.record != nil {
		if p.Rank > 0 && m.at.T.Top == nil {
			p.Moved = m.displaced(p.Rank-1, before, p.NewRank-1)
		}
		p.Rank, p.NewRank = rankAt(m.at.State, m.record, p.Rank, was), rankAt(m.at.State, m.record, p.NewRank, next)
		err = m.storeRecord(tx, was, other, next)
	}
	return p, err == nil, err
}

// displaced returns how many others have another rank in a closed period, by the ranks of the first
// member before, and of the other one before, -1 for none, and now.
func (m *moving) displaced(from, to, next int) int {
	others := m.record.Members - 1
	if to < 0 {
		return entry.Displaced(from, -1, next, others)
	}
	others--
	if to < from {
		from--
	}
	return entry.Displaced(from, m.between-1, next, others)
}

// entryAt returns the entry of a place, with a copy of its tie and with what is kept beside it.
func entryAt(at *place.Place) (e entry.Entry, kept place.Kept, err error) {
	e.Score, e.Tie, e.OK = at.Get()
	if e.Tie = bytes.Clone(e.Tie); e.OK {
		kept, err = at.Kept()
	}
	e.Kept = kept.Value
	return e, kept, err
}

// combine returns the entry that the other member gets, and moves the results of a rolling window.
func (m *moving) combine(was, other entry.Entry) (next entry.Entry, err error) {
	results := m.at.Results()
	if results == nil {
		return other.Merge(m.at.State.Rules, was)
	}
	is, err := results.Move(m.at.Member, m.to.Member)
	next.OK = true
	next.Score, next.Tie = m.at.State.Rules.Encode(nil, is)
	return next, err
}

// store changes the ranking and what is beside it, and returns the new rank. The other member keeps
// its metadata if it has an entry.
func (m *moving) store(tx *engine.Tx, next, other entry.Entry, kept place.Kept) (rank int, err error) {
	why := feed.Renamed
	if other.OK {
		why = feed.Merged
	}
	meta, err := m.at.Meta()
	if err != nil {
		return 0, err
	}
	var c catalog.Change
	m.at.BeginChange(&c, why)
	c.To, c.Merges, c.Renames = m.to.Member, other.OK, m.renames
	if err := m.at.Change(&c); err != nil {
		return 0, err
	}
	if err := m.to.Open(tx); err != nil { // its rank may be another one by now
		return 0, err
	}
	if err := m.to.PutKept(kept, next.Kept); err != nil {
		return 0, err
	}
	if m.between = 0; other.OK {
		m.between = m.to.Rank() + 1
	} else if meta != nil {
		if err := m.to.PutMeta(meta); err != nil {
			return 0, err
		}
	}
	if other.OK && other.Score == next.Score && bytes.Equal(other.Tie, next.Tie) {
		return m.to.Rank() + 1, nil
	}
	m.to.BeginChange(&c, why)
	c.Has, c.Is = true, next.Decoded(m.to.State.Rules)
	err = m.to.Change(&c)
	return c.After + 1, err
}

// storeRecord corrects the record of a closed period. It is indexed again afterwards.
func (m *moving) storeRecord(tx *engine.Tx, was, other, next entry.Entry) error {
	own := m.at.Board.Owner()
	members, sum := 0, own.EntryHash(next.Score, next.Tie, m.to.Name)-own.EntryHash(was.Score, was.Tie, m.at.Name)
	if other.OK {
		members, sum = -1, sum-own.EntryHash(other.Score, other.Tie, m.to.Name)
	}
	m.next = m.record.Changed(m.at.State.Version, members, sum)
	gone := places.Place{Window: m.at.T.Window.Name, Period: m.at.Slot.Name}
	if err := places.Delete(tx, m.at.State.Name, m.at.Name, gone); err != nil {
		return err
	}
	return places.PutRecord(tx, m.at.T, m.next)
}
