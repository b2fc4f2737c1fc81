// Package live writes server-sent events: streams of the feed of boards, and of the first rows of rankings.
//
// # What it promises
//
//   - L1: a client that does not read for as long as the deadline of the writer allows ends its stream, and holds nothing of others.
//   - L2: what a stream keeps for its client is bounded: the feed is read from the log as fast as the client takes it, and of a top list only the newest
//     state is sent.
//   - L3: a ranking is read once for all clients that want the same rows of it, and not more often than once in an interval.
//   - L4: a stream sends something at least once in a heartbeat, so that proxies and clients know that it is alive.
//
// # Where things are
//
//	stream.go   Stream: events to one client
//	tops.go     Tops: the first rows of rankings, for many clients
package live
