// Package subject holds the systems under test behind one declaration: sets on an engine, in bytedance's structure, in Redis and in
// Pebble, at the durability levels of zrank and of Redis.
//
// # Where things are
//
//   - sets.go: Op, System, and Start, which measures a system in closed loops
//   - engine.go: Level, engines, and sets on one
//   - peers.go: sets of bytedance, Redis and Pebble
package subject
