package setops

import (
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/txn"
	"github.com/zrankdb/zrank/zset"
)

// Operations does set operations.
type Operations struct {
	m          *txn.Manager
	PageWork   int    // bytes of work that an operation does at a time with sets locked; less in tests
	StageBytes int    // about what one of many commits of a big result has; less in tests
	Copied     func() // tests only: is called before each page of a capture
}

const PageWork = 64 << 10 // what may be done while a set is locked for it, in bytes: about a page of a snapshot

const StageBytes = 1 << 20 // about what one of many commits has

// Input is a set of a set operation.
type Input struct {
	*zset.IntView
	z     *zset.IntSet // a copy: its own set
	Whole int          // of the whole set, where the View has a part of it
	seq   uint64       // see Set.LastSeq
	Was   Instant      // of which set, and when
}

// Instant is a moment in the life of a set.
type Instant struct {
	S       *keyspace.Set // nil if it did not exist
	Version uint64
	Expires int64
}
