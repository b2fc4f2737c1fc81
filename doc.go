// Package zrank keeps leaderboards in a Go program: exact ranks in O(log n), daily, weekly and all-time boards from one submission, durable in an embedded
// store. No server is needed, and no cgo.
//
//	db, err := zrank.Open("data", nil)
//	defer db.Close()
//	arena, err := db.Define(ctx, board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Week}})
//	change, err := arena.Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(15)})
//	week, err := arena.Live(ctx, "week")
//	rows, err := week.Top(ctx, 10)
//
// A transaction changes boards, groups, sorted sets and keys of the program together, or not at all. It names nothing beforehand:
//
//	err = db.Update(ctx, func(tx *zrank.Tx) error {
//		arena, err := tx.Board("arena")
//		if err != nil {
//			return err
//		}
//		if _, err := arena.Submit(board.Submission{Member: "ada", Score: board.Ints(5)}); err != nil {
//			return err
//		}
//		return tx.Put("coins:ada", []byte("95"))
//	})
//
// # What to read next
//
//   - package board: what a board is; specs, submissions, rankings, moderation, awards, leagues, groups, the feed
//   - package engine: the sets, transactions and durability below
//   - package board/cluster: the same boards on a Redis or Valkey cluster
//   - package server/api: the same boards over HTTP; its client is another board.Store
//
// # Tests
//
// Package zranktest gives a test of a game a DB in memory and its clock. When the clock has moved, what was due is done: periods are closed, awards delivered.
//
// # Where things are
//
//	db.go  DB: Open and New; Options
//	tx.go  Tx: Update and View
package zrank
