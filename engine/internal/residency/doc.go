// Package residency decides which sets are in memory.
//
// It owns the reading of sets from the disk, each once however many want it, and the eviction of those that have not been used for
// longest when memory is short. No lock is held while a set is read.
//
// # Where things are
//
//	evict.go     Manager: eviction under Options.MemoryLimit
//	load.go      reading a set from the disk
//	preload.go   room for a set that Preload wants
//	pressure.go  Pressure: the event that sets take more memory than they may
package residency
