// Package boardoracle is the oracle of leaderboards.
//
// It is written from the documentation of package board, in maps that are sorted anew for every question. It uses the types of that
// package and nothing else of it: neither its rules nor its calendar.
//
// # Where things are
//
//	boards.go   Boards: those of one block, copied before they change
//	at.go       boardAt: a board at the present time
//	board.go    changes of members, periods and baselines
//	submit.go   submissions
//	rolling.go  rolling windows
//	kept.go     operators that add up some results
//	top.go      rankings of the best members
//	ranking.go  rankings
//	moderation.go  bans and hidden members, the audit log, the places of a member
//	journal.go  the journal of submissions
//	revert.go   taking submissions back
//	erase.go    erasing members
//	rename.go   renaming and merging members
//	awards.go   awards of closed periods, and what members and programs do with them
//	cohorts.go  who is in which cohort, and in which tier
//	leagues.go  calls about cohorts and tiers
//	settled.go  settling, and settling again
//	union.go    unions of rankings of one board
//	world.go    World: all that a board is
//	rules.go    comparison, operators and calendar, written again
package boardoracle
