package listpack

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/internal/invariants"
)

// check panics with the first invariant that does not hold and a dump of the list. It does nothing in builds that do not
// check invariants. O(n).
func (l *List) check() {
	if !invariants.Enabled {
		return
	}
	if f := verify(l.Bytes()); f != nil {
		invariants.Violated("listpack", f.rule, fmt.Sprintf("byte %d: %s", f.at, f.found), l)
	}
}

// dumpLimit is how many bytes of a member, or of bytes that are no entry, a dump shows.
const dumpLimit = 48

// GoString draws the list, an entry a line, for %#v. It reads a damaged list up to the damage and shows the bytes there.
// O(n).
func (l List) GoString() string {
	var s strings.Builder
	b := l.Bytes()
	if f := verifyHeader(b); f != nil {
		fmt.Fprintf(&s, "listpack.List{%s: % x}", f.found, clip(b))
		return s.String()
	}
	tieWidth := int(b[1])
	fmt.Fprintf(&s, "listpack.List{len=%d tie=%d bytes=%d cap=%d\n", l.Len(), tieWidth, len(b), l.Size())
	for p, rank := headerSize, 0; p < len(b); rank++ {
		text, end, f := readEntry(b, p, tieWidth)
		if f != nil {
			fmt.Fprintf(&s, "  @%d #%d violates %s: %s: % x\n", p, rank, f.rule, f.found, clip(b[p:]))
			break
		}
		key, member := binary.BigEndian.Uint64(b[p:]), b[text+tieWidth:end]
		fmt.Fprintf(&s, "  @%d #%d key=%d", p, rank, key)
		if tieWidth > 0 {
			fmt.Fprintf(&s, " tie=%x", b[text:text+tieWidth])
		}
		fmt.Fprintf(&s, " member[%d]=%q\n", len(member), clip(member))
		p = after(end, end-p)
	}
	s.WriteString("}")
	return s.String()
}

func clip(b []byte) []byte { return b[:min(len(b), dumpLimit)] }
