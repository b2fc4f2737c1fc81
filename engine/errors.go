package engine

import (
	"errors"

	"github.com/zrankdb/zrank/persist"
)

var (
	// ErrMemory is returned by Backup and Check of an engine that keeps everything in memory only.
	ErrMemory = errors.New("engine: nothing is stored")
	// ErrNoKeys is returned by PopMinWait and its like when there is nothing to wait for.
	ErrNoKeys = errors.New("engine: no keys to wait for")
	// ErrCount is returned by PopMinWaitN and PopMaxWaitN for less than one entry.
	ErrCount = errors.New("engine: count is less than 1")
)

// Errors of the store that callers ask for, so that they need not import it.
var (
	// ErrLocked is returned by Open when the directory is in use by another process or handle.
	ErrLocked = persist.ErrLocked
	// ErrNotStore is returned by Open when the directory holds something else.
	ErrNotStore = persist.ErrNotStore
	// ErrPersistence is returned by Update after the first failed write to disk; reads go on.
	ErrPersistence = persist.ErrPersistence
	// ErrDiskFull is returned by Update while there is hardly any free space on the disk. Nothing has changed. Transactions that
	// only remove go on at first, so that space can be made: see Options.DiskReserve. It ends by itself when there is space again.
	ErrDiskFull = persist.ErrDiskFull
	// ErrStalled is returned by Update and Barrier while the disk does not answer. The transaction may have happened or not: if
	// it has, others see it, and it becomes durable when the disk answers again.
	ErrStalled = persist.ErrStalled
	// ErrTooLarge is returned by Update when the transaction changes more than 16 MiB. Nothing has changed.
	ErrTooLarge = persist.ErrTooLarge
	// ErrExists is returned by Backup, Restore and Salvage when there is something where they are to write.
	ErrExists = persist.ErrExists
	// ErrFellBehind is returned by Feed when commits that it should yield are gone. The error is a *FellBehindError.
	ErrFellBehind = persist.ErrFellBehind
	// ErrFutureSeq is returned by Feed for a position that no commit has yet: of another engine, or taken back by a crash.
	ErrFutureSeq = persist.ErrFutureSeq
	// ErrCorrupt is returned when bytes on the disk are not what was written.
	ErrCorrupt = persist.ErrCorrupt
)
