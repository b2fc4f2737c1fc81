package groups

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/engine"
)

// Create makes a group: see board.Groups.Create.
func (k *Kind) Create(group string, meta []byte) Change {
	return k.ofGroup(group, meta, func(tx *engine.Tx) error {
		if _, err := k.g.Group(tx, group); err == nil {
			return fmt.Errorf("%w: %q of %q", board.ErrGroupExists, group, k.g.Name)
		}
		number, err := k.nextNumber(tx)
		if err != nil {
			return err
		}
		g := catalog.StoredGroup{Group: catalog.Group{Name: group, Number: number, Created: tx.Now().UnixMicro()}, Meta: meta}
		if err := tx.Put(boardkey.Group(k.g.Name, group), g.Encode()); err != nil {
			return err
		}
		k.g.Begin(k.c.Owner, tx).Found(&g.Group)
		return nil
	})
}

// nextNumber returns the number of a new group. Others who make groups wait for the private key until the transaction ends.
func (k *Kind) nextNumber(tx *engine.Tx) (int64, error) {
	key := boardkey.GroupCount(k.g.Name)
	stored, _, err := tx.Get(key)
	if err != nil {
		return 0, err
	}
	number := k.g.Last() + 1
	if len(stored) == 8 {
		number = max(number, int64(binary.BigEndian.Uint64(stored))+1)
	}
	return number, tx.Put(key, binary.BigEndian.AppendUint64(nil, uint64(number)))
}

// SetMeta replaces the metadata of a group: see board.Groups.SetMeta.
func (k *Kind) SetMeta(group string, meta []byte) Change {
	return k.ofGroup(group, meta, func(tx *engine.Tx) error {
		g, err := k.g.Group(tx, group)
		if err != nil {
			return err
		}
		stored := catalog.StoredGroup{Group: *g, Meta: meta}
		return tx.Put(boardkey.Group(k.g.Name, group), stored.Encode())
	})
}

// ofGroup returns a change of a group with metadata that changes no member.
func (k *Kind) ofGroup(group string, meta []byte, do func(tx *engine.Tx) error) Change {
	return Change{func() error {
		if group == "" || len(group) > board.MaxMember {
			return fmt.Errorf("%w: the name of a group has %d bytes, want 1 to %d", board.ErrGroups, len(group), board.MaxMember)
		}
		if len(meta) > board.MaxMeta {
			return fmt.Errorf("%w: %d bytes, want at most %d", board.ErrMeta, len(meta), board.MaxMeta)
		}
		return k.c.CheckOpen()
	}, func(tx *engine.Tx) error {
		if err := k.lockGroup(tx, group); err != nil {
			return err
		}
		return do(tx)
	}}
}

// lockGroup locks a group in a transaction.
func (k *Kind) lockGroup(tx *engine.Tx, group string) error {
	return k.c.Lock(tx, func() ([]string, error) { return []string{boardkey.GroupLock(k.g.Name, group)}, nil })
}

// Info returns what there is of a group. Errors: ErrNoGroup, those of the engine.
func (k *Kind) Info(group string) (board.GroupInfo, error) {
	g, err := k.g.Group(nil, group)
	if err != nil {
		return board.GroupInfo{}, err
	}
	text, err := k.c.Stored(boardkey.Group(k.g.Name, group))
	i := k.info(nil, g)
	if err != nil || text == nil { // it has been dissolved since
		return i, err
	}
	i.Meta, err = metaOf(group, text)
	return i, err
}

// metaOf returns the metadata of a stored group, nil for none.
func metaOf(group string, text []byte) ([]byte, error) {
	stored, err := catalog.DecodeGroup(group, text)
	if len(stored.Meta) == 0 {
		return nil, err
	}
	return stored.Meta, err
}

func (k *Kind) info(tx *engine.Tx, g *catalog.Group) board.GroupInfo {
	return board.GroupInfo{Name: g.Name, Members: k.g.Size(tx, g), Created: time.UnixMicro(g.Created)}
}

// All returns the groups in the order of their names, without metadata. O(groups log members).
func (k *Kind) All() []board.GroupInfo {
	list := k.g.Groups()
	all := make([]board.GroupInfo, len(list))
	for i, g := range list {
		all[i] = k.info(nil, g)
	}
	return all
}

// Members returns up to n members of a group that sort after a name, in the order of their names. Errors: ErrNoGroup, ErrCount.
func (k *Kind) Members(group, after string, n int) ([]string, error) {
	return k.membersIn(nil, group, after, n)
}

// membersIn is Members as a transaction sees them.
func (k *Kind) membersIn(tx *engine.Tx, group, after string, n int) ([]string, error) {
	g, err := k.g.Group(tx, group)
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, fmt.Errorf("%w: %d members", board.ErrCount, n)
	}
	return k.g.AppendMembers(tx, nil, g, after, n), nil
}
