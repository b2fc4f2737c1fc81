package settlement

import (
	"slices"

	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// The id of an award has the name that its member had when the period was closed. An award that a Rename gives to another name keeps its id: the audit log
// tells the names before. Of two members that were merged the award has the id of the name that keeps it.

// names tells the members of the awards of a period from the names in their ids.
type names struct {
	set     *zset.IntView
	renames []auditlog.Renamed // since the period was closed
	members map[string]string  // by the name in the id, where the two differ or may have differed
	ids     map[string]string  // the inverse of members
}

// names returns the names of the awards in a set, as of a transaction. O(renames since the period was closed).
func (w work) names(tx *engine.Tx, set *zset.IntView) (n names, err error) {
	all, err := w.b.Renames.In(tx, w.b.State().Name)
	if err != nil || len(all) == 0 {
		return names{set: set}, err
	}
	closed := w.s.Now().ClosedAt
	n = names{set: set, members: map[string]string{}}
	for _, r := range all {
		if !r.At.Before(closed) {
			n.renames = append(n.renames, r)
		}
	}
	for _, r := range n.renames {
		for _, name := range []string{r.From, r.To} {
			if n.has(name) {
				n.members[name] = name
			}
		}
	}
	for _, r := range slices.Backward(n.renames) { // what each has given to the new name goes back to the old one
		member, has := n.members[r.To]
		if _, stayed := n.members[r.From]; has && !stayed && !r.Merge {
			delete(n.members, r.To)
			n.members[r.From] = member
		}
	}
	n.ids = make(map[string]string, len(n.members))
	for name, member := range n.members {
		n.ids[member] = name
	}
	return n, nil
}

// has reports whether a member has an award.
func (n *names) has(member string) bool {
	_, ok := n.set.Score([]byte(member))
	return ok
}

// inID returns the name in the id of the award that a member has. O(1).
func (n *names) inID(member string) string {
	if name, ok := n.ids[member]; ok {
		return name
	}
	return member
}

// member returns the member with the award whose id has a name, or had it before: ids of earlier versions have the name of the member by then. It returns
// the name itself if there is no such award.
func (n *names) member(name string) string {
	if member, ok := n.members[name]; ok {
		return member
	}
	if n.has(name) {
		return name
	}
	member := name
	for _, r := range n.renames {
		if r.From == member {
			member = r.To
		}
	}
	if n.has(member) {
		return member
	}
	return name
}
