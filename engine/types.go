package engine

import (
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/persist"
)

// Compaction tells how far a compaction is, and what it has freed: see Engine.Compact.
type Compaction = persist.Compaction

// Report is what a check has read, and the problems that it has found.
type Report = persist.Report

// Recovery tells what Open did.
//
// Open loads the sets that commits after the last snapshot have changed. Each Open loads them again until a snapshot has them. There are
// such commits for one of these reasons:
//
//   - The engine was not closed: Store.Clean is false.
//   - Close took no snapshot, because little was left to read (see Close), or because Options.SnapshotBytes is negative.
//   - The snapshot of Close failed. Then Close returned persist.ErrDiskFull, ErrStalled or ErrPersistence, or emitted EventSnapshot with
//     the error.
type Recovery struct {
	Sets     int // in the last snapshot
	Loaded   int // of those, read because the log's tail names them
	Commits  int // replayed from the log
	LastSeq  uint64
	Duration time.Duration
	Store    persist.Recovery // what the store did before that
}

// ViewSample is the number of Views for each one that is timed, on average.
const ViewSample = observe.ViewSample

// Reserved reports whether a key of a set, or a private key, is reserved for package board: it begins with "board/" or "board.". Such
// keys can be read; calls that would change one return ErrReserved. O(1).
//
// An older version of this package let a program make its own sets under such keys. A directory with such sets opens, and they can be read.
// A set with float64 scores, which no board ever has, can get another key by Rename. A set with int64 scores can be copied by CopyInts and
// Copy. A private key keeps its value.
func Reserved(key string) bool { return facts.Reserved(key) }
