// Package redis runs a redis-server of the machine's for a measurement, or a program that speaks as one does, and talks to it over
// loopback.
//
// A connection writes commands into one buffer and reads replies as they come, with no pool, no reflection and nothing
// allocated for each call, so that what is measured is the server and the kernel: a client library of the field costs more.
//
// # Where things are
//
//   - server.go: a process that serves, and what it prints
//   - conn.go: a connection
//   - process_linux.go, process_other.go: how a process is stopped, resumed and killed
package redis
