// Package httpapi measures boards over HTTP beside the Redis protocol and calls in the process: submissions with ranks, the first ten rows, answers 304, and
// the memory of a stream of events. Servers and callers are in one process, so that all systems pay the same for the callers: each is a connection that
// writes a request that was made before, and reads as much of the answer as it must.
//
// # Where things are
//
//   - httpapi.go: the benchmark, its cases and its tables
//   - session.go: one system with its members, measured in turns
//   - systems.go: a board in the process, behind RESP and behind the API
//   - conn.go: connections of callers
//   - streams.go: the memory of streams
package httpapi
