package engine

import (
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/zset"
)

// operations does set operations.
type operations struct {
	m          *manager
	pageWork   int    // bytes of work that an operation does at a time with sets locked; tests set less
	stageBytes int    // about the bytes in one of the many commits of a big result; tests set less
	copied     func() // tests only: called before each page of a capture
}

const pageWork = 64 << 10 // default of Operations.PageWork: about a page of a snapshot

const stageBytes = 64 << 10 // default of Operations.StageBytes: commits of others wait for the flush of one

// input is an input of a set operation.
type input struct {
	*zset.IntView
	z     *zset.IntSet // the copy that IntView shows; nil if it shows a locked set
	whole int          // members of the whole set; IntView may show a part of it
	seq   uint64       // the set's last commit: see Set.LastSeq
	was   instant      // the set, and the state that IntView shows
}

// instant identifies a state of a set.
type instant struct {
	s       *keyspace.Set // nil if it did not exist
	version uint64
	expires int64
}
