// Package seeded switches known bugs on, one at a time, to show that the tests notice them. Shipped code has no such bugs: patches add
// them to a copy of the code, see package patches.
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

// Bug reports whether name is the bug that Set has switched on.
func Bug(name string) bool {
	b := active.Load()
	return b != nil && *b == name
}

// Set switches one bug on, and any other off; "" is none.
func Set(name string) { active.Store(&name) }
