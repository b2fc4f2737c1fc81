package unions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Erase erases a member from all stored unions, and returns the names of those that had it; a dry run changes none. Unless before is zero, it leaves those alone that were
// stored at that time or later. Each is one commit, which changes the set and the record.
// O(stored unions), and each is read from the disk. Errors: engine.ErrInTx, ErrClosed, those of the engine.
func Erase(ctx context.Context, c *catalog.Catalog, member string, before time.Time, dry bool) (names []string, err error) {
	if err := c.CheckNotInTx(); err != nil {
		return nil, err
	}
	release, err := c.HoldUnions()
	if err != nil {
		return nil, err
	}
	defer release()
	all, err := stored(ctx, c)
	for _, name := range all {
		if err != nil {
			break
		}
		var had bool
		if had, err = erase(ctx, c, name, member, before, dry); had {
			names = append(names, name)
		}
	}
	return names, err
}

// stored returns the names of the stored unions, in order.
func stored(ctx context.Context, c *catalog.Catalog) (names []string, err error) {
	err = c.Engine.View(ctx, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(boardkey.Union("")) {
			if err != nil {
				return err
			}
			names = append(names, strings.TrimPrefix(string(kv.Key), boardkey.Union("")))
		}
		return nil
	})
	return names, err
}

// erase erases a member from a stored union, and reports whether that had it. The caller holds the unions.
func erase(ctx context.Context, c *catalog.Catalog, name, member string, before time.Time, dry bool) (had bool, err error) {
	u, err := recordOf(c, name)
	if err != nil || u == nil || !before.IsZero() && !u.StoredAt.Before(before) {
		return false, err
	}
	key := boardkey.UnionSet(name, u.Version)
	err = c.Owner.Update(ctx, []string{key}, func(tx *engine.Tx) error {
		set, err := tx.IntSet(key, state.FormOf(u.Rules))
		if err != nil {
			return err
		}
		score, tie, ok := set.Get([]byte(member))
		if had = ok; !had || dry {
			return nil
		}
		next := *u
		next.Members, next.Digest = u.Members-1, u.Digest-c.Owner.EntryHash(score, slices.Clone(tie), member)
		if _, err := set.Remove([]byte(member)); err != nil {
			return err
		}
		text, err := next.Encode()
		if err != nil {
			return err
		}
		return tx.Put(boardkey.Union(name), text)
	})
	if err != nil {
		return false, fmt.Errorf("stored union %q: %w", name, err)
	}
	return had, c.Engine.Unload(key)
}
