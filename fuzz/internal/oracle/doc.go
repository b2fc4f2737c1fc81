// Package oracle is the oracle, which computes the replies that a machine must give: sets of internal/model in a Go map.
//
// It owns the worlds, one after each commit, that a machine may go back to after a crash (F5). A world is never changed: a block copies
// what it changes.
//
// # Where things are
//
//	oracle.go   the oracle, and New, NewFloat, NewResp, NewBoards
//	whole.go    operations on whole sets
//	combine.go  union and intersection
//	expire.go   expiry
//	tx.go       a block under way
//	world.go    a world and its sets
//	set.go      Set: a set of internal/model with the methods that operations use
//	values.go   Values: private keys
package oracle
