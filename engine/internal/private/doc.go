// Package private keeps the private keys: the caller's own keys and values, which commit together with sets.
//
// It owns the one lock of all private keys, and the values that the store may not have yet.
//
// # Where things are
//
//	private.go  Keys: get, apply, scan
package private
