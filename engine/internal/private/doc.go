// Package private keeps the private keys: the caller's own keys and values, which commit together with sets.
//
// It owns the locks of the private keys, and the values that the store may not have yet.
//
// # Where things are
//
//	private.go  Keys: get, apply
//	scan.go     walks over the keys with a prefix
//	stripe.go   a stripe: its lock, and its values that the store may not have yet
//	stripes.go  which stripe a key belongs to (K1, K2); Stripes, such as those that a transaction has
package private
