// Package residency decides which sets are in memory.
//
// It owns the loading of sets from the disk and, under the memory limit, the eviction of the least recently used sets. When several callers
// want a set at once, it is read once. No lock is held while a set is read.
//
// # Where things are
//
//	evict.go     Manager: eviction under Options.MemoryLimit
//	load.go      reading a set from the disk
//	preload.go   reserving memory for a set that Preload wants
//	pressure.go  Pressure: the event that sets take more memory than the limit
package residency
