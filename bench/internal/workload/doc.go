// Package workload draws what a measurement does before its clock starts: which member, which score, in which order.
// The same seed gives every peer the same work. A Workload says which members and scores; Replay takes them from a file.
//
// A stream holds no pointers except two to its texts, so that the collector has nothing to scan in it, and it is read
// front to back, so that a peer never pays for fetching the question, only for answering it. Each operation has its own
// copy of the member's text, as a request just parsed would: Go's map compares the addresses of strings before their
// bytes, and must not win by that.
//
// # Where things are
//
//   - workload.go: the list of workloads
//   - shapes.go: which members and scores they draw
//   - load.go: what is drawn for one run
//   - stream.go: operations in memory, and cursors of callers
//   - replay.go: the events of a file
package workload
