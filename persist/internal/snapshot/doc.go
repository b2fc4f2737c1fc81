// Package snapshot writes snapshots and reads their pages.
//
// It promises P6 (pages count only when a record names them, and do not change), P7 (one batch replaces a record and deletes the pages that it
// had; the last one cuts the log) and P19 (m/publishing). It reads back every written page before it cuts the log.
//
// # Where things are
//
//	leftover.go  deleting the pages of snapshots that were not published, or not to the end
//	pages.go     reading the sets' records and their pages
//	publish.go   the batches that publish a snapshot
//	readback.go  reading back what was written
//	size.go      what pages take on the disk
//	snapshot.go  Snapshot: writing the pages of sets
package snapshot
