// Package catalog holds the boards of an engine, and the locks of each board.
//
// It owns the list of boards and their lifecycle: open, define, drop, close. Board gives a call the board's State and tells whether the
// state may still be changed; board.go lists the locks and their order. The packages above use these and take no locks of their own.
// Packages closing, submit, periods and migration are the calls on a board.
//
// # Where things are
//
//	open.go     Open, and what it reads
//	define.go   Define and Drop
//	catalog.go  Catalog: looking up boards; closing
//	gate.go     a lock for long work
//	board.go    Board: its state and its locks; Retry
//	bans.go     Bans: the banned members of a board
//	hides.go    Hides: the hidden members of a board
//	events.go   what writes the events of a board; Watch
//	follow.go   Following: a derived board and its source; locks of both
//	kinds.go    Groups: kinds of groups, and the boards of such groups; reading them
//	stored_group.go  the stored form of groups and of their members
//	relocated.go  boards that leave for another store, or come from one
//	later.go    steps that transactions of callers have made due
//	env.go      Env: what the boards share; checks that a call begins with
//	parts.go    reading a ranking in parts; stored layouts
//	background.go  Background: a goroutine of the boards
//	in_tx.go    a call in a transaction of the caller's: its locks, restarts
//	named.go    which keys a transaction of the caller's has named
//	idle.go     Evictor: closed periods that were read leave memory
//	jump.go     JumpGuard: a clock that jumps ahead
package catalog
