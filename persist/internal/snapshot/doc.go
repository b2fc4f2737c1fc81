// Package snapshot writes snapshots and reads their pages.
//
// It promises P6 (pages count only when a record names them, and do not change) and P7 (one batch publishes a snapshot, deletes what it
// replaces and cuts the log). It reads back every written page before it cuts the log.
//
// # Where things are
//
//	pages.go     reading the sets' records and their pages; deleting those of an unpublished snapshot
//	publish.go   the batch that publishes a snapshot
//	readback.go  reading back what was written
//	snapshot.go  Snapshot: writing the pages of sets
package snapshot
