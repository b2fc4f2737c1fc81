// Package seeded switches known bugs on, one at a time, to show that the tests would notice them. Shipped code has none: patches put them
// into a copy of it, see package patches.
//
//	if seeded.Bug("ack before sync") {
//		return nil
//	}
//
// # Where things are
//
//	seeded.go   Bug and Set
//	prove.go    Prove, which tests call in builds with -tags seeded
package seeded

import "sync/atomic"

var active atomic.Pointer[string]

// Bug reports whether the process has the bug of this name: the one that Set has named.
func Bug(name string) bool {
	b := active.Load()
	return b != nil && *b == name
}

// Set names the bug that the process has; "" is none.
func Set(name string) { active.Store(&name) }
