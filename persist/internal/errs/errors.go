package errs

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/wal"
)

// Test for these with errors.Is: most come wrapped with the path, the size or the cause.
var (
	// ErrClosed is returned by every method of a Store, and of its snapshots, after Close.
	ErrClosed = errors.New("persist: store is closed")

	// ErrLocked is returned by Open when another process, or another handle in this process, has the directory open,
	// however the path is spelled.
	ErrLocked = errors.New("persist: directory is in use by another process or another handle")

	// ErrNotStore is returned by Open when the path is a file or a directory with other content than a store. With
	// Options.MustExist, Open also returns it when there is nothing at the path. Nothing is changed.
	ErrNotStore = errors.New("persist: not a zrank store")

	// ErrNewerFormat is returned by Open when the store was written by a later version of this package. Nothing is changed.
	ErrNewerFormat = errors.New("persist: store has a newer format")

	// ErrPersistence is returned when the disk failed: by the commits that were waiting for it, and by every commit and
	// snapshot after that. It wraps the first cause. Reads go on. The next Open finds every acknowledged commit.
	ErrPersistence = errors.New("persist: the disk failed, nothing more is written")

	// ErrStalled is returned when the disk has not answered for Options.StallTimeout, or the operating system has refused the store a
	// file for so long, because too many are open, say: then it wraps what the system said. If Append returns it, nothing is queued. If
	// Wait or Barrier returns it, the commit may still become durable. The store goes on when the disk does.
	ErrStalled = errors.New("persist: the disk does not answer")

	// ErrDiskFull is returned by Append, and by snapshots, while the disk has less free space than Options.DiskReserve
	// asks for. Nothing is queued. A small commit that only removes members fails only below three quarters of the reserve. Commits
	// succeed again once there is space. Open returns it when the disk is too full for what opening writes.
	ErrDiskFull = errors.New("persist: the disk is full")

	// ErrTooLarge is returned when one commit, or one page, is larger than MaxCommit. Nothing of it is queued.
	ErrTooLarge = errors.New("persist: too large")

	// ErrSnapshotRunning is returned by Store.Snapshot while the snapshot before it is neither published nor aborted.
	ErrSnapshotRunning = errors.New("persist: a snapshot is already running")

	// ErrExists is returned by Backup, Restore and Salvage when the destination exists and is not empty. Nothing is changed.
	ErrExists = errors.New("persist: the destination is there already")

	// ErrFutureSeq is returned by Follow for a number that no commit has yet. The number comes from another log, or from a commit that
	// a crash took back.
	ErrFutureSeq = errors.New("persist: no commit has this number yet")

	// ErrStale is returned by Store.Pages for a SetRecord that a later snapshot has replaced or dropped: read the record
	// again.
	ErrStale = errors.New("persist: the set has been written again since this record was read")
)

// Corruptf makes a CorruptError. A decoder that does not know the key leaves it empty; its caller sets it with WithKey.
func Corruptf(offset int, format string, args ...any) error {
	return &wal.CorruptError{Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

// WithKey gives the key to a CorruptError that has none yet, and returns any other error as it is.
func WithKey(err error, key func() string) error {
	var c *wal.CorruptError
	if errors.As(err, &c) && c.Key == "" {
		c.Key = key()
	}
	return err
}

// ReadError wraps Pebble's error for a read of key, unless it is a wal.ErrCorrupt already. errors.Is does not see how Pebble marks damage.
func ReadError(err error, key func() string) error {
	if errors.Is(err, wal.ErrCorrupt) {
		return err
	}
	if pebble.IsCorruptionError(err) {
		return &wal.CorruptError{Key: key(), Reason: reason(err)}
	}
	return fmt.Errorf("persist: read %s: %w", key(), err)
}

// reason returns Pebble's error text for damage, in one line. It removes the marker that Pebble adds.
func reason(err error) string {
	text := strings.ReplaceAll(err.Error(), "<corruption detail carrier>", "")
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\n", " ")), " ")
}

// Damaged converts the error of a database that Pebble cannot read. A wal.ErrCorrupt or ErrPersistence stays as it is. An error of the
// operating system is wrapped, except that of a missing file. Any other error, and a missing file, becomes a CorruptError.
func Damaged(err error, key string) error {
	var path *os.PathError
	switch {
	case errors.Is(err, wal.ErrCorrupt), errors.Is(err, ErrPersistence):
		return err
	case errors.As(err, &path) && !errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		return fmt.Errorf("persist: open: %w", err)
	}
	return &wal.CorruptError{Key: key, Reason: reason(err)}
}
