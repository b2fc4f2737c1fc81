package transfer

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/engine"
)

// Groups implements relocation.Archive.
func (s store) Groups(ctx context.Context, kind string) ([]relocation.Group, error) {
	if err := s.c.CheckNotInTx(); err != nil {
		return nil, err
	}
	if _, err := s.c.Groups(kind); err != nil {
		return nil, err
	}
	var all []relocation.Group
	index := map[int64]int{} // of groups, by their numbers
	err := s.c.Engine.View(ctx, func(tx *engine.Tx) error {
		prefix := boardkey.GroupPrefix(kind)
		for kv, err := range s.c.Owner.Scan(tx, prefix) {
			if err != nil {
				return err
			}
			g, err := catalog.DecodeGroup(string(kv.Key[len(prefix):]), kv.Value)
			if err != nil {
				return err
			}
			index[g.Number] = len(all)
			all = append(all, relocation.Group{Name: g.Name, Created: g.Created, Meta: g.Meta})
		}
		prefix = boardkey.JoinedPrefix(kind)
		for kv, err := range s.c.Owner.Scan(tx, prefix) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			number, err := catalog.DecodeJoined(kv.Value)
			if err != nil {
				return err
			}
			if i, ok := index[number]; ok { // else the group is gone
				all[i].Members = append(all[i].Members, string(kv.Key[len(prefix):]))
			}
		}
		return nil
	})
	return all, err
}

// groupStep is the number of keys that PutGroups stores by one commit.
const groupStep = 256

// PutGroups implements relocation.Archive. The key that says that there is the kind comes last.
func (s store) PutGroups(ctx context.Context, kind string, groups []relocation.Group) (made bool, err error) {
	if err := s.c.CheckNotInTx(); err != nil {
		return false, err
	}
	if err := checkGroups(kind, groups); err != nil {
		return false, err
	}
	_, err = s.c.DefineGroups(ctx, kind, func(g *catalog.Groups) error {
		made = true
		return s.storeGroups(ctx, g, groups)
	})
	return made && err == nil, err
}

// checkGroups returns an error for groups that cannot be.
func checkGroups(kind string, groups []relocation.Group) error {
	if err := board.ValidateGroups(kind); err != nil {
		return err
	}
	names, joined := map[string]bool{}, map[string]bool{}
	for _, g := range groups {
		switch {
		case g.Name == "" || len(g.Name) > board.MaxMember:
			return fmt.Errorf("%w: the name of a group has %d bytes, want 1 to %d", board.ErrGroups, len(g.Name), board.MaxMember)
		case names[g.Name]:
			return fmt.Errorf("%w: %q of %q", board.ErrGroupExists, g.Name, kind)
		case len(g.Meta) > board.MaxMeta:
			return fmt.Errorf("%w: %d bytes, want at most %d", board.ErrMeta, len(g.Meta), board.MaxMeta)
		}
		names[g.Name] = true
		for _, member := range g.Members {
			switch {
			case member == "" || len(member) > board.MaxMember:
				return board.ErrMember
			case joined[member]:
				return fmt.Errorf("%w: %q is in two of %q", board.ErrInGroup, member, kind)
			}
			joined[member] = true
		}
	}
	return nil
}

// storeGroups stores the groups of a kind that has none yet, and notes them in it.
func (s store) storeGroups(ctx context.Context, to *catalog.Groups, groups []relocation.Group) error {
	var keys []string
	var values [][]byte
	put := func(key string, value []byte, last bool) error {
		if keys, values = append(keys, key), append(values, value); len(keys) < groupStep && !last {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		update := s.c.Owner.UpdateLater
		if last {
			update = s.c.Owner.Update
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
	for i, group := range groups { // all groups come before the first member: see catalog.clearGroups
		g := catalog.StoredGroup{Group: catalog.Group{Name: group.Name, Number: int64(i + 1), Created: group.Created}, Meta: group.Meta}
		if err := put(boardkey.Group(to.Name, group.Name), g.Encode(), false); err != nil {
			return err
		}
		to.Add(&g.Group)
	}
	for i, group := range groups {
		number := catalog.EncodeJoined(int64(i + 1))
		for _, member := range group.Members {
			if err := put(boardkey.Joined(to.Name, member), number, false); err != nil {
				return err
			}
			to.Note(member, int64(i+1))
		}
	}
	to.SetLast(int64(len(groups)))
	if err := put(boardkey.GroupCount(to.Name), binary.BigEndian.AppendUint64(nil, uint64(len(groups))), false); err != nil {
		return err
	}
	return put(boardkey.Groups(to.Name), nil, true)
}
