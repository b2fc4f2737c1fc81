package groups

import (
	"context"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/engine"
)

// Erase takes a member out of the groups of all kinds, and returns those kinds. A dry run changes nothing. Errors: those of Leave.
func Erase(ctx context.Context, c *catalog.Catalog, member string, dry bool) (kinds []string, err error) {
	for _, g := range c.Kinds() {
		k := &Kind{c, g}
		if _, ok := k.Group(member); !ok {
			continue
		}
		if kinds = append(kinds, g.Name); dry {
			continue
		}
		if err := k.Update(ctx, k.Leave(member)); err != nil {
			return kinds, err
		}
	}
	return kinds, nil
}

// EraseTraces erases what else is stored of a member that is in no group any more: in which groups it was, which closed periods of boards need until it is erased there. What it has
// left to groups stays, under a hash of its name. Errors: those of the engine.
func EraseTraces(ctx context.Context, c *catalog.Catalog, member string) error {
	if err := eraseGone(ctx, c, member); err != nil {
		return err
	}
	for _, b := range c.All() {
		f := b.Following()
		if f == nil {
			continue
		}
		if err := eraseRenamed(ctx, c, b.State().Name, member); err != nil {
			return err
		}
		if f.Totals.Derived.Points == board.Follow {
			continue
		}
		if err := erasePoints(ctx, c, b.State().Name, member); err != nil {
			return err
		}
	}
	return nil
}

// eraseRenamed deletes in which groups the member was under an earlier name. O(renamed members of closed periods).
func eraseRenamed(ctx context.Context, c *catalog.Catalog, name, member string) error {
	return c.Owner.Update(ctx, nil, func(tx *engine.Tx) error {
		return catalog.DeleteWhere(tx, boardkey.RenamedPrefix(name), func(rest string, _ []byte) (bool, error) {
			return isOf(rest, member), nil
		})
	})
}

// isOf reports whether a key of a period names a member, by what follows the name of the board.
func isOf(rest, member string) bool {
	parts := strings.SplitN(rest, "\x00", 3) // window, period, member
	return len(parts) == 3 && parts[2] == member
}

// eraseGone deletes what is still stored of the member in groups that are gone, and in which groups it was.
func eraseGone(ctx context.Context, c *catalog.Catalog, member string) error {
	return c.Owner.Update(ctx, nil, func(tx *engine.Tx) error {
		for _, g := range c.Kinds() {
			list, err := stays(tx, g.Name, member)
			if err == nil {
				err = (&Kind{c, g}).storeStays(tx, member, list, nil)
			}
			if err != nil {
				return err
			}
			key := boardkey.Joined(g.Name, member)
			stored, _, err := tx.Get(key)
			if err != nil {
				return err
			}
			if number, err := catalog.DecodeJoined(stored); err != nil || g.Numbered(number) != nil {
				continue // there is none, or it has joined a group meanwhile
			}
			if err := tx.Delete(key); err != nil {
				return err
			}
		}
		return nil
	})
}

// erasePoints moves what a derived board has of the points of a member to a hash of its name. O(points of all members).
func erasePoints(ctx context.Context, c *catalog.Catalog, name, member string) error {
	prefix := boardkey.PointsPrefix(name)
	return c.Owner.Update(ctx, nil, func(tx *engine.Tx) error {
		found := map[string][]byte{}
		err := catalog.EachKey(tx, prefix, func(rest string, value []byte) error {
			if isOf(rest, member) {
				found[prefix+rest] = value
			}
			return nil
		})
		if err != nil {
			return err
		}
		for key, value := range found {
			points, err := totals.DecodePoints(value)
			if err != nil {
				return err
			}
			if err := tx.Delete(key); err != nil {
				return err
			}
			if points.Base = nil; len(points.Left) == 0 {
				continue
			}
			hashed := strings.TrimSuffix(key, member) + "\x00" + boardkey.MemberID(member)
			stored, _, err := tx.Get(hashed) // of a member of that name that was erased before
			if err != nil {
				return err
			}
			if err := tx.Put(hashed, append(stored, points.Encode()...)); err != nil {
				return err
			}
		}
		return nil
	})
}
