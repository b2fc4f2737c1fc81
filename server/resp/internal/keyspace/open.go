package keyspace

import (
	"context"
	"hash/maphash"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// New returns the keys of an engine. boards may be nil. It reads every plain value. O(plain values + keys outside database 0).
func New(ctx context.Context, e *engine.Engine, boards *local.Boards) (*Space, error) {
	s := &Space{Engine: e, boards: boards, seed: maphash.MakeSeed()}
	s.IntsetEntries.Store(DefaultIntsetEntries)
	if err := s.plain.load(ctx, e); err != nil {
		return nil, err
	}
	others, err := e.Keys("\x00")
	s.elsewhere.Store(len(others) > 0)
	return s, err
}
