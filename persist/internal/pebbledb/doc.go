// Package pebbledb owns the Pebble database of a store and every access to it.
//
// It promises:
//
//   - The first failure closes the latch: every write from then on is refused with the same ErrPersistence, and the files stay as
//     they are (P13). Reads go on. Pebble neither ends the process nor panics in it.
//   - Pebble stays open until every Acquire has its Release.
//   - Every write is timed, to notice a disk that does not answer. Writes are refused when the disk is nearly full.
//   - Batches are numbered without gaps (P15).
//
// Apply is for the one goroutine that writes (P10).
//
// # Where things are
//
//	ahead.go        reading ahead in a long scan
//	batchnumber.go  the numbers of batches, and the search for a missing log of Pebble
//	callwatch.go    callWatch: how long a call to the disk has taken
//	db.go           DB: users, the latch, closing
//	event.go        Event, and the notifier that calls Options.OnEvent
//	files.go        the files that Pebble uses, and those that it needs no more
//	giveway.go      GiveWay; tables whose writing gives way to commits
//	open.go         New, Run, Open
//	pace.go         waiting for Pebble to catch up while pages or many commits are written
//	pebble.go       Pebble's options, its logger, guarding calls to it, Apply
//	read.go         Get, Scan and iterators that end when the store closes
//	recycle.go      FreshLogs: when Pebble may write over an old log
//	reserve.go      how much space is kept free
//	sizes.go        the sizes that Pebble is opened with
//	space.go        the free space of the disk
//	watch.go        timed calls to the disk: slow, stalled
//	wholelogs.go    which part of the logs is whole
package pebbledb
