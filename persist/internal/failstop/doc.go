// Package failstop is a file system that stops at the first failed write: from then on the real files stay as they were at
// that instant, and what is written goes to memory.
//
// Pebble answers a failed write by ending the process, by panicking in a goroutine of its own, by trying again for ever, or
// by going on as if nothing had happened, depending on which write it was. None of that helps a program that has the
// database embedded. Below this file system Pebble never learns of most failures: it believes that all is well until it is
// closed, does nothing rash, and goes on answering reads. A caller that relies on a
// write asks Err after it.
//
// # Terms
//
//   - mutation: an operation that changes files or promises something of them: create, write, sync, rename, remove, link,
//     a new directory, and opening a directory, which is done to sync it.
//   - latch: what the first mutation that fails closes, and nothing opens.
//   - overlay: the files created after the latch, in memory.
//
// # After the latch
//
//   - Create, ReuseForWrite and Rename make files in the overlay; Remove hides a file; a directory's Sync does nothing.
//   - A file that was being written drops what is written to it and reports success, as nobody reads it before the store
//     is opened again: the log, the MANIFEST, a marker. A table is read, so that one fails, and Pebble writes it again,
//     into the overlay. A file from OpenReadWrite fails too.
//   - A table that a compaction starts fails: compactions are not needed, and could fill the memory.
//   - Link, Lock, MkdirAll, RemoveAll and OpenReadWrite fail.
//   - Reads see the overlay over the real files.
//
// # Invariants
//
//   - F1: no mutation that starts after a failed one has returned reaches the real files. So they are as a crash at that
//     moment could have left them.
//   - F2: a mutation that fails has closed the latch before it returns, whatever it returns. One that was dropped finds the
//     latch closed when it returns; onFail may not have been called yet. So it is Err that decides.
//   - F3: what a read returns was written: by a mutation that succeeded before the latch, or to the overlay after it.
//   - F4: the overlay takes at most maxOverlay bytes. Writes beyond fail.
//
// All of this is about one directory. A backup that is written elsewhere may fail without harm to the store.
//
// Not failures: that a file to be removed is not there, that a directory to be opened is not there, that the new name of a
// link is taken, that a lock is held, and anything about Preallocate, which is a hint.
//
// # Left out, and why
//
//   - Waiting for mutations that are under way when the latch closes: one may be stuck in a sync for a minute. They started
//     before, and a crash could have caught them too.
//
// # Where things are
//
//	file.go   files that are open for writing, before and after the latch
//	fs.go     FS: the overlay, operations on names
//	latch.go  FS: its state; the latch
package failstop
