// Package served measures servers that speak the Redis protocol, with one set of all members: calls a second and round trips of many
// connections, and the memory of the process. A system is one server, with two clients in turn:
//
//   - client is this process: a goroutine for each connection, through redigo, as a Go program would have it. Its work is part of the figures.
//   - redis-benchmark is Redis's own.
//
// Both send the next requests of a connection when all replies to the last ones have come: a closed loop.
//
// # Where things are
//
//   - served.go: the benchmark, its cases and its tables
//   - session.go: one server with its members, measured in turns by the client of this process
//   - benchmark.go: redis-benchmark
package served
