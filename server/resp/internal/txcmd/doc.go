// Package txcmd has the commands of transactions: MULTI, EXEC, DISCARD, WATCH and UNWATCH.
//
// EXEC executes its commands in one transaction of the engine, which locks their keys and the watched ones. Each command is answered, and
// one that is refused does not stop the others, as in Redis. Unlike in Redis all are undone, and EXEC answers EXECABORT, if one fails for a
// reason that only shows while it runs: the transaction is too large, memory or disk are full, or the reply would be larger than
// Options.MaxReply.
//
// # Where things are
//
//	multi.go   Commands: the rows; MULTI, EXEC, DISCARD
//	watch.go   WATCH, UNWATCH
package txcmd
