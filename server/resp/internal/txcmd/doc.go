// Package txcmd has the commands of transactions: MULTI, EXEC, DISCARD, WATCH and UNWATCH.
//
// EXEC executes its commands in one transaction of the engine, over the keys of all of them and those that are watched. Each is answered, and
// one that is refused does not stop the others, as in Redis. Other than in Redis all are undone, and EXEC answers EXECABORT, if one fails for
// what only shows while it runs: the transaction is too large, memory or disk are full, or the reply would be larger than Options.MaxReply.
//
// # Where things are
//
//	multi.go   Commands: the rows; MULTI, EXEC, DISCARD
//	watch.go   WATCH, UNWATCH
package txcmd
