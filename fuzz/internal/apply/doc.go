// Package apply runs one operation on one state, and writes its reply.
//
// All machines but those of package servers use it, so their replies to the same state have the same text. A State is a transaction of an
// engine, of the oracle, or the naive map of package structures.
//
// Replies hide what a configuration must not change (F1): encodings, versions, sizes. After a crash the runner reads everything that the
// machine holds, and these replies decide from which world the oracle goes on. So dumpBoard writes more than a reader of a board sees:
// whether periods without entries were closed by hand, and which Once keys have been used. Both decide later replies.
//
// # Where things are
//
//	apply.go        Op: which function an operation goes to
//	state.go        State, Keyspace, SetOf: the interfaces that operations use
//	change.go       operations that change a set
//	look.go         operations that read a set
//	arguments.go    scores, bounds and conditions as sets take them
//	reply.go        replies, and the documented errors
//	boards.go       BoardOp: operations on leaderboards
//	leaderboard.go  Leaderboard and Boards: the methods that these operations use
//	boards_dump.go  everything that decides later replies of a board
//	boards_text.go  replies about boards
//	moderation.go   operations that change what a board has of a member, and replies about them
//	leagues.go      operations on cohorts and tiers, and replies about them
//	awards.go       operations on awards, and replies about them
package apply
