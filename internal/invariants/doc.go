// Package invariants says whether this build checks the structures' numbered invariants, and reports a violation.
//
// A structure calls its own check after each mutation behind the constant:
//
//	if invariants.Enabled {
//		l.check()
//	}
package invariants

import "fmt"

// Violated panics with the package, the number of the invariant, what was found and a dump of the structure. It marks a
// bug in zrank, never a caller's mistake.
func Violated(pkg, number, found string, dump any) {
	panic(fmt.Sprintf("%s: violates %s: %s\n%#v", pkg, number, found, dump))
}
