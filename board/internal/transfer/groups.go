package transfer

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/engine"
)

// Groups implements relocation.Archive.
func (s store) Groups(ctx context.Context, kind string, fn func(*relocation.Line) error) error {
	if err := s.c.CheckNotInTx(); err != nil {
		return err
	}
	if _, err := s.c.Groups(kind); err != nil {
		return err
	}
	all, err := s.readGroups(ctx, kind)
	if err != nil {
		return err
	}
	for _, g := range all {
		l := relocation.Line{Group: relocation.NameOf(g.Name), Created: relocation.MomentOf(g.Created), Meta: g.Meta}
		if err := fn(&l); err != nil {
			return err
		}
		for _, member := range g.members {
			if err := fn(&relocation.Line{Joined: relocation.NameOf(member)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// group is a group with its members.
type group struct {
	catalog.StoredGroup
	members []string // in the order of their names
}

// readGroups returns the groups of a kind, in the order of their names.
func (s store) readGroups(ctx context.Context, kind string) (all []*group, err error) {
	numbered := map[int64]*group{}
	err = s.c.Engine.View(ctx, func(tx *engine.Tx) error {
		err := catalog.EachKey(tx, boardkey.GroupPrefix(kind), func(name string, value []byte) error {
			g, err := catalog.DecodeGroup(name, value)
			all = append(all, &group{StoredGroup: g})
			numbered[g.Number] = all[len(all)-1]
			return err
		})
		if err != nil {
			return err
		}
		return catalog.EachKey(tx, boardkey.JoinedPrefix(kind), func(member string, value []byte) error {
			number, err := catalog.DecodeJoined(value)
			if g := numbered[number]; g != nil && err == nil { // else the group is gone
				g.members = append(g.members, member)
			}
			return errors.Join(err, ctx.Err())
		})
	})
	return all, err
}

// groupStep is the number of keys that madeGroups stores by one commit.
const groupStep = 256

// madeGroups is a kind of groups that is made of a file.
type madeGroups struct {
	c      *catalog.Catalog
	kind   string
	all    []*group
	names  map[string]bool // of the groups
	joined map[string]bool // members of the groups
}

// MadeGroups implements relocation.Archive.
func (s store) MadeGroups(kind string) relocation.Made {
	return &madeGroups{c: s.c, kind: kind, names: map[string]bool{}, joined: map[string]bool{}}
}

// Add implements relocation.Made. Errors: board.ErrGroups, board.ErrGroupExists, board.ErrMeta,
// board.ErrMember and board.ErrInGroup for groups that cannot be.
func (m *madeGroups) Add(l *relocation.Line) error {
	switch {
	case l.Group != nil:
		return m.addGroup(l)
	case l.Joined == nil:
		return fmt.Errorf("a line of a board is among those of the groups %q", m.kind)
	case len(m.all) == 0:
		return errors.New("a member is before the first group")
	case !isMember(*l.Joined):
		return board.ErrMember
	}
	member := string(*l.Joined)
	if m.joined[member] {
		return fmt.Errorf("%w: %q is in two of %q", board.ErrInGroup, member, m.kind)
	}
	m.joined[member] = true
	g := m.all[len(m.all)-1]
	g.members = append(g.members, member)
	return nil
}

func (m *madeGroups) addGroup(l *relocation.Line) error {
	name := string(*l.Group)
	switch {
	case l.Created == nil:
		return errors.New("a group has no time")
	case !isMember(*l.Group):
		const problem = "%w: the name of a group has %d bytes, want 1 to %d"
		return fmt.Errorf(problem, board.ErrGroups, len(name), board.MaxMember)
	case m.names[name]:
		return fmt.Errorf("%w: %q of %q", board.ErrGroupExists, name, m.kind)
	case len(l.Meta) > board.MaxMeta:
		return fmt.Errorf("%w: %d bytes, want at most %d", board.ErrMeta, len(l.Meta), board.MaxMeta)
	}
	m.names[name] = true
	g := catalog.StoredGroup{Meta: l.Meta}
	g.Name, g.Number, g.Created = name, int64(len(m.all)+1), int64(*l.Created)
	m.all = append(m.all, &group{StoredGroup: g})
	return nil
}

// Open implements relocation.Made. The key that says that there is the kind comes last.
func (m *madeGroups) Open(ctx context.Context) (made bool, err error) {
	if err := m.c.CheckNotInTx(); err != nil {
		return false, err
	}
	if err := board.ValidateGroups(m.kind); err != nil {
		return false, err
	}
	_, err = m.c.DefineGroups(ctx, m.kind, func(g *catalog.Groups) error {
		made = true
		return m.store(ctx, g)
	})
	return made && err == nil, err
}

// Close implements relocation.Made. What is stored of groups that are not open is deleted when
// groups of the kind are made.
func (*madeGroups) Close(context.Context) error { return nil }

// store stores the groups of a kind that has none yet, and notes them in it.
func (m *madeGroups) store(ctx context.Context, to *catalog.Groups) error {
	var keys []string
	var values [][]byte
	put := func(key string, value []byte, last bool) error {
		if keys, values = append(keys, key), append(values, value); len(keys) < groupStep && !last {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		update := m.c.Owner.UpdateLater
		if last {
			update = m.c.Owner.Update
		}
		err := update(ctx, nil, func(tx *engine.Tx) error {
			for i, key := range keys {
				if err := tx.Put(key, values[i]); err != nil {
					return err
				}
			}
			return nil
		})
		keys, values = keys[:0], values[:0]
		return err
	}
	for _, g := range m.all { // all groups come before the first member: see catalog.clearGroups
		if err := put(boardkey.Group(to.Name, g.Name), g.Encode(), false); err != nil {
			return err
		}
		to.Add(&g.Group)
	}
	for _, g := range m.all {
		number := catalog.EncodeJoined(g.Number)
		for _, member := range g.members {
			if err := put(boardkey.Joined(to.Name, member), number, false); err != nil {
				return err
			}
			to.Note(member, g.Number)
		}
	}
	n := len(m.all)
	to.SetLast(int64(n))
	if err := put(boardkey.GroupCount(to.Name), binary.BigEndian.AppendUint64(nil, uint64(n)), false); err != nil {
		return err
	}
	return put(boardkey.Groups(to.Name), nil, true)
}
