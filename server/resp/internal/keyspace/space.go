package keyspace

import (
	"hash/maphash"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// Space is the keys of all databases of one engine. Its methods may be called from any goroutine.
type Space struct {
	Engine *engine.Engine
	boards *board.Boards // nil: the engine's boards are not open
	plain  plain
	seed   maphash.Seed // orders plain values for SCAN
	// watchers are told of changes that the commit numbers of sorted sets do not show.
	watchers watchers
	// elsewhere is true when a client has named a key whose engine key differs from it, such as one of another database.
	elsewhere atomic.Bool
	// intsetEntries is how many integers a plain set holds before its encoding becomes hashtable.
	IntsetEntries atomic.Int64
}

// defaultIntsetEntries is Redis's default of set-max-intset-entries.
const defaultIntsetEntries = 512

// New returns the keys of an engine. boards may be nil. It reads every plain value. O(plain values + keys outside database 0).
func New(e *engine.Engine, boards *board.Boards) (*Space, error) {
	s := &Space{Engine: e, boards: boards, seed: maphash.MakeSeed()}
	s.IntsetEntries.Store(defaultIntsetEntries)
	if err := s.plain.load(e); err != nil {
		return nil, err
	}
	others, err := e.Keys("\x00")
	s.elsewhere.Store(len(others) > 0)
	return s, err
}
