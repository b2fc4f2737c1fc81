// Package remote is boards of a server of package api, as the boards of a Go program.
//
//	boards, err := remote.New("http://127.0.0.1:8080", remote.Options{Key: key})
//	arena, err := boards.Board(ctx, "arena")
//	change, err := arena.Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(15)})
//	week, err := arena.Live(ctx, "week")
//	rows, err := week.Top(10)
//
// Boards and rankings have the methods of those of package board, and errors.Is and errors.As find the errors of package board. Each call is a
// request. It is not repeated: a caller that repeats a submission gives it a Once key.
//
//   - A list of more than 1,000 rows is several requests, which may be of different moments. Pin and View read one moment: the server keeps the copy,
//     for a minute after its last use.
//   - SubmitFunc reads the row, calls the function, and submits if the row is still the same; else it begins again.
//   - Transactions (local.Boards.In) and Deliver are not there: they need the engine in the process.
//   - Numbers have the text that they have on the server. A float64 without a fraction comes as an int64, and one with a fraction as a decimal number.
//
// # Where things are
//
//	boards.go      New; boards as a whole
//	board.go       one board: submissions, windows
//	periods.go     its rankings, periods and baselines
//	ranking.go     rankings: rows; statistics.go what is counted
//	pinned.go      Pin and View
//	moderation.go  what operators do; audit.go what they read
//	awards.go      awards; leagues.go cohorts and tiers
//	groups.go      groups; unions.go unions of rankings
//	feed.go        the feed
//	pages.go       lists by pages
//	client.go      requests; errors.go Error
package remote
