// Package subject is what benchmarks share of the systems under test: durability levels in the words of zrank and of Redis, and helpers for
// an engine and for a redis-server.
//
// # Where things are
//
//   - subject.go: Level, and engines
//   - redis.go: a redis-server with its control connection
package subject
