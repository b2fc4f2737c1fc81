// Package groups changes groups and their members: who founds them, joins them and leaves them, and what that does to derived boards.
//
// What is stored of a kind of groups is under private keys; package membership has the copy in memory. A call changes both, and the entries of groups on derived
// boards in all open periods, in one commit.
//
//   - GR1: a member is in one group of a kind at most.
//   - GR2: after every commit the score of a group on a derived board follows from the members that the kind has then: see package following.
//   - GR3: a group that is dissolved leaves all open periods by one commit. The keys of its members go after that, some in each commit, or when the boards are opened
//     again.
//
// # Where things are
//
//	define.go    Define: kinds of groups
//	change.go    change: a call that moves members, its transaction
//	join.go      Join, JoinAll, Move, Leave
//	rename.go    Rename: a member takes the place of another one
//	group.go     Create, SetMeta, Get, All: groups
//	dissolve.go  Dissolve
//	erase.go     Erase
//	inner.go     the ranking of the members of one group
package groups
