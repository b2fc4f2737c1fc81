package periods

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// MaxName is the length of the longest name of a stored union, in bytes.
const MaxUnionName = 1 << 10

// Store stores a union as a closed ranking: see Boards.StoreUnion.
func StoreUnion(ctx context.Context, c *catalog.Catalog, name string, spec board.UnionSpec) error {
	release, err := beginStore(c, name)
	if err != nil {
		return err
	}
	defer release()
	p, set, err := compute(ctx, c, &spec)
	if err != nil {
		return err
	}
	u := &state.Union{StoredAt: p.now.UTC(), Rules: p.layout.rules}
	if u.Spec, err = json.Marshal(spec); err != nil {
		return err
	}
	return store(ctx, c, name, u, set)
}

// begin checks a name and holds the stored unions.
func beginStore(c *catalog.Catalog, name string) (release func(), err error) {
	switch {
	case name == "" || len(name) > MaxUnionName:
		err = fmt.Errorf("%w: its name has %d bytes, want 1 to %d", board.ErrUnion, len(name), MaxUnionName)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		err = fmt.Errorf("%w: its name is not UTF-8 without control characters", board.ErrUnion)
	default:
		err = c.CheckNotInTx()
	}
	if err != nil {
		return nil, err
	}
	return c.HoldUnions()
}

// store writes the set under a key of its own, and then the record that names it (U3).
func store(ctx context.Context, c *catalog.Catalog, name string, u *state.Union, set *zset.IntSet) (err error) {
	if u.Version, err = nextVersion(c); err != nil {
		return err
	}
	key := boardkey.UnionSet(name, u.Version)
	if err := c.Owner.StoreInts(ctx, key, set); err != nil {
		return err
	}
	seal, err := c.Owner.Seal(key)
	if err == nil {
		u.Members, u.Digest = seal.Members, seal.Digest
		err = putRecord(ctx, c, name, u)
	}
	if err != nil {
		abandon(context.WithoutCancel(ctx), c, name, key, u.Version)
		return err
	}
	return c.Engine.Unload(key)
}

// nextVersion returns a version that no union has had.
func nextVersion(c *catalog.Catalog) (int, error) {
	text, err := c.Stored(boardkey.UnionVersion)
	if err != nil || text == nil {
		return 1, err
	}
	return strconv.Atoi(string(text))
}

// putRecord puts the record of a union, and deletes the set of the one before it.
func putRecord(ctx context.Context, c *catalog.Catalog, name string, u *state.Union) error {
	text, err := u.Encode()
	if err != nil {
		return err
	}
	return replace(ctx, c, name, func(tx *engine.Tx) error {
		if err := tx.Put(boardkey.UnionVersion, strconv.AppendInt(nil, int64(u.Version)+1, 10)); err != nil {
			return err
		}
		return tx.Put(boardkey.Union(name), text)
	})
}

// replace runs change, which puts or deletes the record of a union, and deletes the set that the record named before, in one commit.
func replace(ctx context.Context, c *catalog.Catalog, name string, change func(tx *engine.Tx) error) error {
	old, err := recordOf(&c.Env, name)
	if err != nil {
		return err
	}
	var keys []string
	if old != nil {
		keys = append(keys, boardkey.UnionSet(name, old.Version))
	}
	return c.Owner.Update(ctx, keys, func(tx *engine.Tx) error {
		for _, key := range keys {
			if _, err := tx.Drop(key); err != nil {
				return err
			}
		}
		return change(tx)
	})
}

// abandon deletes a set whose record was not put. After some errors the record may have been put all the same: see engine.ErrStalled.
func abandon(ctx context.Context, c *catalog.Catalog, name, key string, version int) {
	if u, err := recordOf(&c.Env, name); err != nil || u != nil && u.Version == version {
		return
	}
	if _, err := c.Owner.Delete(ctx, key); err != nil {
		c.Log.Error("board: the set of a union that was not stored is not deleted yet", "union", name, "err", err)
	}
}

// Drop deletes a stored union: see Boards.DropUnion.
func DropUnion(ctx context.Context, c *catalog.Catalog, name string) error {
	release, err := beginStore(c, name)
	if err != nil {
		return err
	}
	defer release()
	if u, err := recordOf(&c.Env, name); err != nil || u == nil {
		return orNone(name, err)
	}
	return replace(ctx, c, name, func(tx *engine.Tx) error { return tx.Delete(boardkey.Union(name)) })
}
