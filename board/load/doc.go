// Package load makes a new board of rankings that come from elsewhere, as from the sorted sets of a Redis: all its periods at once, those that are over as closed ones.
//
//	l, err := load.New(ctx, boards, spec, now)
//	err = l.Add("day", period, entries)
//	report, err := l.Finish(ctx)
//
// Nobody sees the board before Finish has stored all of it. A process that ends before leaves nothing.
//
// # What it promises
//
//   - L1: each entry is what the first submission of the member to that period would have made it. Entries with the same score and the same time stand in the order in
//     which Add has them, under the tie rules that go by time.
//   - L2: a period whose end and grace are over at the time of New is closed, and takes no results. It closed when they were over. The others are open. What the spec awards does not
//     happen: see "What cannot be loaded".
//   - L3: until Finish the board is in memory.
//
// # What cannot be loaded
//
// Boards that cannot move either (see package move: those with awards, parts and so on; Boards.Migrate gives a board these later), boards with operators that keep several results of a
// member, and columns that are absent or computed.
//
// # Where things are
//
//	load.go    Loader
//	closed.go  which periods are closed
package load
