// Package memfs is the file system in memory that this repository uses: Pebble's, with power cuts that tests may simulate beside
// any operation.
//
// Pebble's vfs.MemFS (2.1.7) deadlocks where CrashClone runs beside Link, ReuseForWrite or Lock. Each of the three takes a read
// lock twice, and a lock of package sync lets no reader in once a writer waits:
//
//	Link, ReuseForWrite, Lock        CrashClone
//	cloneMu.RLock()
//	                                 cloneMu.Lock()    waits for the reader
//	cloneMu.RLock()                                    waits for the writer
//
// Link also holds the mutex of the whole tree of files at its second RLock, so that Sync, Stat and the disk's usage wait behind it.
// [FS] lets none of the three begin while a clone waits or runs, and no clone while one of them runs. All other methods of MemFS
// take the lock once at most, and pass through.
//
// No other package of the repository names vfs.MemFS or its constructors; internal/lint sees to that.
package memfs
