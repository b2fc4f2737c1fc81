// Package invariants says whether this build checks the structures' numbered invariants, and reports a violation.
//
// A structure calls its own check after each change behind the constant:
//
//	if invariants.Enabled {
//		l.changes++
//		if invariants.Due(l.n, l.changes) {
//			l.check()
//		}
//	}
//
// With -tags invariants every change is checked. Under the race detector, which runs whole programs, a structure of n entries is
// checked after every n/64th change, which costs 64 entries a change on the average.
package invariants

import "fmt"

// Due reports whether a structure of n entries is to be checked after so many changes. O(1).
func Due(n int, changes uint64) bool { return !sampled || changes%uint64(max(n/64, 1)) == 0 }

// Violated panics with the package, the number of the invariant, what was found and a dump of the structure. It marks a
// bug in zrank, never a caller's mistake.
func Violated(pkg, number, found string, dump any) {
	panic(fmt.Sprintf("%s: violates %s: %s\n%#v", pkg, number, found, dump))
}
