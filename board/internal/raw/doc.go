// Package raw reads and writes what an engine has stored of a board, below all rules: for boards that move to another store, and come from one.
//
// Boards that move have rankings of one set each: see Check. Files may have others.
//
// # Where things are
//
//	store.go    Store: the boards of an engine as a place to leave and to come to
//	check.go    Check: which boards can move
//	archive.go  boards that are written to files
//	made.go     boards that are made of them
//	cohorts.go  the cohorts of periods, and the tiers of members
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
package raw
