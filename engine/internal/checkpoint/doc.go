// Package checkpoint writes snapshots of sets and cuts the log.
//
// It owns the rule when a snapshot is due, the list of dropped sets that the store still has, and the figures of the last snapshot.
// Writers go on: a set is locked for reading while one of its pages is encoded, and the store makes the snapshot sleep between pages while others
// commit. After a snapshot fails, every page that it wrote counts
// as changed again. A set on the disk only that blind writes have changed is read to be written, a few sets at a time, and leaves memory at once.
//
// # Where things are
//
//	due.go               when a snapshot is taken: in the background, and by Close
//	compact.go           a snapshot, and then a compaction of the store
//	snapshot.go          one snapshot of all sets that have changed
//	writeout.go          writing some sets, so that they can leave memory
//	piece.go             a piece of a write-out, and the sets that are read for it because of blind writes
//	writing.go           what both share: writing a set page by page, publishing, and the dropped sets
//	manager.go           Manager
//	snapshot_figures.go  Snapshots, which Stats shows
package checkpoint
