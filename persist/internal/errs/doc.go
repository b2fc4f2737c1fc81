// Package errs has the errors of the package persist, which documents them: the sentinels, and the types that say more.
//
// It owns the translation of what Pebble answers to a read: damage becomes a *CorruptError that names the record, anything else is
// wrapped once.
//
// # Where things are
//
//	errors.go   the sentinels, CorruptError, DataLossError, FellBehindError; Corruptf, WithKey, ReadError, Damaged
package errs
