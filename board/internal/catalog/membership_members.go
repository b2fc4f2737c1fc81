package catalog

import (
	"slices"

	"github.com/zrankdb/zrank/engine"
)

// Size returns the number of members of a group, as a transaction sees it; nil for none. O(log members of all groups + members that the transaction has moved).
func (k *Membership) Size(tx *engine.Tx, g *Group) int {
	k.mu.RLock()
	defer k.mu.RUnlock()
	v := k.members.View()
	n := v.Seek(g.Number+1, nil) - v.Seek(g.Number, nil)
	c := k.open[tx]
	if c == nil {
		return n
	}
	for member, to := range c.to {
		if k.of([]byte(member)) == g {
			n--
		}
		if to == g {
			n++
		}
	}
	return n
}

// AppendMembers appends up to n members of a group that sort after a name, in the order of their names, as a transaction sees it; nil for none. O(log members of
// all groups + n + members that the transaction has moved).
func (k *Membership) AppendMembers(tx *engine.Tx, dst []string, g *Group, after string, n int) []string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	v := k.members.View()
	lo, hi := v.Seek(g.Number, nil), v.Seek(g.Number+1, nil)
	if after != "" {
		lo = v.Seek(g.Number, append([]byte(after), 0)) // the next text after the name
	}
	c := k.open[tx]
	if c == nil {
		for e := range v.Entries(lo, min(hi, lo+n)) {
			dst = append(dst, string(e.Member))
		}
		return dst
	}
	came, first := c.cameAfter(g, after), len(dst)
	for e := range v.Entries(lo, hi) {
		for len(came) > 0 && came[0] < string(e.Member) {
			dst, came = append(dst, came[0]), came[1:]
		}
		if len(dst)-first >= n {
			return dst[:first+n]
		}
		if _, moves := c.to[string(e.Member)]; !moves {
			dst = append(dst, string(e.Member))
		}
	}
	dst = append(dst, came...)
	return dst[:min(len(dst), first+n)]
}

// cameAfter returns the members that the transaction has moved to a group, or moved and brought back, and that sort after a name, in order. The caller holds mu.
func (c *MembershipChanges) cameAfter(g *Group, after string) (came []string) {
	for member, to := range c.to {
		if to == g && (after == "" || member > after) {
			came = append(came, member)
		}
	}
	slices.Sort(came)
	return came
}
