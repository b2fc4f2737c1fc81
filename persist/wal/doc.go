// Package wal has what a reader of a store's write-ahead log meets: the effects of a commit, and the errors that say which of the stored
// bytes, or which commits, are not there. The package persist writes the log, replays it and follows it.
//
// # Where things are
//
//	effect.go  Effect, and Kind: what it did
//	errors.go  CorruptError, DataLossError, FellBehindError
package wal
