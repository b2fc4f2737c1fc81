package engine

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
)

// captureRounds is the number of rounds in which a capture tries to bring its copies within one page of work of the sets.
const captureRounds = 8

// capture returns private copies of the sets with these keys as they were at one instant between call and return. lead is an index of keys,
// or -1 for none. With a lead, the copy of another set holds at least those of its members that are also in the lead. Sets that do not
// exist are empty. O(members log members); with a lead, that of the lead's members times the number of keys.
func (o *operations) capture(ctx context.Context, keys []string, lead int) ([]input, error) {
	c := &capture{o: o, keys: inOrder(keys), lead: -1}
	if lead >= 0 {
		c.lead, _ = slices.BinarySearch(c.keys, keys[lead])
	}
	c.copies, c.inputs = make([]*copying, len(c.keys)), make([]input, len(c.keys))
	err := c.run(ctx)
	c.end(c.copies...)
	if err != nil {
		return nil, err
	}
	for i, x := range c.copies {
		c.inputs[i].IntView = empty.View()
		if x != nil {
			if err := x.apply(); err != nil {
				return nil, err
			}
			c.inputs[i].z = x.b.Set()
			c.inputs[i].IntView = c.inputs[i].z.View()
		}
	}
	all := make([]input, len(keys))
	for i, key := range keys {
		at, _ := slices.BinarySearch(c.keys, key)
		all[i] = c.inputs[at]
	}
	return all, nil
}

// run copies all sets, round by round.
func (c *capture) run(ctx context.Context) error {
	for round := 1; ; round++ {
		if err := c.begin(); err != nil {
			return err
		}
		if err := c.read(ctx); err != nil {
			return err
		}
		done, err := c.finish(ctx, round == captureRounds)
		c.end(c.void...)
		c.void = nil
		if done || err != nil {
			return err
		}
	}
}

// begin begins to copy the sets that exist and are not being copied.
func (c *capture) begin() error {
	for i, key := range c.keys {
		if c.copies[i] != nil {
			continue
		}
		if err := c.beginOne(i, key); err != nil {
			return err
		}
	}
	return nil
}

func (c *capture) beginOne(i int, key string) error {
	return c.o.m.lockOne(key, func(h *handle) error {
		if !h.S.Exists {
			return nil
		}
		if err := c.add(i, h.S); err != nil {
			return err
		}
		c.copies[i].begin()
		return nil
	})
}

// add adds an empty copy. If the lead has been scanned before, its scan starts again, so that this copy gets the lead's members too. The
// caller holds the set's lock.
func (c *capture) add(i int, s *keyspace.Set) (err error) {
	if c.copies[i], err = newCopying(c, s); err != nil {
		return err
	}
	if c.lead >= 0 && i != c.lead && c.copies[c.lead] != nil { // it has been asked for none of the lead's members
		c.copies[c.lead].scanned = false
	}
	return nil
}

// read brings the copies up to date with the sets: exactly if all are locked, otherwise except for changes that are made meanwhile.
func (c *capture) read(ctx context.Context) error {
	for i, x := range c.copies {
		if x == nil || c.lead >= 0 && c.lead != i {
			continue
		}
		if err := c.scan(ctx, x); err != nil {
			return err
		}
	}
	if c.lead >= 0 { // the lead first, because its members are read in the other sets
		if err := c.catchUp(ctx, c.copies[c.lead]); err != nil {
			return err
		}
	}
	for _, x := range c.copies {
		if err := c.catchUp(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// scan copies a set page by page. If the set is the lead, it also reads the members of each page in the other sets.
func (c *capture) scan(ctx context.Context, x *copying) error {
	for !x.scanned {
		if err := c.pause(ctx); err != nil {
			return err
		}
		behind, err := x.scan()
		if err != nil {
			return err
		}
		if c.lead >= 0 {
			x.members = x.members[:0]
			for _, e := range x.entries {
				x.members = append(x.members, string(e.Member))
			}
			if err := c.readIn(x.members, x); err != nil {
				return err
			}
		}
		if behind > c.o.pageWork { // keeps the tracker small
			if err := c.catchUp(ctx, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// catchUp reads the members again that have changed in a set, one page of work at a time. It reads members that have changed in the lead
// in all sets.
func (c *capture) catchUp(ctx context.Context, x *copying) error {
	if x == nil {
		return nil
	}
	x.members = x.members[:0]
	work := 0
	for member := range x.changes() {
		x.members = append(x.members, member)
		if work += keyspace.MemberWork + len(member); work >= c.o.pageWork {
			if err := c.pause(ctx); err != nil {
				return err
			}
			if err := c.readAgain(x); err != nil {
				return err
			}
			x.members, work = x.members[:0], 0
		}
	}
	return c.readAgain(x)
}

// readAgain reads the members listed in x.members again.
func (c *capture) readAgain(x *copying) error {
	if err := x.read(x.members); err != nil || c.lead < 0 || x != c.copies[c.lead] {
		return err
	}
	return c.readIn(x.members, x)
}

// readIn reads members in all sets except one.
func (c *capture) readIn(members []string, except *copying) error {
	for _, x := range c.copies {
		if x != nil && x != except {
			if err := x.read(members); err != nil {
				return err
			}
		}
	}
	return nil
}

// pause is called before each page. It returns an error if the engine is closed or ctx has ended, and nil while all sets are locked.
func (c *capture) pause(ctx context.Context) error {
	if c.locked {
		return nil
	}
	if c.o.copied != nil {
		c.o.copied()
	}
	if c.o.m.life.Closed.Load() {
		return locks.ErrClosed
	}
	return ctx.Err()
}

// finish locks all sets. It voids copies of sets that have been replaced. It reads what is left if that is at most one page of work, or if
// last is true; then the capture is done.
func (c *capture) finish(ctx context.Context, last bool) (done bool, err error) {
	err = c.o.m.view(ctx, 0, c.keys, func(tx *Tx) error {
		for i, s := range lockedBy(tx) {
			if x := c.copies[i]; x != nil && !(x.of(s.S) && s.S.Exists) {
				c.void, c.copies[i] = append(c.void, x), nil
			}
		}
		if c.left(tx) > c.o.pageWork && !last {
			return nil
		}
		done = true
		c.locked = true
		defer func() { c.locked = false }()
		return c.complete(ctx, tx)
	})
	return done, err
}

// left returns how much is left to be read, in bytes of work. All sets are locked.
func (c *capture) left(tx *Tx) (work int) {
	for i, s := range lockedBy(tx) {
		x := c.copies[i]
		switch {
		case x != nil && i == c.lead:
			work += x.Work * len(c.keys)
		case x != nil:
			work += x.Work
		case s.S.Exists && (c.lead < 0 || c.lead == i):
			work += s.view.Size()
		case s.S.Exists: // its copy will read the lead's members
			work += lockedBy(tx)[c.lead].view.Size()
		}
	}
	return work
}

// complete reads what is left. All sets are locked.
func (c *capture) complete(ctx context.Context, tx *Tx) error {
	for i, s := range lockedBy(tx) {
		if !s.S.Exists {
			c.inputs[i] = input{}
			continue
		}
		c.inputs[i] = input{whole: s.view.Len(), seq: s.lastSeq(), was: instant{s.S, s.S.Version, s.S.Expires()}}
		if c.copies[i] == nil {
			if err := c.add(i, s.S); err != nil {
				return err
			}
		}
	}
	return c.read(ctx)
}

// end ends copies. Nothing is locked.
func (c *capture) end(copies ...*copying) {
	for _, x := range copies {
		if x != nil {
			x.end()
		}
	}
}
