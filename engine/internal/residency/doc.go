// Package residency decides which sets are in memory.
//
// It owns the loading of sets from the disk and, under the memory limit, the eviction of the least recently used sets and the queue of
// transactions that wait for room. When several callers want a set at once, it is read once. No lock is held while a set is read.
// Blind writes to a set on the disk only wait in its Blind until it is read: see package keyspace.
//
// # Where things are
//
//	evict.go     Manager: eviction under Options.MemoryLimit
//	load.go      reading a set from the disk
//	preload.go   loading a set that fits
//	pressure.go  Pressure: the event that sets take more memory than the limit
//	room.go      the queue of transactions that wait for room under the limit
//	writing.go   the write-out that runs, and how the last one ended
package residency
