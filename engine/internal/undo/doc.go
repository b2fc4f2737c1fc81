// Package undo records what members had before a transaction changed them.
//
// It owns nothing but its records: a rollback reads them to restore a set, a commit to know which members to write to the log.
//
// # Where things are
//
//	undo.go  Log and Record
package undo
