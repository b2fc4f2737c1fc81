package rdb

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt is matched by every *CorruptError.
	ErrCorrupt = errors.New("rdb: damaged")
	// ErrNotRDB is returned by NewReader for a file that does not begin as RDB files do.
	ErrNotRDB = errors.New("rdb: not an RDB file")
	// ErrChecksum is wrapped by the *CorruptError of a file or a dump whose checksum is another.
	ErrChecksum = errors.New("rdb: wrong checksum")
	// ErrKind is returned by a method of Value for another kind of value, and if the value has been read.
	ErrKind = errors.New("rdb: the value is of another kind, or has been read")
	// ErrCount is returned by a Writer that got another number of members than it was told.
	ErrCount = errors.New("rdb: number of members differs from what was announced")
	// ErrTooLarge is matched by every *LimitError.
	ErrTooLarge = errors.New("rdb: too large")
	// ErrVersion is matched by every *VersionError.
	ErrVersion = errors.New("rdb: unknown version")
)

// CorruptError says where a file is damaged. It matches ErrCorrupt.
type CorruptError struct {
	Offset int64  // in the file or dump
	Key    string // in whose value the damage is; "": between values
	Reason string // one line for people
	Err    error  // io.ErrUnexpectedEOF, ErrChecksum or nil
}

// Error has the offset, the key and the reason.
func (e *CorruptError) Error() string {
	key := ""
	if e.Key != "" {
		key = fmt.Sprintf(", key %q", e.Key)
	}
	return fmt.Sprintf("rdb: damaged at byte %d%s: %s", e.Offset, key, e.Reason)
}

// Is reports whether the target is ErrCorrupt.
func (e *CorruptError) Is(target error) bool { return target == ErrCorrupt }

// Unwrap returns the cause, or nil.
func (e *CorruptError) Unwrap() error { return e.Err }

// LimitError says which string is larger than ReadOptions.MaxString. It matches ErrTooLarge.
type LimitError struct {
	Offset int64  // of the string in the file or dump
	Key    string // that it belongs to
	Size   uint64 // bytes
	Limit  int64  // bytes
}

// Error has the offset, the key, the size and the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("rdb: too large: a string at byte %d, key %q, has %d bytes, the limit is %d", e.Offset, e.Key, e.Size, e.Limit)
}

// Is reports whether the target is ErrTooLarge.
func (e *LimitError) Is(target error) bool { return target == ErrTooLarge }

// VersionError names a version that is not read. It matches ErrVersion.
type VersionError struct {
	Valkey  bool // the file begins with VALKEY
	Version int  // as the file says
}

// Error names the version and the last one that is known.
func (e *VersionError) Error() string {
	program := "Redis"
	if e.Valkey {
		program = "Valkey"
	}
	return fmt.Sprintf("rdb: unknown version: RDB version %d of %s, versions 1 to %d of Redis are known", e.Version, program, MaxVersion)
}

// Is reports whether the target is ErrVersion.
func (e *VersionError) Is(target error) bool { return target == ErrVersion }
