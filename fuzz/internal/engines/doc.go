// Package engines runs scripts on engines, in memory or on a disk whose power can fail, with leaderboards on top or without.
//
// A Machine tells the runner which commits it has promised to keep (F5). It closes the periods that are due after each sleep (F10), and
// checks in every transaction that calls of the engine inside it are refused.
//
// # Where things are
//
//	configs.go      Volatile, Durable, Boards: the configurations
//	run.go          blocks as transactions
//	call.go         calls that are transactions of their own
//	between.go      operations between blocks: snapshots, restarts, crashes, copies
//	machine.go      Machine: an engine, its disk and its clock
//	transaction.go  a transaction as a State
//	boards.go       the boards of an engine
//	following.go    boards of groups that follow one of them
//	disk.go         Disk: a file system in memory that survives a power cut in part
package engines
