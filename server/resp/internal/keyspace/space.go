package keyspace

import (
	"hash/maphash"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// Space is the keys of all databases of one engine. Its methods may be called from any goroutine.
type Space struct {
	Engine *engine.Engine
	boards *local.Boards // nil: the engine's boards are not open
	plain  plain
	seed   maphash.Seed // orders plain values for SCAN
	// watchers are told of changes that the commit numbers of sorted sets do not show.
	watchers watchers
	// elsewhere is true when a client has named a key whose engine key differs from it, such as one of another database.
	elsewhere atomic.Bool
	// intsetEntries is how many integers a plain set holds before its encoding becomes hashtable.
	IntsetEntries atomic.Int64
}

// DefaultIntsetEntries is Redis's default of set-max-intset-entries.
const DefaultIntsetEntries = 512

// watchers are the watches of each key.
type watchers struct {
	n  atomic.Int64 // keys
	mu sync.Mutex
	of map[string]map[*Watch]struct{} // by the name of the key
}

// plain is the index of keys that may have plain values, so that commands on sorted sets need not read private keys. A key in the index may
// have no plain value; a key outside has none.
type plain struct {
	n     atomic.Int64
	bytes atomic.Int64 // about the size of all values
	mu    sync.RWMutex
	keys  map[string]int // size of each value

	sweepAt atomic.Int64 // the next sweep begins when there are SweepMore more keys than this
}

// Tx is a transaction of the engine as commands see it: keys of databases, and values of every kind.
type Tx struct {
	Space *Space
	tx    *engine.Tx
	names *Names
	DB    int // database of the command that runs
	// All is every name that the transaction has locked, in order, for commands about all keys; nil: it has not locked all of them.
	All     []string
	dropped []string // keys whose plain values the transaction has deleted
}

// Names caches the names of a client's last keys: a client names the same few most of the time.
type Names struct {
	db        int
	last      map[string]string
	elsewhere *atomic.Bool // set when a key is not its own name
}

// Watch is the keys that one client watches. The client's goroutine owns it.
type Watch struct {
	Keys    []watched
	changed atomic.Bool // a transaction has changed one of the keys; other goroutines set it
}

// watched is a key as it was when a client began to watch it.
type watched struct {
	Name string
	seq  uint64 // the last commit of its sorted set; 0: it had none
	kind Kind   // of its plain value
}
