// Package local keeps leaderboards in an engine: see package board, which says what boards are and what they promise.
//
//	boards, err := local.Open(e, local.Options{})
//	defer boards.Close()
//	arena, err := boards.Define(ctx, board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Week}})
//	change, err := arena.Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(15)})
//
// # Closures
//
// The functions given to SubmitFunc and Ranking.View run inside the closure of a transaction of the engine. Inside such a closure every method
// that reads or changes stored data returns engine.ErrInTx, by the rule of package engine. Use Boards.In there, and the Ranking that View gives.
// Methods that only need memory still work: Board, All, Live, At, Baseline, LastClosed, NextReset, NextDue, Deadline, and Hints unless the board is being migrated.
//
// # Transactions
//
// Boards.In makes a board part of a transaction of its engine, an Update or a View. Several boards, groups, and the program's own sets and private keys, are read
// as they are at one moment, and change together or not at all.
//
//   - A transaction names no keys: a call locks the sets that it needs. If they are not free, or the board needs others by then (a period has begun, a part
//     was split, the board was migrated), the engine runs the closure again: see Engine.Update. The keys that Hints gives save such restarts.
//   - The rankings that InTx gives have all reads. They see what the transaction has changed before, and stay with their period. The time is Tx.Now.
//   - A submission without At gets the time at which its sets are locked, so that with the operator Last the one that commits later counts. If a period has begun
//     or ended since Tx.Now, the transaction restarts. One that has an At
//     of its own may be older than what is there: then nothing changes, err is nil, and Change.Ignored is IgnoredOlder.
//   - SubmitFunc, SetMeta, Remove and BestRank work as those of Board. Baselines, unions and closing are no part of transactions.
//   - Boards.GroupsIn makes groups part of a transaction: they are founded and dissolved, and members join, move and leave. What such a member submits later in the same
//     transaction counts for its new group. Derived boards follow in the same commit. JoinAll and Rename are no part of transactions.
//   - Cost: a read takes as long as outside. The transaction and Live together take about as long as two ranks, and 12 allocations. Others wait
//     for the sets that a transaction has locked, in an Update those who read too. Metadata takes the lock of the private keys of its board.
//
// # How it is stored
//
// The keys of sets follow one scheme. The last three parts are fixed, so the name itself may contain slashes:
//
//	board/<name>/<kind>/<period>/v<version>      board/shop/flowers/stars/week/2026-W47/v1
//
// The name may be service, business and subject, as here, or a single word. The kind of a ranking is the name of its window. Other kinds are
// .once, for Once keys; .journal, for the journal; .best.WINDOW, for best ranks; .base.WINDOW, for baselines, whose name stands in place of the period; .timers.WINDOW
// and .results.WINDOW, for the results in a rolling window; .hidden.WINDOW, for the entries of hidden members; .awards.WINDOW, for the awards of a closed period;
// .cohort.WINDOW, for the cohorts of a period; .tiers.WINDOW, for the tiers of members; and .tail.NUMBER.WINDOW, for the buckets of members beyond the best. The first part of a
// ranking in parts has the key that the ranking has as one set; the others have the kinds .part.1.WINDOW, .part.2.WINDOW and so on. The version rises
// with each migration. Engine.Glob lists them
// ("board/shop/*/week/*"), ParseKey takes them apart. A stored union has a set board.union/<name>/v<version>, and a record with its rules, its
// number of members, its digest and the version of its set under a private key. Each one that is stored has another version.
//
// A ranking is a set of int64 scores with a tie, in the form of package rules: best first. Beside the sets a board has private
// keys: its spec, how far each window is closed, a record and perhaps a settlement of each closed period, the metadata of entries, kept results, times, and the layouts of parts
// whose number follows that of members; and an intent for each deletion that
// takes more than one commit, until it is complete. All keys that begin with "board/" or "board." belong to this
// package: everybody may read them, and every call of the engine that would change one returns engine.ErrReserved.
//
// # Where things are
//
// This package has the exported API; its methods delegate to the packages below board/internal, which import one way, from the first to the last:
//
//	internal/moderation bans, hides and other changes of a member, in open and closed periods; reverts
//	internal/transfer   boards that move to another store or come from one; giving a board another spec
//	internal/check      the check that closed periods have not changed
//	internal/submit     submissions, metadata, removal
//	internal/observers  what is told of every change of an entry
//	internal/groups     groups and their members; boards of groups, which follow those of the members
//	internal/closing    closing periods, in time and by hand; dropping those that are not kept
//	internal/settlement the awards of closed periods: settled, delivered, claimed
//	internal/leagues    cohorts: who is put together, promoted and relegated
//	internal/periods    the periods of a board and their rankings, now and at past moments; baselines; unions
//	internal/places     the index of the members of closed periods
//	internal/place      where the entry of one member is, and the one door for a change of it
//	internal/journal    the journal of submissions
//	internal/rolling    the rankings of rolling windows
//	internal/tail       the rankings of the best members; the others in buckets
//	internal/catalog    the boards of an engine; a board's state and locks; deletions; who is in which group
//	internal/events     events in commits: writing and reading them
//	internal/relocation moving a board from one store to another
//	internal/auditlog   who changed what of a member, when and why
//	internal/totals     the scores of groups from those of their members
//	internal/entry      what a result makes of the entry of a member
//	internal/state      a board under one spec; open and closed periods of a window; stored specs
//	internal/ranking    reads of one ranking; in which part of a ranking a member is
//	internal/buckets    which bucket has a member, and which the best one
//	internal/boardkey   the keys of sets and the private keys
//	internal/calendar   time zones, for package window
//
// The files of this package:
//
//	boards.go      Boards: Open, Define, Migrate, Drop, CloseDue, Check
//	board.go       boards one by one: submissions, periods, baselines
//	in_tx.go       InTx: a board in a transaction; hints.go Hints: the keys that it needs
//	feed.go        Feed: what happens on boards; Watch
//	journal.go     Journal: what was submitted; AsOf: the ranking of then; Revert: taking it back
//	awards.go      Deliver, Claim, Resettle: what a period awards when it ends
//	leagues.go     League, Tier, Promotions: cohorts
//	moderation.go  Ban, Hide, Audit: what an operator does about a member
//	groups.go      groups: who is in which guild
//	groups_in_tx.go  GroupsInTx: groups in a transaction
//	unions.go      Union, StoreUnion: one ranking of several
//	types.go       Key, Report
package local
