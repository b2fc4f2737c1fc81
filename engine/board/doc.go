// Package board is a leaderboard: who scored what, who leads now, this week and of all time, and who is number 4,711.
//
//	b, err := board.Open(e, board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Week}})
//	change, err := b.Submit(board.Submission{Member: "ada", Score: 15})
//	week, err := b.Live(board.Week)
//	top, err := week.Top(10)
//
// # Terminology
//
//   - submission: a member's result and when it happened.
//   - operator: how a submission meets the score a member has: Sum adds, Best keeps the better, Last replaces.
//   - window: how a board is cut in time: All, Hour, Day, Week (from Monday), Month, Year, in UTC.
//   - period: one run of a window: 2026-W47. A submission belongs to the period that its own time lies in, however late it
//     comes. Periods are written all, 2026-11-20T15, 2026-11-20, 2026-W47 (ISO 8601), 2026-11, 2026, and order as text as
//     they do in time.
//   - ranking: the members of one period, best first.
//   - rank: a member's place in a ranking, from 1, each place held by one member (ordinal, 1234).
//   - reached: when a member came to the score it has.
//   - tie: members of equal score. FirstToReach puts who reached it earlier first, LastToReach who reached it later, both by
//     the submissions' times to the microsecond and then by arrival; ByMember goes by the member's bytes.
//
// # What it promises
//
//   - B1: one submission updates every window in one commit, durable as the engine is.
//   - B2: a submission that leaves a member's score as it is never moves the member behind its equals.
//   - B3: a member's score in a period is the operator over that period's submissions, in the order they came.
//   - B4: ranks are exact.
//
// # How it is stored
//
// A board's spec is the engine's private key "board/NAME". The ranking of a period is the set "board/NAME/WINDOW/PERIOD",
// with / and % in the name written as %2F and %25. Keys of both kinds that begin with "board/" belong to this package. Sets
// are kept best first: a descending board stores negated scores, so that one tie rule, ascending bytes, serves both orders.
package board
