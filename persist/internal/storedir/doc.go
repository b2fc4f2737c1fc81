// Package storedir owns a store's directory, except Pebble's files in db: the directory's files and its lock.
//
// It promises that a directory is a store from the moment the file IDENTITY exists (P9), that only one handle at a time has it open,
// and that the high-water mark never claims more than what is on the disk (P11).
//
// # Where things are
//
//	closer.go      CloserFunc
//	identity.go    the file IDENTITY, the names in the directory, creating a store, helpers that flush files and names
//	lock.go        one handle per directory in this process; lock_unix.go and lock_other.go keep other processes out
//	lock_other.go  the lock of the operating system, elsewhere
//	lock_unix.go   the lock of the operating system, on Unix
//	manifest.go    ManifestFS, which computes the checksum of Pebble's MANIFEST; checks of files that Pebble does not check
//	mark.go        Mark, the high-water mark, and MarkFile, the file HWM
//	markersync.go  MarkerFS: flushes the directory before Pebble names a new MANIFEST
//	owneronly.go   OwnerOnly: the file system that makes what only the owner can read
//	staging.go     Staging: a store that is built under a temporary name
package storedir
