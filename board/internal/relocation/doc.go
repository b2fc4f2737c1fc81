// Package relocation is what boards move from and to: a board moves from one store to another one
// while it is in use, from an engine to a cluster, and back. Package move moves it; package archive
// writes boards to files, and makes boards of them.
//
// # Invariants
//
//   - RL1: until step 5 of a move the board is the source's, and what the target has of it may be
//     thrown away. So a move that fails or is killed has changed nothing.
//   - RL2: at any moment at most one of the two accepts changes. Between steps 5 and 6 none does;
//     whoever repeats the move does step 6.
//   - RL3: what step 6 opens has all that the source has acknowledged: entries with their order,
//     results that the operator keeps, metadata, which periods are closed and since when, Once keys
//     with the times of their use, who is hidden and banned, the audit log.
//
// # Where things are
//
//	store.go     Store, Source, Target: what both ends do
//	errors.go    the errors of both ends
//	archive.go   Archive: boards that are written to files, and made of them
//	line.go      Line: a line of such a file
//	text.go      Name and Moment: names and times in lines
//	contents.go  Entry, Header: what is copied
package relocation
