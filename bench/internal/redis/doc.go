// Package redis runs a redis-server, or another program that speaks its protocol, and connects to it over loopback with redigo.
//
// # Where things are
//
//   - server.go: the process of a server
//   - client.go: what benchmarks ask a server
package redis
