package archive

import "github.com/zrankdb/zrank/board/internal/relocation"

// counts is how many lines of each kind a board or a kind of groups has.
type counts struct {
	lines, periods, entries, groups, members int

	before   int               // entries of other boards
	told     int               // the number of entries that progress was called with
	progress func(entries int) // nil: nobody wants to know
}

// step is the number of entries after which progress is called.
const step = 500

// count counts a line. It calls progress behind the last of some entries.
func (n *counts) count(l *relocation.Line) {
	if all := n.entries - n.told; n.progress != nil && all > 0 && (l.Member == nil || all >= step) {
		n.told = n.entries
		n.progress(n.before + n.entries)
	}
	n.lines++
	switch {
	case l.Period != nil:
		n.periods++
	case l.Member != nil:
		n.entries++
	case l.Group != nil:
		n.groups++
	case l.Joined != nil:
		n.members++
	}
}

// addTo adds the numbers to a report.
func (n *counts) addTo(r *Report) {
	r.Periods, r.Entries = r.Periods+n.periods, r.Entries+n.entries
	r.Groups, r.Members = r.Groups+n.groups, r.Members+n.members
}
