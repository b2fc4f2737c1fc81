package engine

import (
	"errors"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/zset"
)

// A transaction that changes many members keeps its sets locked for long. Brief reads need not wait for its end: between two changes it lets
// those that wait in, as guests. They see the sets as they were before the transaction, in before-images that it makes of its undo logs when
// the first guest comes. So a transaction that nobody waits for pays nothing.

// breath is how many changes a transaction makes before it looks for guests: about 20 us among a million members. Builds that check invariants
// look after each.
var breath = 8

func init() {
	if invariants.Enabled {
		breath = 1
	}
}

// breathe is called after each change of a member. To look for guests takes longer the more sets there are, and comes less often.
func (tx *Tx) breathe() {
	if tx.steps++; tx.steps%max(breath, len(tx.sets)/8) == 0 {
		tx.pause()
	}
}

// pause lets guests in if any wait. They get half of the time at most, so that reads that follow each other do not hold up the transaction.
func (tx *Tx) pause() {
	if !tx.wanted() || !tx.mayAdmit() {
		return
	}
	if from := tx.m.counters.Now(); from >= tx.next {
		tx.admit()
		to := tx.m.counters.Now()
		tx.next = to + (to - from)
	}
}

// wanted reports whether guests wait for a set.
func (tx *Tx) wanted() bool {
	for _, h := range tx.sets {
		if h.lock.Wanted() {
			return true
		}
	}
	return false
}

// mayAdmit reports whether all that the transaction has done is in undo logs. If it has locked
// private keys, a guest might wait for one.
func (tx *Tx) mayAdmit() bool {
	if !tx.stripes.Empty() || len(tx.made) > 0 || tx.adopted != nil {
		return false
	}
	for _, h := range tx.sets {
		if h.pending != &h.own || h.whole || h.expires != h.S.Expires() {
			return false
		}
	}
	return true
}

// admit lets the guests that wait read, and waits until they are done.
func (tx *Tx) admit() {
	for _, h := range tx.sets {
		if h.lock.Wanted() && h.own.picture() == nil {
			h.lock.Admit()
		}
	}
}

// pictured reports whether the set has a before-image.
func (c *pending) pictured() bool { return c.S.Rare != nil && c.S.Rare.Image != nil }

// picture brings the before-image of a set up to date, and makes it first if there is none. After an error there is none.
func (c *pending) picture() (err error) {
	if len(c.undo.Records) == 0 {
		return nil
	}
	r := c.S.Extra()
	if r.Image == nil {
		r.Image = c.S.Entries.BeforeImage()
		c.undo.Follow()
	}
	for _, t := range c.undo.Records[c.shown:] {
		err = errors.Join(err, r.Image.Changed([]byte(t.Member), []byte(t.Tie), t.Score, t.Had))
	}
	c.shown = len(c.undo.Records)
	for member := range c.undo.Again {
		err = errors.Join(err, r.Image.Again([]byte(member)))
	}
	if err != nil { // only a set of billions of members
		r.Image, c.shown = nil, 0
	}
	return err
}

// viewOf returns what a View sees of a set.
func (tx *Tx) viewOf(s *keyspace.Set) *zset.IntView {
	if tx.guest && s.Rare != nil && s.Rare.Image != nil {
		return s.Rare.Image.View()
	}
	return s.Entries.View()
}

// lockGuest locks a set for a brief View. Error: the cause of a context that has ended.
func (tx *Tx) lockGuest(l *locks.Lock, keys []string) error {
	ok, guest := tx.m.locks.LockGuestSoon(tx.ctx, &l.Mutex)
	if !ok {
		w := &locks.Wait{Op: tx.op(), Key: keys[0], Keys: keys, Has: handles(nil).find, Guest: true}
		if err := tx.m.locks.Wait(tx.ctx, &l.Mutex, false, w); err != nil {
			return err
		}
		guest = w.Guest
	}
	tx.guest = guest
	return nil
}
