//go:build seeded

package seeded

import "sync/atomic"

var active atomic.Pointer[string]

// Bug reports whether the bug of this name is to be there: the one that Set has named.
func Bug(name string) bool {
	b := active.Load()
	return b != nil && *b == name
}

// Set names the bug that is to be there; "" is none.
func Set(name string) { active.Store(&name) }
