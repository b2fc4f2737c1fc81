// Package undo records what members had before a transaction changed them.
//
// A rollback reads the records to restore a set. A commit reads them to know which members to write to the log.
//
// # Where things are
//
//	undo.go  Log, Record and Texts
package undo
