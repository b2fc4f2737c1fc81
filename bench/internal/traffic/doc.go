// Package traffic measures goroutines that read and write sets at once.
//
// A case is a keyspace, one hot set or many small ones, and a durability level. Each system first gets every member. Then come the spots:
// each mix of reads and writes with each number of goroutines. A read is the rank of a member, a write gives a member another score;
// member, score and set are drawn before. Each goroutine makes its next calls when the last ones have been answered. Calls are counted
// without a look at the clock.
//
// # Where things are
//
//   - traffic.go: the benchmark, its table, and what callers do
package traffic
