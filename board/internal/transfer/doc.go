// Package transfer reads and writes what an engine has stored of a board, below all rules: for boards that move to another store, and come from one.
//
// Boards that move have rankings of one set each: see Check. Files may have others.
//
// # Migrations
//
// A migration gives a board another spec. It writes every ranking that the board keeps under the new rules beside the old one, and then commits the new spec: a crash leaves the board
// as it was before or as it is after. Submissions wait until then; reads continue. The records of closed periods get the digests of their new
// rankings, so that a check can still compare them. Boards that follow it get the windows that change by the same commit.
//
// # Where things are
//
//	store.go    Store: the boards of an engine as a place to leave and to come to
//	check.go    Check: which boards can move
//	archive.go  boards that are written to files; archive_lines.go their lines
//	made.go     boards that are made of files
//	made_lines.go  what their lines say; made_open.go  opening them
//	cohorts.go  the cohorts of boards that are made
//	derived.go  boards that follow others
//	points.go   the points of members of groups
//	groups.go   kinds of groups, whole
//	rolls.go    the results in rolling windows
//	source.go   source: a board that leaves; holding and leaving
//	header.go   what is known beside the entries
//	reading.go  the entries of a source
//	moderated.go  who is hidden and banned, and the audit log
//	changes.go  what has changed of a source, by the feed of the engine
//	target.go   target: a board that comes
//	storing.go  storing what has come, and opening the board
//	keys.go     storing private keys
//	migrate.go  Migrate: copies, the commit, deletion of the old sets
//	migrate_copy.go     copier: one ranking under the new rules, and its vacancies
//	migrate_seal.go     digests of closed periods
package transfer
