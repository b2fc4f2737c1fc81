// Package storedir owns a store's directory, apart from what Pebble keeps in db: its files, its lock, and what the files say about the
// store.
//
// It promises that a directory is a store from the moment IDENTITY has its name (P9), that one handle at a time holds it, and that
// the high-water mark never says more than what is on the disk (P11).
//
// # Where things are
//
//	closer.go      CloserFunc
//	identity.go    the file IDENTITY, the names in the directory, creating a store, helpers that flush files and names
//	lock.go        one handle per directory in this process; lock_unix.go and lock_other.go keep other processes out
//	lock_other.go  the lock of the operating system, elsewhere
//	lock_unix.go   the lock of the operating system, on Unix
//	manifest.go    ManifestFS, which sums up Pebble's MANIFEST; the files that Pebble believes without one
//	mark.go        Mark, the high-water mark, and MarkFile, the file HWM
//	markersync.go  MarkerFS: flushes the directory before Pebble names a new MANIFEST
//	staging.go     Staging: a store that is built under a temporary name
package storedir
