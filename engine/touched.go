package engine

import "github.com/zrankdb/zrank/zset"

// touched remembers what members had before a transaction first changed them: what a rollback restores, and the members
// whose new state a commit writes down, each once however often it changed.
type touched struct {
	list  []touch
	room  [1]touch            // of list, as long as that is enough
	index map[string]struct{} // the members in list; filled only beyond fewTouched
}

// fewTouched is the number of members up to which the list is searched.
const fewTouched = 8

type touch struct {
	member string
	had    bool
	score  int64 // as zset.As shows it
	tie    string
}

// shared is the length of a member with its tie up to which their text is put together on the stack.
const shared = 128

// touchOf returns a member's state. Member and tie are copied, in one text.
func touchOf(member, tie []byte, score int64, had bool) touch {
	var room [shared]byte
	text := string(append(append(room[:0], member...), tie...))
	return touch{member: text[:len(member)], had: had, score: score, tie: text[len(member):]}
}

// remember notes a member's present state unless it is noted already. O(1).
func (t *touched) remember(v *zset.IntView, member []byte) {
	if t.has(member) {
		return
	}
	score, tie, had := v.Get(member)
	t.note(touchOf(member, tie, score, had))
}

// rememberAll notes members whose present states are these, but for those that are noted already. O(entries).
func (t *touched) rememberAll(entries []zset.IntEntry) {
	for _, e := range entries {
		if !t.has(e.Member) {
			t.note(touchOf(e.Member, e.Tie, e.Score, true))
		}
	}
}

// note appends a member that is not noted yet.
func (t *touched) note(x touch) {
	if t.list == nil {
		t.list = t.room[:0]
	}
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
