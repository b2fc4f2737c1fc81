package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// A transaction may name sets that it changes by blind writes: see keyspace.Blind. It locks them for writing, and does not load those that are on
// the disk only. Of a set that is in memory it removes and puts entries as usual.

// mostBlind is the number of blind writes after which a set is loaded for the next one. It bounds the memory that they take.
const mostBlind = 128

// updateBlind is updateOwning of the keys and of those in blind, whose sets fn changes by blindRemove and blindPut only. A key in both is read.
func (m *manager) updateBlind(ctx context.Context, keys, blind []string, fn func(*Tx) error) error {
	tx := m.owning(ctx)
	keys, blind = inOrder(keys), inOrder(blind)
	tx.blind = slices.DeleteFunc(slices.Clone(blind), func(key string) bool {
		_, read := slices.BinarySearch(keys, key)
		return read
	})
	_, err := m.updateAnd(tx, slices.Concat(keys, tx.blind), fn, m.durable)
	tx.reuse()
	return err
}

// unread reports whether the set is on the disk only, and the transaction does not load it.
func (h *handle) unread() bool {
	return h.named && h.S.Cold() && (h.S.Blind() == nil || len(h.S.Blind().Changes) < mostBlind)
}

// lookUp finds out what is known of the sets that the transaction has not loaded. They are locked. After an error they are not locked any more.
func (tx *Tx) lookUp() error {
	var first []*handle // those without blind writes
	for _, h := range tx.sets {
		if b := h.S.Blind(); !h.unread() {
			continue
		} else if b != nil {
			own := *b
			h.blind = &own
			continue
		}
		first = append(first, h)
	}
	if len(first) == 0 {
		return nil
	}
	slices.SortFunc(first, func(x, y *handle) int { return strings.Compare(x.S.Id(), y.S.Id()) })
	ids := make([]string, len(first))
	for i, h := range first {
		ids[i] = h.S.Id()
	}
	all, err := tx.m.residency.Recorded(ids)
	if err != nil {
		tx.unlock()
		tx.m.residency.Room.Release(&tx.pass)
		return err
	}
	for i, h := range first {
		h.blind = all[i]
	}
	return nil
}

// blindRemove removes an entry that, as the caller knows, is in the set of a key. A set on the disk only is not read. Errors: ErrConflict if the set
// is in memory and has no such entry, or earlier blind writes exclude it; ErrLastMember if the set was not read and has no other member; ErrNoSet
// if there is no set; ErrKind, ErrTieWidth, ErrNotNamed, ErrReadOnly, ErrReserved, ErrTxDone.
func blindRemove(tx *Tx, key string, member []byte, score int64, tie []byte) error {
	c := keyspace.Change{Score: score, Member: string(member), Tie: string(tie)}
	h, err := tx.allowed(key, c)
	switch {
	case err != nil:
		return err
	case h.blind == nil:
		_, err = h.ints.Remove(member)
		return err
	case h.blind.Members == 1:
		return fmt.Errorf("%w: %q", ErrLastMember, key)
	}
	h.change(c)
	return nil
}

// blindPut puts an entry into the set of a key, which exists and, as the caller knows, does not have the member. Errors: those of BlindRemove
// except ErrLastMember, and those of zset.Set.AddTied.
func blindPut(tx *Tx, key string, member []byte, score int64, tie []byte) error {
	c := keyspace.Change{Put: true, Score: score, Member: string(member), Tie: string(tie)}
	h, err := tx.allowed(key, c)
	switch {
	case err != nil:
		return err
	case h.blind == nil:
		_, err = h.ints.AddTied(member, tie, score)
		return err
	case len(member) > zset.MaxMember:
		return zset.ErrMemberTooLong
	}
	h.change(c)
	return nil
}

// allowed returns the handle of a key whose set may have a change, as far as is known.
func (tx *Tx) allowed(key string, c keyspace.Change) (*handle, error) {
	h, err := tx.writable(key)
	if err != nil {
		return nil, err
	}
	if !h.there() {
		return nil, fmt.Errorf("%w: %q", ErrNoSet, key)
	}
	l, fits := facts.Layout{}, false
	if h.blind != nil {
		l, fits = h.blind.Layout, h.blind.Allows(c)
	} else {
		score, tie, has := h.view.Get([]byte(c.Member))
		l, fits = facts.LayoutOf(h.view), has != c.Put && (c.Put || score == c.Score && string(tie) == c.Tie)
	}
	switch {
	case !l.Ints:
		return nil, facts.KindError(key, false)
	case l.TieWidth != len(c.Tie):
		return nil, fmt.Errorf("%w: %q has ties of %d bytes, not %d", facts.ErrTieWidth, key, l.TieWidth, len(c.Tie))
	case !fits:
		return nil, fmt.Errorf("%w: a blind write of %q in %q does not fit", ErrConflict, c.Member, key)
	}
	return h, nil
}

// change makes a blind write.
func (c *pending) change(x keyspace.Change) {
	c.blind.Add(x, c.blindBefore())
	c.S.Version++
}

// blindBefore returns the number of blind writes that earlier transactions have made.
func (c *pending) blindBefore() int {
	if b := c.S.Blind(); b != nil {
		return len(b.Changes)
	}
	return 0
}

// blindWrites returns the blind writes of the transaction.
func (c *pending) blindWrites() []keyspace.Change {
	if c.blind == nil {
		return nil
	}
	return c.blind.Changes[c.blindBefore():]
}

// facts returns the facts of the set for the log.
func (c *pending) facts() facts.Facts {
	if c.blind != nil {
		return c.S.FactsWith(c.blind.Layout, c.blind.Digest)
	}
	return c.S.Facts()
}

// encodeBlind appends the blind writes of the transaction to a batch.
func (c *pending) encodeBlind(b *persist.Batch, id string) {
	var value [8 + zset.MaxTieWidth]byte
	for _, x := range c.blindWrites() {
		if x.Put {
			b.Put(id, []byte(x.Member), facts.AppendValue(value[:0], true, x.Score, []byte(x.Tie)))
		} else {
			b.Remove(id, []byte(x.Member))
		}
	}
}
