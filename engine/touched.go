package engine

import (
	"strings"
	"sync"

	"github.com/zrankdb/zrank/zset"
)

// touched remembers what members had before a transaction first changed them: what a rollback restores, and the members
// whose new state a commit writes down, each once however often it changed.
type touched struct {
	list  []touch
	room  [1]touch            // of list, as long as that is enough
	index map[string]struct{} // the members in list; filled only beyond fewTouched
	texts strings.Builder     // has what list shows
	lent  *touches            // has list, or had its beginning; nil: none is lent
}

// fewTouched is the number of members up to which the list is searched.
const fewTouched = 16

// touches is room for the changes of a pipeline. It goes from transaction to transaction, so that they leave no garbage.
type touches [2 * fewTouched]touch

var lists = sync.Pool{New: func() any { return new(touches) }}

// forget ends the transaction's use of what was lent.
func (t *touched) forget() {
	if t.lent != nil {
		clear(t.lent[:])
		lists.Put(t.lent)
		t.lent, t.list = nil, nil
	}
}

type touch struct {
	member string
	had    bool
	score  int64 // as zset.As shows it
	tie    string
}

// textBlock is about how much text is in one piece of memory. It stays as long as one member of it is wanted.
const textBlock = 1 << 10

// copied returns a text of a member and its tie. Texts stand side by side, so that only few of many take memory anew.
func (t *touched) copied(member, tie []byte) string {
	n, b := len(member)+len(tie), &t.texts
	if b.Cap()-b.Len() < n {
		room := n
		if len(t.list) > 0 {
			room = max(n, min(8*n, textBlock))
		}
		*b = strings.Builder{}
		b.Grow(room)
	}
	from := b.Len()
	b.Write(member)
	b.Write(tie)
	return b.String()[from:]
}

// remember notes a member's present state unless it is noted already. O(1).
func (t *touched) remember(v *zset.IntView, member []byte) {
	if t.has(member) {
		return
	}
	score, tie, had := v.Get(member)
	t.note(member, tie, score, had)
}

// rememberAll notes members whose present states are these, but for those that are noted already. O(entries).
func (t *touched) rememberAll(entries []zset.IntEntry) {
	for _, e := range entries {
		if !t.has(e.Member) {
			t.note(e.Member, e.Tie, e.Score, true)
		}
	}
}

// note appends a member that is not noted yet.
func (t *touched) note(member, tie []byte, score int64, had bool) {
	switch len(t.list) {
	case 0:
		t.list = t.room[:0]
	case len(t.room):
		t.lent = lists.Get().(*touches)
		t.list = append(t.lent[:0], t.list...)
	}
	text := t.copied(member, tie)
	x := touch{member: text[:len(member)], had: had, score: score, tie: text[len(member):]}
	t.list = append(t.list, x)
	if len(t.list) <= fewTouched {
		return
	}
	if t.index == nil {
		t.index = make(map[string]struct{}, 2*len(t.list))
		for _, earlier := range t.list {
			t.index[earlier.member] = struct{}{}
		}
	}
	t.index[x.member] = struct{}{}
}

func (t *touched) has(member []byte) bool {
	if t.index != nil {
		_, ok := t.index[string(member)]
		return ok
	}
	for i := range t.list {
		if t.list[i].member == string(member) {
			return true
		}
	}
	return false
}
