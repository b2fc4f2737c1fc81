package persist

import (
	"time"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/snapshot"
)

// MaxCommit is the largest commit that Append takes, in bytes as encoded.
const MaxCommit = format.MaxCommit

// Effect is one absolute change to one set: applying it twice is the same as applying it once. A Note belongs to no set, and changes nothing.
type Effect = format.Effect

// Kind says what an Effect did. The numbers are stored: they are never reused.
type Kind = format.Kind

const (
	// Create: the set exists now; Value is its meta.
	Create = format.Create
	// Put: Member has Value now.
	Put = format.Put
	// Remove: Member is gone.
	Remove = format.Remove
	// Drop: the set is gone, members and all.
	Drop = format.Drop
	// Note: Value stands in the log, and nothing stored has changed. Only a Follower shows notes.
	Note = format.Note
)

// MaxNote is the largest note, in bytes.
const MaxNote = format.MaxNote

// Notes collects the notes of one commit. The zero value is ready.
type Notes = format.Notes

// Batch collects the effects of one commit, already encoded as they go to the log. The zero value is ready. A batch is
// for one goroutine at a time; every argument is copied.
type Batch = format.Batch

// SetRecord describes one set in the last snapshot: its name and meta, its base (the commit up to which its pages hold every effect),
// and the number of its pages and entries.
type SetRecord = format.SetRecord

// KV is one private key and its value.
type KV = pebbledb.KV

// Snapshot is a running snapshot: WriteSet and DropSet write the changed sets, Publish makes this snapshot the current one, Abort
// deletes it. Its methods are for one goroutine. Until Publish returns nil, Open and reads ignore it: after a crash, Abort or a
// failure the store has the previous snapshot and the whole log.
type Snapshot = snapshot.Snapshot

// Pacer makes long work in the background give way to commits. It is for one goroutine.
type Pacer = commitlog.Pacer

// Bulk waits for the commits of a caller that appends many, one after the other. It is for one goroutine.
type Bulk = commitlog.Bulk

// Follower reads a log commit by commit: Next returns a commit, More returns a channel that signals new ones. It is for one
// goroutine.
type Follower = commitlog.Follower

// MemLog numbers commits where nothing is stored, and shows the last ones to followers. Its methods may be called from any
// goroutine.
type MemLog = commitlog.MemLog

// NewMemLog returns a log that keeps the last commits, up to the given number of bytes. It starts keeping them at the first Follow or
// Keep.
func NewMemLog(bytes int) *MemLog { return commitlog.NewMemLog(bytes) }

// Event is something about the disk that an operator must know. Each kind but EventFailed comes twice: when it begins, and
// with Ended when it is over.
type Event = pebbledb.Event

// EventKind says what an Event is about.
type EventKind = pebbledb.EventKind

const (
	// EventSlowSync: one write or flush has taken Options.SlowSync, and goes on.
	EventSlowSync = pebbledb.EventSlowSync
	// EventStalled: one write or flush has taken Options.StallTimeout, and goes on.
	EventStalled = pebbledb.EventStalled
	// EventDiskFull: there is less free space than Options.DiskReserve.
	EventDiskFull = pebbledb.EventDiskFull
	// EventFailed: the disk has failed, and the store writes nothing more.
	EventFailed = pebbledb.EventFailed
	// EventWaiting: the operating system refuses the store a file for a reason that is not the disk's, such as too many open files. The
	// store tries again until it gets the file.
	EventWaiting = pebbledb.EventWaiting
)

// Recovery tells what Open found.
type Recovery struct {
	Snapshot    uint64 // number of the last published snapshot; 0: none yet
	Upto        uint64 // the commit up to which it covers every set
	Sets        int    // in the last published snapshot
	Groups      int    // in the log
	Commits     uint64 // in the log and after Upto: what Replay goes through
	DroppedTail int    // bytes at the end of the log that a power cut left unfinished; no commit in them was acknowledged as durable
	Clean       bool   // the store had been closed
	Duration    time.Duration
}
