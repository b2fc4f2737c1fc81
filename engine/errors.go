package engine

import (
	"errors"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/residency"
	"github.com/zrankdb/zrank/persist"
)

var (
	// ErrClosed is returned by every call after Close.
	ErrClosed = locks.ErrClosed
	// ErrReadOnly is returned when a transaction started by View is asked to change something.
	ErrReadOnly = errors.New("engine: change in a View")
	// ErrNotNamed is returned when a transaction of the program's asks for a set with a reserved key that it has not locked.
	ErrNotNamed = errors.New("engine: key was not named when the transaction started")
	// ErrNoSet is returned when a set that is to be renamed or copied, or changed by a blind write, does not exist.
	ErrNoSet = errors.New("engine: no such set")
	// ErrTime is returned for a time at which no set can expire: before 1970 or after the year 9999.
	ErrTime = errors.New("engine: not a time to expire at")
	// ErrTieWidth is returned when a set exists with ties of another width than asked for, or with another Form.
	ErrTieWidth = facts.ErrTieWidth
	// ErrKind is returned when a set has int64 scores and the call is for float64 scores, or the other way round.
	ErrKind = facts.ErrKind
	// ErrForm is returned by StoreInts and StoreSet for a set that was made with options that the engine does not keep.
	ErrForm = facts.ErrForm
	// ErrMemory is returned by Backup and Check of an engine that keeps everything in memory only.
	ErrMemory = errors.New("engine: nothing is stored")
	// ErrMemoryLimit is returned by Preload when the sets it reads would not fit in Options.MemoryLimit, and by Update and View when they have
	// waited for room for Options.StallTimeout. In an engine in memory only, it is returned by Update when the transaction would make its sets
	// bigger, and all sets together exceed the limit; transactions that only remove succeed. Nothing has changed.
	ErrMemoryLimit = residency.ErrMemoryLimit
	// ErrTooManySets is returned by Update when there would be more sets than Options.MaxSets. Nothing has changed.
	ErrTooManySets = errors.New("engine: too many sets")
	// ErrKeyTooLong is returned when a key of a set, or a private key, is longer than MaxKey.
	ErrKeyTooLong = errors.New("engine: key is too long")
	// ErrTooManyKeys is returned when a transaction names, or asks for, more than MaxKeys keys.
	ErrTooManyKeys = errors.New("engine: transaction names too many keys")
	// ErrConflict is returned by Expect, ExpectScore, ExpectAbsent and blind writes when another transaction was faster: read again and retry.
	ErrConflict = errors.New("engine: conflict")
	// ErrNoKeys is returned by PopMinWait and its like when they are called without keys.
	ErrNoKeys = errors.New("engine: no keys to wait for")
	// ErrCount is returned by PopMinWaitN and PopMaxWaitN for less than one entry.
	ErrCount = errors.New("engine: count is less than 1")
	// ErrInTx is returned by calls of the engine that lock keys, or wait for a transaction, on a goroutine that runs the closure of one of
	// its transactions: they could wait for themselves. Use the Tx instead. See "Calls inside a closure" in the package's doc.
	ErrInTx = locks.ErrInTx
	// ErrReserved is returned by calls that would change a key that begins with "board/" or "board.": see Reserved.
	ErrReserved = facts.ErrReserved
	// ErrUnread is returned inside Owner.UpdateBlind for a set on the disk only that was named for blind writes.
	ErrUnread = errors.New("engine: the transaction has not read the set")
	// ErrLastMember is returned by Owner.BlindRemove if the set would be empty: an Update, which reads it, can drop it.
	ErrLastMember = errors.New("engine: the transaction must read the set before it removes the last member")
	// ErrRestart is returned inside the closure of an Update or a View that must run again, because a set or a private
	// key that it asks for is not free, or a set is on the disk only. The closure returns it, or anything
	// else: it runs again in any case, from the beginning, with that locked.
	ErrRestart = errors.New("engine: the transaction restarts")
	// ErrUndecided is returned by Update and Acknowledge when the context ends while the commit waits for the disk. The transaction has happened, and others
	// see it. It becomes durable when the disk answers; a crash before that may undo it. The error wraps the cause of the context.
	ErrUndecided = errors.New("engine: the transaction has happened, and is not known to be durable")
	// ErrTxDone is returned when a transaction is used after its closure has returned.
	ErrTxDone = errors.New("engine: transaction is over")
)

// Errors of the store, so that callers need not import it.
var (
	// ErrLocked is returned by Open when the directory is in use by another process or handle.
	ErrLocked = persist.ErrLocked
	// ErrNotStore is returned by Open when the directory holds files of something else.
	ErrNotStore = persist.ErrNotStore
	// ErrPersistence is returned by Update after the first failed write to disk; reads go on.
	ErrPersistence = persist.ErrPersistence
	// ErrDiskFull is returned by Update while the disk has less free space than Options.DiskReserve. Nothing has changed. Transactions that
	// only remove still succeed at first, so that space can be made. All succeed again as soon as there is space. Open returns it when the
	// disk is too full for what opening writes.
	ErrDiskFull = persist.ErrDiskFull
	// ErrStalled is returned by Update and Barrier while the disk does not answer, and by any call that needs a file which the operating
	// system has refused for Options.StallTimeout, because too many are open, say: then it wraps what the system said. The transaction may have happened or not: if
	// it has, others see it, and it becomes durable when the disk answers again.
	ErrStalled = persist.ErrStalled
	// ErrTooLarge is returned by Update when the transaction changes more than 16 MiB. Nothing has changed.
	ErrTooLarge = persist.ErrTooLarge
	// ErrExists is returned by Backup, Restore and Salvage when the directory that they are to write is not empty.
	ErrExists = persist.ErrExists
	// ErrFellBehind is returned by Feed when commits that it should yield are gone. The error is a *FellBehindError.
	ErrFellBehind = persist.ErrFellBehind
	// ErrFutureSeq is returned by Feed for a position that no commit has yet: it is of another engine, or a crash has undone the commit.
	ErrFutureSeq = persist.ErrFutureSeq
	// ErrCorrupt is returned when bytes on the disk are not what was written.
	ErrCorrupt = persist.ErrCorrupt
)
