package listpack

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/internal/invariants"
)

// check panics with the first violated invariant and a dump of the list. It does nothing in builds that do not check invariants. O(n).
func (l *List) check() {
	if !invariants.Enabled {
		return
	}
	if f := verify(l); f != nil {
		invariants.Violated("listpack", f.rule, fmt.Sprintf("byte %d: %s", f.at, f.found), l)
	}
}

// dumpLimit is how many bytes of a member or of damaged text a dump shows.
const dumpLimit = 48

// GoString returns a dump of the list for %#v, with one line per entry. It reads a damaged list up to the damage and shows the bytes there.
// O(n).
func (l List) GoString() string {
	var s strings.Builder
	used := len(l.order) + len(l.texts) + l.Len()
	fmt.Fprintf(&s, "listpack.List{len=%d tie=%d bytes=%d cap=%d\n", l.Len(), l.tieWidth, used, l.Size())
	if len(l.order) != l.Len()*l.stride() || cap(l.texts)-len(l.texts) < l.Len() {
		fmt.Fprintf(&s, "  violates L2 or L5: %d bytes of rows, %d of texts in %d\n}", len(l.order), len(l.texts), cap(l.texts))
		return s.String()
	}
	at := 0
	for rank := range l.Len() {
		key, tie := l.row(rank)
		fmt.Fprintf(&s, "  @%d #%d key=%d", at, rank, key)
		if l.tieWidth > 0 {
			fmt.Fprintf(&s, " tie=%x", tie)
		}
		member, next, f := l.readText(rank, at)
		if f != nil {
			fmt.Fprintf(&s, " violates %s: %s: % x\n", f.rule, f.found, clip(l.texts[at:]))
			break
		}
		fmt.Fprintf(&s, " member[%d]=%q\n", len(member), clip(member))
		at = next
	}
	s.WriteString("}")
	return s.String()
}

func clip(b []byte) []byte { return b[:min(len(b), dumpLimit)] }
