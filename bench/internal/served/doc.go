// Package served measures servers that speak the Redis protocol, with one set of all members: calls a second and round trips of many
// connections, and the memory of the process. A system is one server, with two clients in turn:
//
//   - client is this process: one thread that serves all connections with epoll. Requests are in memory as they go over the wire before
//     the clock starts, and replies are read only as far as it takes to count them and to see errors, so that the client takes as little
//     as possible of the machine, which it shares with the server.
//   - redis-benchmark is Redis's own.
//
// Both send the next requests of a connection when all replies to the last ones have come: a closed loop.
//
// # Where things are
//
//   - served.go: the benchmark, its cases and its tables
//   - session.go: one server with its members, measured in turns
//   - requests.go: requests and replies on the wire
//   - connections_linux.go, connections_other.go: the client of this process
//   - benchmark.go: redis-benchmark
package served
