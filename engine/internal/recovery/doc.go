// Package recovery reads sets back from the disk: when an engine opens, and for a check.
//
// It owns the replay of the log's tail over the last snapshot: a set is read from its pages, and then the effects after its base are applied.
//
// # Where things are
//
//	recover.go  Recoverer: fills a keyspace; the effects of one set
//	check.go    a check of an open engine or of a directory
//	audit.go    Audit: what a check reports to package board
package recovery
