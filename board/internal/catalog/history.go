package catalog

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
)

// Past returns a period of a derived board as the history of its kind knows it, and false if that
// does not know who was in which group when the period closed.
func (b *Board) Past(window string, middle int64) (p Past, ok bool) {
	s := b.since
	p = Past{s.Number, window, middle}
	return p, s.Number > 0 && !s.At.IsAfter(p)
}

// Moment returns the present moment, at a time. A transaction that has locked the sets of open
// periods calls it once: what it finds to take results does so until the transaction has ended.
func (g *Groups) Moment(now time.Time) (m Moment) {
	for _, b := range g.Boards() {
		m = b.appendThrough(m, now)
	}
	return m
}

// appendThrough appends up to where the windows of a derived board took no results at a time.
func (b *Board) appendThrough(m Moment, now time.Time) Moment {
	of := b.following.Source.State()
	for _, own := range b.State().Timelines {
		t, err := of.Timeline(own.Window.Name)
		if err != nil {
			continue // a migration is under way
		}
		if end, ok := t.RefusesThrough(now); ok {
			m = append(m, Through{b.since.Number, own.Window.Name, end})
		}
	}
	return m
}

// IsNeeded reports whether a period that is kept, or is open yet, took no results at a moment, so
// that moderation may ask who was in which group then. O(boards, windows).
func (g *Groups) IsNeeded(m Moment) bool {
	for _, b := range g.Boards() {
		for _, t := range b.State().Timelines {
			if m.IsAfter(Past{b.since.Number, t.Window.Name, t.OldestMiddle()}) {
				return true
			}
		}
	}
	return false
}

// MakeHistoryStale notes that a period of the board is gone, so that the history of its kind may have
// what no period needs any more.
func (b *Board) MakeHistoryStale() {
	if b.following != nil {
		b.following.Groups.Stale.Store(true)
		b.env.WakeClosed()
	}
}

// putSince gives a derived board a number in a transaction. known says that the history of the kind
// knows all of its periods, because none has closed yet.
func (b *Board) putSince(tx *engine.Tx, known bool) error {
	key := boardkey.FollowerCount(b.following.Groups.Name)
	stored, _, err := tx.Get(key)
	if err != nil {
		return err
	}
	last, _ := binary.Uvarint(stored)
	b.since = Since{Number: int64(last) + 1}
	if !known {
		b.since.At = b.appendThrough(nil, tx.Now())
		for _, t := range b.State().Timelines {
			b.since.At.raise(b.since.Number, t.Window.Name, t.ClosedThrough())
		}
	}
	if err := tx.Put(key, binary.AppendUvarint(nil, last+1)); err != nil {
		return err
	}
	return tx.Put(boardkey.Since(b.State().Name), b.since.Encode())
}

// raise makes a window one that took no results up to an end at least.
func (m *Moment) raise(number int64, window string, end int64) {
	for i, t := range *m {
		if t.Board == number && t.Window == window {
			(*m)[i].End = max(t.End, end)
			return
		}
	}
	*m = append(*m, Through{number, window, end})
}

// loadSince reads the numbers of the derived boards. To those of earlier versions, which stored no
// history, it gives one; if the disk has failed they have none.
func (c *Catalog) loadSince(ctx context.Context) error {
	var without []*Board
	err := c.Engine.View(ctx, func(tx *engine.Tx) error {
		without = without[:0]
		for _, b := range c.list {
			if b.following == nil {
				continue
			}
			stored, ok, err := tx.Get(boardkey.Since(b.State().Name))
			if err == nil && ok {
				b.since, err = DecodeSince(stored)
			}
			if err != nil {
				return err
			}
			if !ok {
				without = append(without, b)
			}
		}
		return nil
	})
	for _, b := range without {
		if err != nil {
			break
		}
		failed := c.Owner.Update(ctx, nil, func(tx *engine.Tx) error { return b.putSince(tx, false) })
		if failed != nil {
			b.since = Since{}
			c.Log.Error("board: groups do not remember who is in which group when periods close", "board", b.State().Name, "err", failed)
		}
	}
	return err
}
