package checkpoint

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/lifetime"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/persist"
)

// Manager writes snapshots.
type Manager struct {
	Keys   *keyspace.Keyspace
	Locks  *locks.Table
	events *observe.Dispatcher
	life   *lifetime.Lifetime
	Store  *persist.Store

	bytes int64         // length of the log from which a snapshot is due; below 0: never
	age   time.Duration // age of the log from which a snapshot is due; below 0: never
	// Close takes a snapshot if the log is longer than CloseLogBytes, or if Open would load more than CloseMembers members. Each set counts
	// as setMembers more.
	CloseLogBytes int64
	CloseMembers  int
	due           chan struct{} // wakes the goroutine that takes snapshots
	taking        sync.Mutex    // held while a snapshot is taken
	Running       sync.Mutex    // held while a snapshot or a write-out is written; after taking
	LastWritten   atomic.Int64  // bytes of pages that the last snapshot wrote
	Figures       figures
	Paged         func(page []byte) []byte // tests only: called with each page, returns the page to write
	// Load loads a set that is on the disk only, for a snapshot that writes it, and returns the bytes that it takes: see
	// residency.Manager.LoadToWrite.
	Load func(*keyspace.Set) (int, error)

	droppedMu sync.Mutex
	Dropped   map[string]uint64 // ids of dropped sets that the store still has, with the commit that dropped each
}

// New returns a Manager of the sets of a keyspace. If store is nil, the engine is in memory only, and snapshots must not be taken.
// bytes and age are Options.SnapshotBytes and Options.SnapshotAge.
func New(keys *keyspace.Keyspace, l *locks.Table, v *observe.Dispatcher, life *lifetime.Lifetime, store *persist.Store, bytes int64, age time.Duration) *Manager {
	return &Manager{Keys: keys, Locks: l, events: v, life: life, Store: store, bytes: bytes, age: age, CloseLogBytes: closeLogBytes, CloseMembers: closeMembers, due: make(chan struct{}, 1), Dropped: map[string]uint64{}}
}

const closeLogBytes = 4 << 20 // default of Manager.CloseLogBytes; tests set less

const closeMembers = 100_000 // default of Manager.CloseMembers; tests set less
