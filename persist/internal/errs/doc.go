// Package errs has the sentinel errors of the package persist, which documents them, but for those of wal that are types and say more.
//
// It owns the translation of what Pebble answers to a read: damage becomes a *CorruptError that names the record, anything else is
// wrapped once.
//
// # Where things are
//
//	errors.go   the sentinels; Corruptf, WithKey, ReadError, Damaged
package errs
