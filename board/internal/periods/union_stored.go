package periods

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
)

// recordOf returns the record of a stored union, nil for none.
func recordOf(c *catalog.Env, name string) (*state.Union, error) {
	text, err := c.Stored(boardkey.Union(name))
	if err != nil || text == nil {
		return nil, err
	}
	u, err := state.DecodeUnion(text)
	if err != nil {
		return nil, fmt.Errorf("board: stored union %q: %w", name, err)
	}
	return u, nil
}

// orNone returns err, or ErrNoUnion if it is nil.
func orNone(name string, err error) error {
	if err == nil {
		err = fmt.Errorf("%w: %q", board.ErrNoUnion, name)
	}
	return err
}

// Ranking returns the ranking of a stored union: see Boards.StoredUnion.
func UnionRanking(c *catalog.Catalog, name string) (board.Ranking, error) {
	if err := c.CheckOpen(); err != nil {
		return nil, err
	}
	u, err := recordOf(&c.Env, name)
	if err != nil || u == nil {
		return nil, orNone(name, err)
	}
	src := &source{c, name, boardkey.UnionSet(name, u.Version), u}
	info := board.Info{Period: name, Closed: true, ClosedAt: u.StoredAt}
	s := ranking.NewSubject(src, src.key, func() board.Info { return info })
	return ranking.New(&s, u.Rules), nil
}

// List returns the stored unions in the order of their names: see Boards.StoredUnions.
func Unions(ctx context.Context, c *catalog.Catalog) (list []board.StoredUnion, err error) {
	if err := c.CheckOpen(); err != nil {
		return nil, err
	}
	err = catalog.ViewKeys(ctx, c.Engine, boardkey.Union(""), func(name string, value []byte) error {
		u, err := state.DecodeUnion(value)
		s := board.StoredUnion{Name: name}
		if err == nil {
			s.Members, s.StoredAt, s.Columns = u.Members, u.StoredAt, u.Rules.Columns()
			err = json.Unmarshal(u.Spec, &s.Spec)
		}
		if err != nil {
			return fmt.Errorf("board: stored union %q: %w", s.Name, err)
		}
		list = append(list, s)
		return nil
	})
	return list, err
}

// source is the set of a stored union.
type source struct {
	c    *catalog.Catalog
	name string
	key  string
	u    *state.Union
}

// Open implements ranking.Source. Error: ErrNoUnion if the set has been deleted: it is whole or not there (U3).
func (s *source) Open(ctx context.Context, o *ranking.Opened) error {
	tx, err := s.c.Owner.BeginView(ctx, s.key, o.Brief)
	if err != nil {
		return err
	}
	set, err := tx.IntSet(s.key, state.FormOf(s.u.Rules))
	if err == nil {
		err = s.check(set.Len())
	}
	if err != nil {
		s.c.Owner.EndView(tx)
		return err
	}
	o.Set, o.Tx = set.IntView, tx
	return nil
}

// check returns ErrNoUnion unless the set has all its members.
func (s *source) check(members int) error {
	if members != s.u.Members {
		return fmt.Errorf("%w: %q has been dropped or stored again since", board.ErrNoUnion, s.name)
	}
	return nil
}

// Close implements ranking.Source.
func (s *source) Close(o *ranking.Opened) {
	s.c.Owner.EndView(o.Tx)
	s.noteRead()
}

// noteRead makes the evictor evict the set once it is idle.
func (s *source) noteRead() {
	if !s.c.IsStopped() {
		s.c.Idle.NoteRead(s.c.Engine.Now(), s.key)
	}
}

// Copy implements ranking.Source.
func (s *source) Copy(ctx context.Context) (c ranking.Copied, err error) {
	defer s.noteRead()
	c.Set, _, err = s.c.Engine.CopyInts(ctx, s.key, state.FormOf(s.u.Rules))
	if err == nil {
		err = s.check(c.Set.Len())
	}
	return c, err
}
