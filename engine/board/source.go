package board

import (
	"context"

	"github.com/zrankdb/zrank/zset"
)

// source is where a ranking's set is. Its forms are those of the board's rules, so ranks from 0 are places from 1.
type source interface {
	// read runs fn on the set as it is at one moment, and on what has the metadata. What fn gets is good until it returns.
	read(fn func(v *zset.IntView, meta metaOf) error) error
	// copy returns a set with the same entries, which nobody else has, and what has their metadata from now on.
	copy(ctx context.Context) (*zset.IntSet, metaOf, error)
}

// metaOf returns the metadata of a ranked member, which the caller may keep; nil for none. A nil metaOf has none of anybody.
type metaOf func(member string) ([]byte, error)

// viewSource is a set that somebody holds still while View runs.
type viewSource struct {
	v    *zset.IntView // nil when View has returned
	meta metaOf
}

func (s *viewSource) read(fn func(*zset.IntView, metaOf) error) error {
	if s.v == nil {
		return ErrViewDone
	}
	return fn(s.v, s.meta)
}

func (s *viewSource) copy(ctx context.Context) (*zset.IntSet, metaOf, error) {
	if s.v == nil {
		return nil, nil, ErrViewDone
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	return s.v.Copy(), nil, nil
}

// pinnedSource is a set of the ranking's own, which does not change.
type pinnedSource struct {
	v    *zset.IntView
	meta metaOf
}

func (s pinnedSource) read(fn func(*zset.IntView, metaOf) error) error { return fn(s.v, s.meta) }

func (s pinnedSource) copy(context.Context) (*zset.IntSet, metaOf, error) {
	return s.v.Copy(), s.meta, nil
}
