// Package private keeps the caller's own keys, which commit together with sets.
//
// It owns the lock of the private keys, which is one for all, and the values that the store may not have yet.
//
// # Where things are
//
//	private.go  Keys: get, apply, scan
package private
