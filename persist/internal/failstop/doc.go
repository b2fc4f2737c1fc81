// Package failstop is a file system that stops at the first failed write: from then on the real files stay as they were at
// that instant, and what is written goes to memory.
//
// Pebble answers a failed write by ending the process, by panicking in one of its goroutines, by trying again for ever, or
// by going on as if nothing had happened, depending on which write it was. None of that helps a program that embeds the
// database. Above this file system Pebble never sees most failures: until it is closed it goes on as if writes succeeded, and
// answers reads. A caller that relies on a write checks Err after it.
//
// # Terms
//
//   - mutation: an operation that changes files or makes changes durable: create, write, sync, rename, remove, link, a new
//     directory, and opening a directory, which Pebble does to sync it.
//   - latch: the state that the first failed mutation closes. It never opens again.
//   - overlay: the files created after the latch, in memory.
//
// # After the latch
//
//   - Create, ReuseForWrite and Rename make files in the overlay; Remove hides a file; a directory's Sync does nothing.
//   - A file that was open for writing drops further writes and reports success, as nobody reads it before the store
//     is opened again: the log, the MANIFEST, a marker. Pebble reads tables, so a write to a table fails, and Pebble writes the table
//     again, into the overlay. A write to a file from OpenReadWrite fails too.
//   - Creating a table for a compaction fails: compactions are not needed, and could fill the memory.
//   - Link, Lock, MkdirAll, RemoveAll and OpenReadWrite fail.
//   - Reads see the overlay over the real files.
//
// # Errors that are not the disk's
//
// The operating system may refuse a call because the process has no descriptors left, say. Nothing has happened to the files then, and the
// call may succeed later. From Retry on such an operation is tried again (IsPassing says at which errors), with pauses that grow to
// lastDelay, until it succeeds or the latch closes: a mutation for as long as it takes, a read for Retries.ReadTimeout. A write goes on
// behind the bytes that it has written. Sync and Close are never tried again.
//
// # Invariants
//
//   - F1: no mutation that starts after a failed one has returned reaches the real files. So they are as a crash at that
//     moment could have left them.
//   - F2: a failed mutation closes the latch before it returns, whatever it returns. When a dropped mutation returns, the latch is
//     closed, but onFail may not have been called yet. So callers must check Err.
//   - F3: a read returns only bytes that a mutation wrote successfully before the latch closed, or to the overlay after that.
//   - F4: the overlay takes at most maxOverlay bytes. Writes beyond that fail.
//
// All of this is about one directory. A backup elsewhere may fail without harm to the store.
//
// These are not failures: a file to be removed does not exist, a directory to be opened does not exist, the new name of a link is
// taken, a lock is held, and any error of Preallocate, which is a hint.
//
// # Left out, and why
//
//   - Waiting for mutations that are running when the latch closes: one may be stuck in a sync for a minute. They started before the
//     failure, so a crash at that moment could have left the same files.
//
// # Where things are
//
//	file.go   files that are open for writing, before and after the latch
//	fs.go     FS: the overlay, operations on names
//	latch.go  FS: its state; the latch
//	retry.go  trying again what an error that passes has refused; files that are open for reading
//	waits.go  which errors pass; the operations that wait for one
package failstop
