// Package memfs is the in-memory file system of this repository: Pebble's, made safe for tests that simulate power cuts during any
// operation.
//
// Pebble's vfs.MemFS (2.1.7) may deadlock if CrashClone runs at the same time as Link, ReuseForWrite or Lock. Each of the three takes a
// read lock twice, and a sync.RWMutex lets no reader in once a writer waits:
//
//	Link, ReuseForWrite, Lock        CrashClone
//	cloneMu.RLock()
//	                                 cloneMu.Lock()    waits for the reader
//	cloneMu.RLock()                                    waits for the writer
//
// Link also holds the mutex of the whole file tree at its second RLock, so that Sync, Stat and GetDiskUsage wait for it. [FS] prevents
// the deadlock: none of the three begins while a clone waits or runs, and no clone begins while one of them runs. All other methods of
// MemFS take the lock at most once, and pass through.
//
// No other package of the repository names vfs.MemFS or its constructors; internal/lint sees to that.
package memfs
