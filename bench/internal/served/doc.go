// Package served measures servers that speak the Redis protocol, with one set of all members: calls a second and round trips of many
// connections, and the memory of the process. One run of it is one server at one level, with two clients in turn:
//
//   - client is this process: one thread that serves all connections with epoll. Requests are in memory as they go over the wire before
//     the clock starts, and replies are read only as far as it takes to count them and to see errors, so that it takes as little as
//     possible of what it shares with the server, the machine.
//   - redis-benchmark is Redis's own.
//
// Both send the next requests of a connection when all replies to the last ones have come: a closed loop.
package served
