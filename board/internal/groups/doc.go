// Package groups changes groups and their members: who founds them, joins them and leaves them, and what that does to derived boards.
//
// What is stored of a kind of groups is under private keys; package membership has the copy in memory. A change is one function, which runs in a transaction of its own
// or in one of the caller's. It changes both, and the entries of groups on derived boards in all open periods, in one commit.
//
// A transaction has the lock of each member that it moves or asks for, and of each group that it makes, changes, dissolves or asks for, or whose members it moves. These
// are keys of sets that there never are, so the engine orders them like sets: nothing deadlocks, and a transaction that cannot have one now restarts with it.
//
//   - GR1: a member is in one group of a kind at most.
//   - GR2: after every commit the score of a group on a derived board follows from the members that the kind has then: see package following.
//   - GR3: a group that is dissolved leaves all open periods by one commit. The keys of its members go after that, some in each commit, or when the boards are opened
//     again.
//
// # Where things are
//
//	define.go    Define: kinds of groups
//	change.go    Change: a change in a transaction of its own, or in one of the caller's
//	move.go      moving: the change of members that go from one group to another
//	join.go      Join, JoinAll, Move, Leave
//	rename.go    Rename: a member takes the place of another one
//	group.go     Create, SetMeta, Info, All: groups
//	dissolve.go  Dissolve
//	erase.go     Erase
//	inner.go     the ranking of the members of one group
//	in_tx.go     InTx: reads in a transaction of the caller's; Dissolve there
package groups
