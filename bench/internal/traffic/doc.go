// Package traffic measures goroutines that read and write sets at once: one case, one system, in this process, in turns with
// the other systems in theirs.
//
// A case is a keyspace, one hot set or many small ones, and what a write waits for. Each system first gets every member. Then
// come the spots: each mix of reads and writes with each number of goroutines. A read asks for the rank of a member, a
// write gives a member another score; member, score and set are drawn before. Each goroutine makes its next call when the last
// one has been answered; with a pipeline, when the last 16 have been. Calls are counted without a look at the clock.
//
// The keyspace of bytedance is a map under a read-write lock, which its user would write; for the hot set there is none, only
// its own lock. Redis is a process of its own beside this one, with one connection over loopback for each goroutine.
package traffic
