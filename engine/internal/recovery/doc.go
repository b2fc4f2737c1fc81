// Package recovery reads sets back from the disk: when an engine opens, and when a check compares.
//
// It owns the replay of the log's tail over the last snapshot. A set is what its pages hold and what the effects after its base say.
//
// # Where things are
//
//	recover.go  Recoverer: fills a keyspace; the effects of one set
//	check.go    a check of an open engine or of a directory
//	audit.go    Audit: what a check tells package board
package recovery
