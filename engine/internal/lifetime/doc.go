// Package lifetime tells the parts of an engine when it is closed.
//
// It owns the flag that Close sets, the channel that Close closes, and the count of goroutines that end then.
//
// # Where things are
//
//	lifetime.go  Lifetime
package lifetime
