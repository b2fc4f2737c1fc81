package groups

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/membership"
	"github.com/zrankdb/zrank/engine"
)

// Create makes a group: see board.Groups.Create.
func (k *Kind) Create(ctx context.Context, group string, meta []byte) error {
	if group == "" || len(group) > board.MaxMember {
		return fmt.Errorf("%w: the name of a group has %d bytes, want 1 to %d", board.ErrGroups, len(group), board.MaxMember)
	}
	if err := checkMeta(meta); err != nil {
		return err
	}
	if err := k.c.CheckNotInTx(); err != nil {
		return err
	}
	k.g.Deciding.Lock()
	defer k.g.Deciding.Unlock()
	if _, err := k.g.Kind.Group(group); err == nil {
		return fmt.Errorf("%w: %q of %q", board.ErrGroupExists, group, k.g.Name)
	}
	if err := k.c.CheckOpen(); err != nil {
		return err
	}
	number := k.g.Last() + 1
	g := catalog.StoredGroup{Group: membership.Group{Name: group, Number: number, Created: k.c.Engine.Now().UnixMicro()}, Meta: meta}
	key, text := boardkey.Group(k.g.Name, group), g.Encode()
	k.g.SetLast(number) // also if the commit fails: it may have happened
	err := k.c.Owner.Update(ctx, nil, func(tx *engine.Tx) error {
		if err := tx.Put(boardkey.GroupCount(k.g.Name), binary.BigEndian.AppendUint64(nil, uint64(number))); err != nil {
			return err
		}
		return tx.Put(key, text)
	})
	if err != nil && !(unknown(err) && k.c.HasStored(key, text)) {
		return err
	}
	k.g.Add(&g.Group)
	return err
}

// SetMeta replaces the metadata of a group: see board.Groups.SetMeta.
func (k *Kind) SetMeta(ctx context.Context, group string, meta []byte) error {
	if err := checkMeta(meta); err != nil {
		return err
	}
	if err := k.c.CheckNotInTx(); err != nil {
		return err
	}
	k.g.Deciding.Lock()
	defer k.g.Deciding.Unlock()
	g, err := k.g.Kind.Group(group)
	if err != nil {
		return err
	}
	if err := k.c.CheckOpen(); err != nil {
		return err
	}
	stored := catalog.StoredGroup{Group: *g, Meta: meta}
	return k.c.Owner.Update(ctx, nil, func(tx *engine.Tx) error { return tx.Put(boardkey.Group(k.g.Name, group), stored.Encode()) })
}

func checkMeta(meta []byte) error {
	if len(meta) > board.MaxMeta {
		return fmt.Errorf("%w: %d bytes, want at most %d", board.ErrMeta, len(meta), board.MaxMeta)
	}
	return nil
}

// Info returns what there is of a group. Errors: ErrNoGroup, those of the engine.
func (k *Kind) Info(group string) (board.GroupInfo, error) {
	g, err := k.g.Kind.Group(group)
	if err != nil {
		return board.GroupInfo{}, err
	}
	i := k.info(g)
	text, err := k.c.Stored(boardkey.Group(k.g.Name, group))
	if err != nil || text == nil { // it has been dissolved since
		return i, err
	}
	stored, err := catalog.DecodeGroup(group, text)
	if len(stored.Meta) > 0 {
		i.Meta = stored.Meta
	}
	return i, err
}

func (k *Kind) info(g *membership.Group) board.GroupInfo {
	return board.GroupInfo{Name: g.Name, Members: k.g.Size(g), Created: time.UnixMicro(g.Created)}
}

// All returns the groups in the order of their names, without metadata. O(groups log members).
func (k *Kind) All() []board.GroupInfo {
	list := k.g.Groups()
	all := make([]board.GroupInfo, len(list))
	for i, g := range list {
		all[i] = k.info(g)
	}
	return all
}

// Members returns up to n members of a group that sort after a name, in the order of their names. Error: ErrNoGroup.
func (k *Kind) Members(group, after string, n int) ([]string, error) {
	g, err := k.g.Kind.Group(group)
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, fmt.Errorf("%w: %d members", board.ErrCount, n)
	}
	return k.g.AppendMembers(nil, g, after, n), nil
}
