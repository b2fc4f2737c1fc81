package periods

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Erase erases a member from all stored unions, and returns the names of those that had it; a dry
// run changes none. Unless before is zero, it leaves those alone that were stored at that time or
// later. Each is one commit, which changes the set and the record. O(stored unions), and each is
// read from the disk. Errors: engine.ErrInTx, ErrClosed, those of the engine.
func EraseUnions(ctx context.Context, c *catalog.Catalog, member string, before time.Time, dry bool) (names []string, err error) {
	if err := c.CheckNotInTx(); err != nil {
		return nil, err
	}
	release, err := c.HoldUnions()
	if err != nil {
		return nil, err
	}
	defer release()
	all, err := stored(ctx, &c.Env)
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
func stored(ctx context.Context, c *catalog.Env) (names []string, err error) {
	err = catalog.ViewKeys(ctx, c.Engine, boardkey.Union(""), func(name string, _ []byte) error {
		names = append(names, name)
		return nil
	})
	return names, err
}

// erase erases a member from a stored union, and reports whether that had it. The caller holds the
// unions.
func erase(ctx context.Context, c *catalog.Catalog, name, member string, before time.Time, dry bool) (had bool, err error) {
	u, err := recordOf(&c.Env, name)
	if err != nil || u == nil || !before.IsZero() && !u.StoredAt.Before(before) {
		return false, err
	}
	return change(ctx, &c.Env, name, u, member, func(set *engine.IntSet, _ *state.Union) error {
		if dry {
			return errDry
		}
		_, err := set.Remove([]byte(member))
		return err
	})
}

// errDry rolls back a change of a union.
var errDry = errors.New("dry run")

// change changes the set of a stored union that has a member, and its record, in one commit, and
// reports whether it has the member. do gets the record as it is without the entry of the member,
// removes that from the set, and adds what it puts there to the record.
func change(ctx context.Context, c *catalog.Env, name string, u *state.Union, member string,
	do func(set *engine.IntSet, next *state.Union) error) (had bool, err error) {
	key := boardkey.UnionSet(name, u.Version)
	err = c.Owner.Update(ctx, []string{key}, func(tx *engine.Tx) error {
		set, err := tx.IntSet(key, state.FormOf(u.Rules))
		if err != nil {
			return err
		}
		score, tie, ok := set.Get([]byte(member))
		if had = ok; !had {
			return nil
		}
		next := *u
		next.Members, next.Digest = u.Members-1, u.Digest-c.Owner.EntryHash(score, slices.Clone(tie), member)
		if err := do(set, &next); err != nil {
			return err
		}
		text, err := next.Encode()
		if err != nil {
			return err
		}
		return tx.Put(boardkey.Union(name), text)
	})
	if err != nil && err != errDry {
		return false, fmt.Errorf("stored union %q: %w", name, err)
	}
	return had, c.Engine.Unload(key)
}

// MoveInUnions gives the entries of a member of a board in stored unions to another one, if all
// rankings of the union are of the board: in others nobody knows how much of an entry is of which
// board. Where the other one has an entry too, the two are combined as the union combines scores;
// one that would be out of range leaves the entry of the other as it is. Each union is one commit.
// O(stored unions of the board). Errors: ErrClosed, those of the engine.
func MoveInUnions(ctx context.Context, c *catalog.Env, of, member, to string) error {
	c.Storing.Lock()
	defer c.Storing.Unlock()
	if err := c.CheckOpen(); err != nil {
		return err
	}
	all, err := stored(ctx, c)
	for _, name := range all {
		if err == nil {
			err = moveInUnion(ctx, c, name, of, member, to)
		}
	}
	return err
}

// moveInUnion is MoveInUnions of one union.
func moveInUnion(ctx context.Context, c *catalog.Env, name, of, member, to string) error {
	u, err := recordOf(c, name)
	if err != nil || u == nil {
		return err
	}
	var spec board.UnionSpec
	if err := json.Unmarshal(u.Spec, &spec); err != nil {
		return fmt.Errorf("stored union %q: %w", name, err)
	}
	if slices.ContainsFunc(spec.Sources, func(s board.UnionSource) bool { return s.Board != of }) {
		return nil
	}
	_, err = change(ctx, c, name, u, member, func(set *engine.IntSet, next *state.Union) error {
		is := zset.IntEntry{Member: []byte(to)}
		is.Score, is.Tie, _ = set.Get([]byte(member))
		is.Tie = slices.Clone(is.Tie)
		if _, err := set.Remove([]byte(member)); err != nil {
			return err
		}
		if score, tie, ok := set.Get([]byte(to)); ok {
			own := zset.IntEntry{Member: []byte(to), Score: score, Tie: slices.Clone(tie)}
			next.Members--
			next.Digest -= c.Owner.EntryHash(own.Score, own.Tie, to)
			var err error
			if is, err = combined(u, &spec, own, is); err != nil {
				return err
			}
		}
		next.Members++
		next.Digest += c.Owner.EntryHash(is.Score, is.Tie, to)
		_, err := set.Put([]byte(to), is.Tie, is.Score)
		return err
	})
	return err
}

// combined returns what the entries of two members are together, as the union combines scores; own
// if that is out of range.
func combined(u *state.Union, spec *board.UnionSpec, own, other zset.IntEntry) (zset.IntEntry, error) {
	l := &layout{best: spec.Combine == rules.Best, rules: u.Rules, factors: [][]factor{nil}}
	for i, c := range u.Rules.Columns() {
		op := cmp.Or(spec.Combine, rules.Sum)
		if i < len(spec.Columns) && spec.Columns[i] != "" {
			op = spec.Columns[i]
		}
		l.columns, l.factors[0] = append(l.columns, column{c, op}), append(l.factors[0], factor{1, 1})
	}
	t := newTally(l, 1)
	t.add(0, u.Rules, own)
	other.Member = own.Member
	t.add(0, u.Rules, other)
	build, err := state.FormOf(u.Rules).Builder()
	if err != nil {
		return own, err
	}
	set, err := t.set(build)
	if err != nil {
		return own, nil
	}
	own.Score, own.Tie, _ = set.Get(own.Member)
	return own, nil
}
