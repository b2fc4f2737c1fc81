// Package catalog holds the boards of an engine, and the locks of each board.
//
// It owns the list of boards and their lifecycle: open, define, drop, close. Board gives a call the board's State and tells whether the
// state may still be changed; board.go lists the locks and their order. The packages above use these and take no locks of their own.
// Packages closing, submit, periods and migration are the calls on a board.
//
// # Deletions
//
// A deletion may be too large for one commit. So the commit that removes a board, a window or a period also stores an intent. Finish then
// deletes the sets and private keys in many commits, and the intent in the last one. After a crash or on a full disk, Resume
// repeats the deletions whose intents are still stored. Both are idempotent.
//
// # Who is in which group
//
// Membership keeps in memory which groups there are of a kind, and which member is in which of them. A member is in one group of a kind at most.
//
// Package groups stores both under private keys. What a transaction changes, it alone sees, until the commit has its place in the log; then all others do,
// while the sets of the transaction are still locked. A transaction moves a member before it looks which periods are open, and a submission notes its
// period as open before it asks for the group of its member. So of a submission and a move at the same time one sees the other.
//
//   - MB1: the set of members has each member of a group of the kind once, and its score is the number of the group. It may have members of a group that is
//     gone, which are in no group.
//   - MB2: numbers of groups are never used again.
//   - MB3: at most one transaction moves a member, or dissolves a group, at a time: it has the lock of that.
//
// # Where things are
//
//	open.go     Open, and what it reads
//	define.go   Define and Drop
//	catalog.go  Catalog: looking up boards; closing
//	gate.go     a lock for long work
//	board.go    Board, and Env: what the boards share; Change, and Observer: what is told of changes
//	change.go   telling the observers; OnCommit
//	locks.go    the locks that keep the state of a board; Retry
//	bans.go     Bans: the banned members of a board
//	hides.go    Hides: the hidden members of a board
//	events.go   what writes the events of a board; Watch
//	follow.go   Following: a derived board and its source; locks of both
//	kinds.go    Groups: kinds of groups, and the boards of such groups; reading them
//	stored_group.go  the stored form of groups and of their members
//	relocated.go  boards that leave for another store, or come from one
//	later.go    steps that transactions of callers have made due
//	env.go      checks that a call begins with; what wakes goroutines
//	parts.go    reading a ranking in parts; stored layouts
//	keys.go     walks over private keys, and deleting them
//	background.go  Background: a goroutine of the boards
//	in_tx.go    a call in a transaction of the caller's: its locks, restarts
//	idle.go     Evictor: closed periods that were read leave memory
//	jump.go     JumpGuard: a clock that jumps ahead
//	deleter_steps.go    Deleter: deleting many sets or private keys
//	deleter_places.go   deleting a set of a ranking, and its members from the index of members
//	deleter.go  Finish, Resume
//	membership.go  Membership: lookups
//	membership_members.go  the members of a group
//	membership_change.go  MembershipChanges: what a transaction changes
//	past.go     who was in which group when a period closed: what is stored of that
//	history.go  from when on a derived board knows that, and what of it is needed
package catalog
