// Package boards measures a leaderboard of three windows, all time, day and week, beside what a user would write without package board.
//
// A submission adds points to a player in every window and asks for the player's rank in each. A card is the first 10 of all time, the
// player's own row, and the 5 around it on each side. Players and points are drawn before. Each caller makes its next call when the last
// one has been answered; where 100 are made together, when all of them have been, and those ask for no ranks.
//
// By hand there are three sets of plain scores: equal scores go by the member, nothing ends a period, the answer has nothing of before,
// and the keys are known without a calendar. The doubt goes to the peers.
//
// # Where things are
//
//   - boards.go: the benchmark, its cases and its tables
//   - calls.go: what callers do, in turns
//   - systems.go: the board, and three sets by hand
//   - arena.go: a board on an engine of its own, with a clock
//   - hot.go: hot: one board from many goroutines
//   - single.go: single calls and their allocations, beside the sets that a submission changes
//   - variants.go: boards of other kinds beside a plain one: rolling windows, the best of many, a coarse tail, many columns, a journal, groups, parts
//   - groups.go: guilds and countries of the players of a board
//   - rolling.go: rolling windows; results that leave together, and submitters meanwhile
//   - unions.go: seven days united into a week, computed and stored, and submitters meanwhile
//   - awards.go: a day settled and delivered, and submitters meanwhile; claims
//   - feed.go: submissions with a feed and 100 readers, with a feed alone, and without
//   - moderation.go: a player of a thousand closed days banned or erased, and submitters meanwhile; its history
//   - periods.go: what periods cost: memory, disk, closing, migration, and submitters meanwhile
package boards
