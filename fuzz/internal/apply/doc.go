// Package apply runs one operation on one state, and writes its reply.
//
// All machines but the clients of servers share it, so that a reply depends on the layer and not on who wrote it down. A State is a
// transaction of an engine, of the oracle, or the naive map of package structures.
//
// Replies hide what a configuration must not change (F1): encodings, versions, sizes. After a restart the machine is asked for everything,
// and its replies decide from which world the oracle goes on. So dumpBoard writes more than a reader of a board sees: whether periods
// without entries were closed by hand, and which Once keys have been used. Both decide later replies.
//
// # Where things are
//
//	apply.go        Op: which function an operation goes to
//	state.go        State, Keyspace, SetOf: what operations are applied to
//	change.go       operations that change a set
//	look.go         operations that read a set
//	arguments.go    scores, bounds and conditions as sets take them
//	reply.go        replies, and the errors that callers are promised
//	boards.go       BoardOp: operations on leaderboards
//	leaderboard.go  Leaderboard and Boards, which these use
//	boards_dump.go  everything that decides later replies of a board
//	boards_text.go  replies about boards
package apply
