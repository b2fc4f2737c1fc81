// Package move moves boards from an engine to a cluster, and back, or from one engine to another, while they are in use.
//
//	report, err := move.Board(ctx, "arena", boards, clusterBoards, move.Options{})
//
// A board comes with its spec, its live and closed periods, metadata, results that the operator keeps, Once keys, hidden and banned members, and the audit log. It is copied while submissions go on; then they wait
// for as long as the last changes take, and from then on the old place answers every call with a *board.RelocatedError. A program that asks both places does not
// notice: see Follow.
//
// Until the switch the board belongs to the old place. A move that fails, or whose process is killed, is made again, or given up by Abort: no acknowledged
// submission is lost, and none counts twice.
//
// # What cannot move
//
// Boards whose spec has top, parts, best ranks, a journal, a feed, awards or leagues, derived boards and those that others follow, and rolling windows: ErrImmovable. A board with
// baselines, members who watch, ranks that nobody has, or bans of erased members moves with Options.Partial only, and leaves those behind.
//
// # Costs
//
// The engine's feed tells which members change. To a cluster, everything is copied and compared in two passes; the fence takes as long as what has changed during the last
// of them, and with metadata or kept results one read of all of it more. To an engine, all open periods are in memory until they are stored at the end, while
// submissions wait.
//
// If snapshots of the engine cut its log before the move has read it, everything is copied again, three times at most; then the move fails. Options.FeedLogBytes of the engine
// leaves more of the log.
//
// # Where things are
//
//	move.go    Board, Abort, Names
//	options.go Options, Progress, Report, errors
//	run.go     the steps of a move; copying.go copies and compares
//	follow.go  Follow: boards that may move while they are used; follow_board.go the calls of such a board
package move
