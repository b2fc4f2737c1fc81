package groups

import (
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// step says where a member goes.
type step struct {
	member  string
	leaves  bool           // it goes to no group
	group   string         // to which it goes, unless leaves is set
	was, to *catalog.Group // from and to which it goes; nil: none. They are known when the member is locked
	gone    int64          // the number of a dissolved group that it was in; 0: none
}

// moving is a change that makes steps of different members, in one commit.
type moving struct {
	k     *Kind
	steps []step
	begin func(tx *engine.Tx) error // finds out the steps; nil: they are known
	check func(s *step) error       // whether the member may go from the group that it is in to the other
	// follow makes the derived boards follow in the open periods of sources, which come one step after the other, the same periods of each.
	follow func(tx *engine.Tx, steps []step, sources []Source) error
}

// move returns the change that makes steps.
func (k *Kind) move(steps []step, check func(s *step) error) Change {
	m := &moving{k: k, steps: steps, check: check, follow: followMoves}
	return Change{k.prepare, m.do}
}

// keys returns the keys of the steps by what the transaction sees now: the locks of the members and
// of their groups, and the sets of derived boards.
func (m *moving) keys(tx *engine.Tx) (keys []string, err error) {
	if m.begin != nil {
		if err := m.begin(tx); err != nil {
			return nil, err
		}
	}
	for i := range m.steps {
		s := &m.steps[i]
		if s.member == "" || len(s.member) > board.MaxMember {
			return nil, board.ErrMember
		}
		keys = append(keys, boardkey.MemberLock(m.k.g.Name, s.member))
		if s.was = m.k.g.Noted(tx, []byte(s.member)); s.was != nil {
			keys = append(keys, boardkey.GroupLock(m.k.g.Name, s.was.Name))
		}
		if !s.leaves {
			keys = append(keys, boardkey.GroupLock(m.k.g.Name, s.group))
			s.to, _ = m.k.g.Group(tx, s.group) // checkAll finds that there is none
		}
	}
	return m.appendSourceKeys(keys, m.sources()), nil
}

// sources returns the open periods in which derived boards follow the members.
func (m *moving) sources() (all []Source) {
	periods := m.k.sources()
	for _, s := range m.steps {
		for i := range periods {
			all = append(all, periods[i].Of([]byte(s.member)))
		}
	}
	return all
}

func (m *moving) appendSourceKeys(dst []string, sources []Source) []string {
	for i := range sources {
		s := &m.steps[i/(len(sources)/len(m.steps))]
		dst = sources[i].AppendKeys(dst, s.was, s.to)
	}
	return dst
}

// do makes the steps. The members move in the kind before sources looks which periods are open: see catalog.Membership.
func (m *moving) do(tx *engine.Tx) error {
	if err := m.k.c.Lock(tx, func() ([]string, error) { return m.keys(tx) }); err != nil {
		return err
	}
	if err := m.checkAll(tx); err != nil {
		return err
	}
	if err := m.store(tx); err != nil {
		return err
	}
	c := m.k.g.Begin(m.k.c.Owner, tx)
	if err := c.Enter(); err != nil {
		return err
	}
	for _, s := range m.steps {
		c.Move(s.member, s.to)
	}
	sources := m.sources()
	if err := m.k.c.Lock(tx, func() ([]string, error) { return m.appendSourceKeys(nil, sources), nil }); err != nil {
		return err
	}
	now := m.k.g.Moment(tx.Now())
	for i := range m.steps {
		s := &m.steps[i]
		if err := m.k.remember(tx, s.member, s.was, s.gone, now); err != nil {
			return err
		}
	}
	setMoment(sources, now)
	return m.follow(tx, m.steps, sources)
}

// checkAll finds out where the members are and where they go, and checks the steps. Error: ErrMoved if a member is in another group by now than keys has found.
func (m *moving) checkAll(tx *engine.Tx) (err error) {
	for i := range m.steps {
		s := &m.steps[i]
		if was, changes := m.k.g.Of(tx, []byte(s.member)); changes || was != s.was {
			return state.ErrMoved
		}
		if s.to = nil; !s.leaves {
			if s.to, err = m.k.g.Group(tx, s.group); err != nil {
				return err
			}
		}
		if err := m.check(s); err != nil {
			return err
		}
	}
	return nil
}

// store stores where members are in a transaction, and writes the events.
func (m *moving) store(tx *engine.Tx) (err error) {
	for i := range m.steps {
		s := &m.steps[i]
		key := boardkey.Joined(m.k.g.Name, s.member)
		if s.gone = 0; s.was == nil {
			if s.gone, err = joined(tx, m.k.g.Name, s.member); err != nil {
				return err
			}
		}
		if s.to == nil {
			err = tx.Delete(key)
		} else {
			err = tx.Put(key, catalog.EncodeJoined(s.to.Number))
		}
		if err == nil {
			err = m.k.note(tx, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// note writes the events of a member that goes from one group to another, on the boards of these groups.
func (k *Kind) note(tx *engine.Tx, s *step) error {
	for _, b := range k.g.Boards() {
		for _, x := range []struct {
			kind feed.Kind
			of   *catalog.Group
		}{{feed.Left, s.was}, {feed.Joined, s.to}} {
			if x.of == nil {
				continue
			}
			e := &feed.Event{Kind: x.kind, Member: s.member, Groups: k.g.Name, Group: x.of.Name}
			if err := events.Note(b.Owner(), tx, b.State(), e); err != nil {
				return err
			}
		}
	}
	return nil
}

// followMoves makes the derived boards follow members that go from one group to another.
func followMoves(tx *engine.Tx, steps []step, sources []Source) error {
	scored := Scored{}
	for i := range sources {
		s := &steps[i/(len(sources)/len(steps))]
		if err := sources[i].Move(tx, s.was, s.to, scored); err != nil {
			return err
		}
	}
	return nil
}

// inGroup is the error of a member that is in a group.
func (k *Kind) inGroup(s *step) error {
	return fmt.Errorf("%w: %q is in %s %q", board.ErrInGroup, s.member, k.g.Name, s.was.Name)
}

// notInGroup is the error of a member that is in none.
func (k *Kind) notInGroup(member string) error {
	return fmt.Errorf("%w: %q is in no %s", board.ErrNotInGroup, member, k.g.Name)
}
