// Package moving reads and writes what a cluster has stored of a board, below all rules: for boards that move to another store, and come from one.
//
// While a board is moved, a field in the fence of each partition says so, and scripts that change something note it in a set beside the fence: see layout.Destination.
//
// # Where things are
//
//	store.go   Store: the boards of a cluster as a place to leave and to come to
//	source.go  source: a board that leaves; holding and leaving
//	header.go  what is known beside the entries
//	read.go    the entries of a board
//	moderated.go  who is hidden and banned, and the audit log
//	target.go  target: a board that comes
//	finish.go  the end of a target: what is known beside the entries, opening, discarding
//	catalog.go Catalog: where boards are stored by their names
//	board.go   Board: what this package needs of a board and of its servers; the stored form of entries
//	script.go  the scripts
package moving
