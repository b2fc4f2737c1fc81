package board

import (
	"context"
	"hash/fnv"

	"github.com/zrankdb/zrank/zset"
)

// source gives the set of a ranking. The set has the form of the board's rules, so ranks of the set from 0 are places from 1.
type source interface {
	// read runs fn on the set as it is at one moment, and on a function that reads metadata. Both may be used until read returns.
	read(fn func(v *zset.IntView, meta metaOf) error) error
	// copy returns a copy of the set that the caller owns, and a function that reads the metadata of its members from now on.
	copy(ctx context.Context) (*zset.IntSet, metaOf, error)
}

// metaOf returns the metadata of a ranked member, which the caller may keep; nil for none. A nil metaOf has none of any member.
type metaOf func(member string) ([]byte, error)

// subject is the set that a ranking is of.
type subject struct {
	source
	id   uint64      // cursors carry it
	info func() Info // without Mode
}

// newSubject returns the subject of a source. Its cursors are valid for each ranking of the same key; the key changes with a migration. A
// ranking calls info at each Info.
func newSubject(src source, key string, info func() Info) subject {
	return subject{src, rankingID(key), info}
}

// rankingID returns the identity of a ranking that cursors carry: a hash of its key.
func rankingID(key string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // never fails
	return h.Sum64()
}

// liveWindow gives the live period of a window.
type liveWindow interface {
	// subject returns the period that is live now. Errors: those of Ranking for Board.Live.
	subject() (*subject, error)
	// info describes the window while no period is live.
	info() Info
	// earlier returns the name of the period before the live one whose ranking has an id, and false if there is none among the last 100.
	earlier(id uint64) (period string, ok bool)
}

// viewSource is the source of a ranking in a View.
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

// pinnedSource is the source of a pinned ranking: a set that does not change.
type pinnedSource struct {
	v    *zset.IntView
	meta metaOf
}

func (s pinnedSource) read(fn func(*zset.IntView, metaOf) error) error { return fn(s.v, s.meta) }

func (s pinnedSource) copy(context.Context) (*zset.IntSet, metaOf, error) {
	return s.v.Copy(), s.meta, nil
}
