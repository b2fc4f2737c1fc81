// Package traffic measures callers of the engine in closed loops: commits on the disk (durable), and goroutines that read and write sets at
// once (engine). Each system first gets every member. What callers do is drawn before. Each caller makes its next call when the last one has
// returned. Calls are counted without a look at the clock; those of durable are timed after that, for as long again.
//
// Durable updates one set: callers who wait for the disk, and callers who do not. Each commit gives random members scores that they do not
// have. A case of engine is a keyspace, one hot set or many small ones, and a durability level; its spots are each mix of reads and writes
// with each number of goroutines. A read is the rank of a member, a write gives a member another score. The collector is on, and snapshots
// are taken as the engine's options say.
//
// # Where things are
//
//   - durable.go: durable: the engine, and Pebble alone with the options that persist gives it
//   - traffic.go: engine, its table, and what its callers do
package traffic
