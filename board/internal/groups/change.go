package groups

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/feed"
	"github.com/zrankdb/zrank/board/internal/following"
	"github.com/zrankdb/zrank/board/internal/membership"
	"github.com/zrankdb/zrank/engine"
)

// step says where a member goes; an empty group stands for none.
type step struct{ member, group string }

// follow makes the derived boards follow changes of members in a transaction. The sources of each change come one after the other, of each the same periods.
type follow func(tx *engine.Tx, changes []*membership.Change, all []following.Source) error

// move makes steps of different members, in one commit. check says whether a member may go from the group that it is in, nil for none, to the other.
func (k *Kind) move(ctx context.Context, steps []step, check func(s step, was *membership.Group) error, follow follow) error {
	if err := k.c.CheckNotInTx(); err != nil {
		return err
	}
	for _, s := range steps {
		if s.member == "" || len(s.member) > board.MaxMember {
			return board.ErrMember
		}
	}
	defer k.g.Enter()()
	changes := make([]*membership.Change, 0, len(steps))
	committed := false
	defer func() {
		for _, c := range changes {
			c.End(committed)
		}
	}()
	for _, s := range steps {
		c, err := k.g.Begin(s.member, s.group, func(was *membership.Group) error { return check(s, was) })
		if err != nil {
			return err
		}
		changes = append(changes, c)
	}
	err := k.update(ctx, func() []following.Source { return k.sources(steps) }, func(tx *engine.Tx, all []following.Source) error {
		if err := k.store(tx, steps, changes); err != nil {
			return err
		}
		return follow(tx, changes, all)
	})
	committed = err == nil || len(steps) > 0 && unknown(err) && k.isStored(steps[0], changes[0])
	return err
}

// store stores where members are in a transaction, and writes the events.
func (k *Kind) store(tx *engine.Tx, steps []step, changes []*membership.Change) error {
	for i, c := range changes {
		key := boardkey.Joined(k.g.Name, steps[i].member)
		var err error
		if c.To == nil {
			err = tx.Delete(key)
		} else {
			err = tx.Put(key, catalog.EncodeJoined(c.To.Number))
		}
		if err == nil {
			err = k.note(tx, steps[i].member, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// followMoves is the follow of members that go from one group to another.
func followMoves(tx *engine.Tx, changes []*membership.Change, all []following.Source) error {
	each, together := len(all)/len(changes), following.Together(changes)
	for i := range all {
		if err := all[i].Move(tx, changes[i/each], together); err != nil {
			return err
		}
	}
	return nil
}

// note writes the events of a member that goes from one group to another, on the boards of these groups.
func (k *Kind) note(tx *engine.Tx, member string, c *membership.Change) error {
	for _, b := range k.g.Boards() {
		for _, x := range []struct {
			kind board.EventKind
			of   *membership.Group
		}{{board.EventLeft, c.Was}, {board.EventJoined, c.To}} {
			if x.of == nil {
				continue
			}
			e := &board.Event{Kind: x.kind, Member: member, Groups: k.g.Name, Group: x.of.Name}
			if err := feed.Note(b.Owner(), tx, b.State(), e); err != nil {
				return err
			}
		}
	}
	return nil
}

// sources returns the open periods in which derived boards follow the members of steps: of each member the same ones.
func (k *Kind) sources(steps []step) (all []following.Source) {
	var periods []following.Source
	for _, b := range k.g.Boards() {
		periods = append(periods, following.Sources(b)...)
	}
	for _, s := range steps {
		for i := range periods {
			all = append(all, periods[i].Of([]byte(s.member)))
		}
	}
	return all
}

// update runs a transaction of what changes the kind, with the open periods that sources returns, and again as long as it finds that they are others by now.
func (k *Kind) update(ctx context.Context, sources func() []following.Source, do func(*engine.Tx, []following.Source) error) error {
	for {
		if err := k.c.CheckOpen(); err != nil {
			return err
		}
		for _, b := range k.g.Boards() { // wait for migrations
			if _, err := b.Writable(); err != nil {
				return err
			}
			if _, err := b.Following().Source.Writable(); err != nil {
				return err
			}
		}
		all := sources()
		var keys []string
		for i := range all {
			keys = all[i].AppendKeys(keys)
		}
		err := k.c.Owner.Update(ctx, keys, func(tx *engine.Tx) error { return do(tx, all) })
		switch {
		case errors.Is(err, engine.ErrClosed):
			return errs.ErrEngineClosed
		case err == board.ErrMoved:
			for i := range all {
				all[i].WaitForSteps()
			}
		case err != errs.ErrAgain:
			return err
		}
	}
}

// unknown reports whether a transaction may have been committed although it returned an error.
func unknown(err error) bool {
	return errors.Is(err, engine.ErrStalled) || errors.Is(err, engine.ErrPersistence)
}

// isStored reports whether a step has been committed.
func (k *Kind) isStored(s step, c *membership.Change) bool {
	stored, err := k.c.Stored(boardkey.Joined(k.g.Name, s.member))
	if err != nil {
		return false
	}
	if c.To == nil {
		return stored == nil
	}
	return string(stored) == string(catalog.EncodeJoined(c.To.Number))
}

// inGroup is the error of a member that is in a group.
func (k *Kind) inGroup(member string, g *membership.Group) error {
	return fmt.Errorf("%w: %q is in %s %q", board.ErrInGroup, member, k.g.Name, g.Name)
}

// notInGroup is the error of a member that is in none.
func (k *Kind) notInGroup(member string) error {
	return fmt.Errorf("%w: %q is in no %s", board.ErrNotInGroup, member, k.g.Name)
}
