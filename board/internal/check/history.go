package check

import (
	"strings"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
)

// kind returns a kind of groups.
func (a *audit) kind(name string) *catalog.Membership {
	k := a.kinds[name]
	if k == nil {
		k, _ = catalog.NewMembership(name) // never fails
		a.kinds[name] = k
	}
	return k
}

// noteHistory notes a private key of the history of groups.
func (a *audit) noteHistory(key string, value []byte) {
	h, err := &a.history, error(nil)
	for prefix, note := range map[string]func(rest string){
		boardkey.AllStays:        func(rest string) { h.stays[rest], err = catalog.DecodeStays(value) },
		boardkey.AllDissolved:    func(rest string) { h.dissolved[rest], err = catalog.DecodeDissolved(value) },
		boardkey.AllSince:        func(rest string) { h.since[strings.TrimSuffix(rest, "\x00")], err = catalog.DecodeSince(value) },
		boardkey.RenamedPrefix(): func(rest string) { h.renamed[rest], err = catalog.DecodeJoined(value) },
	} {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			note(rest)
		}
	}
	if err != nil {
		a.problem("history of groups", "stored as %q: %v", key, err)
	}
}

// past returns a closed period as the history of its kind knows it, and false for another one.
func (a *audit) past(x *followed) (p catalog.Past, ok bool) {
	since := a.history.since[x.st.Name]
	p = catalog.Past{Board: since.Number, Window: x.t.Window.Name, Middle: x.slot.Middle()}
	text := a.values[boardkey.WindowPrefix()][boardkey.Join([]string{x.st.Name})+x.t.Window.Name]
	through, err := state.DecodeThrough(text) // the timelines do not know it while sets are noted
	return p, err == nil && p.Middle < through && since.Number > 0 && !since.At.IsAfter(p)
}

// groupOf returns the group that a member counts for in a period, by its number: in a closed one
// that of then, if that is known. ok is false if it counts for none.
func (a *audit) groupOf(x *followed, member string) (number int64, name string, ok bool) {
	kind := a.kind(x.st.Spec.Derived.Groups)
	p, past := a.past(x)
	if !past {
		g, _ := kind.Of(nil, []byte(member))
		if g == nil {
			return 0, "", false
		}
		return g.Number, g.Name, true
	}
	number, found := a.history.renamed[boardkey.Join([]string{x.path()})+member]
	if !found {
		number, found = a.history.stays[kind.Name+"\x00"+member].In(p)
	}
	if !found {
		number = kind.Joined(member)
	}
	name, ok = a.numbered(x, number)
	return number, name, ok
}

// numbered returns the name of a group by its number; false if it is gone, or was when a closed
// period closed.
func (a *audit) numbered(x *followed, number int64) (name string, ok bool) {
	kind := a.kind(x.st.Spec.Derived.Groups)
	if g := kind.Numbered(number); g != nil {
		return g.Name, true
	}
	p, past := a.past(x)
	d, ok := a.history.dissolved[strings.TrimPrefix(boardkey.Dissolved(kind.Name, number), boardkey.AllDissolved)]
	return d.Name, ok && past && d.At.IsAfter(p)
}
