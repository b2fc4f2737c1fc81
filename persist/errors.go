package persist

import (
	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/wal"
)

// Test for these with errors.Is: most come wrapped with the path, the size or the cause.
var (
	// ErrClosed is returned by every method of a Store, and of its snapshots, after Close.
	ErrClosed = errs.ErrClosed

	// ErrLocked is returned by Open when another process, or another handle in this process, has the directory open,
	// however the path is spelled.
	ErrLocked = errs.ErrLocked

	// ErrNotStore is returned by Open when the path is a file or a directory with other content than a store. With
	// Options.MustExist, Open also returns it when there is nothing at the path. Nothing is changed.
	ErrNotStore = errs.ErrNotStore

	// ErrNewerFormat is returned by Open when the store was written by a later version of this package. Nothing is changed.
	ErrNewerFormat = errs.ErrNewerFormat

	// ErrPersistence is returned when the disk failed: by the commits that were waiting for it, and by every commit and
	// snapshot after that. It wraps the first cause. Reads go on. The next Open finds every acknowledged commit.
	ErrPersistence = errs.ErrPersistence

	// ErrStalled is returned when the disk has not answered for Options.StallTimeout, or the operating system has refused the store a
	// file for so long, because too many are open, say: then it wraps what the system said. If Append returns it, nothing is queued. If
	// Wait or Barrier returns it, the commit may still become durable. The store goes on when the disk does.
	ErrStalled = errs.ErrStalled

	// ErrDiskFull is returned by Append, and by snapshots, while the disk has less free space than Options.DiskReserve
	// asks for. Nothing is queued. A small commit that only removes members fails only below three quarters of the reserve. Commits
	// succeed again once there is space. Open returns it when the disk is too full for what opening writes.
	ErrDiskFull = errs.ErrDiskFull

	// ErrCorrupt is returned when stored bytes are not what was written. The error is a *wal.CorruptError.
	ErrCorrupt = wal.ErrCorrupt

	// ErrDataLoss is returned by Open when durable commits are missing, and nothing else is wrong: the end of the log was cut off, or
	// some files are older than others. The error is a *wal.DataLossError. Nothing is changed.
	ErrDataLoss = wal.ErrDataLoss

	// ErrTooLarge is returned when one commit, or one page, is larger than MaxCommit. Nothing of it is queued.
	ErrTooLarge = errs.ErrTooLarge

	// ErrSnapshotRunning is returned by Store.Snapshot while the snapshot before it is neither published nor aborted.
	ErrSnapshotRunning = errs.ErrSnapshotRunning

	// ErrExists is returned by Backup, Restore and Salvage when the destination exists and is not empty. Nothing is changed.
	ErrExists = errs.ErrExists

	// ErrFellBehind is returned to a follower that asks for commits that are gone. The error is a *wal.FellBehindError.
	ErrFellBehind = wal.ErrFellBehind

	// ErrFutureSeq is returned by Follow for a number that no commit has yet. The number comes from another log, or from a commit that
	// a crash took back.
	ErrFutureSeq = errs.ErrFutureSeq

	// ErrStale is returned by Store.Pages for a SetRecord that a later snapshot has replaced or dropped: read the record
	// again.
	ErrStale = errs.ErrStale
)
