// Package redis runs a redis-server of the machine's for a measurement, or a program that speaks as one does, and talks to it over
// loopback.
//
// A connection writes commands into one buffer and reads replies as they come, with no pool, no reflection and nothing
// allocated for each call, so that what is measured is the server and the kernel: a client library of the field costs more.
package redis
