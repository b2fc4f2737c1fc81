package events

import (
	"hash/maphash"
	"slices"

	"github.com/zrankdb/zrank/board/feed"
)

// few is the number of texts up to which a list is searched without a map, and many that beyond which it is not compared with a block.
const (
	few  = 8
	many = 64
)

// matcher is a Filter that is ready for use.
type matcher struct {
	boards, windows, members texts
	kinds                    uint64 // bits; 0: all
}

// texts is a set of texts. nil has all.
type texts struct {
	list   []string
	set    map[string]bool
	hashes []uint64 // as in a block; none if there are too many
}

func textsOf(list []string, seed maphash.Seed) texts {
	x := texts{list: slices.Clone(list)}
	if len(list) > few {
		x.set = make(map[string]bool, len(list))
		for _, text := range list {
			x.set[text] = true
		}
	}
	if len(list) <= many {
		for _, text := range list {
			x.hashes = append(x.hashes, maphash.String(seed, text))
		}
	}
	return x
}

func (x *texts) has(text []byte) bool {
	if len(x.list) <= few {
		return len(x.list) == 0 || slices.ContainsFunc(x.list, func(s string) bool { return s == string(text) })
	}
	return x.set[string(text)]
}

// mayHave reports whether a block may have one of the texts.
func (x *texts) mayHave(b *block) bool {
	return len(x.hashes) == 0 || slices.ContainsFunc(x.hashes, b.has)
}

// newMatcher prepares a filter. Error: feed.ErrKind.
func newMatcher(f feed.Filter) (m matcher, err error) {
	m = matcher{boards: textsOf(f.Boards, seeds[0]), windows: textsOf(f.Windows, seeds[1]), members: textsOf(f.Members, seeds[2])}
	for _, k := range f.Kinds {
		if err := k.Validate(); err != nil {
			return m, err
		}
		m.kinds |= 1 << k
	}
	return m, nil
}

// matches reports whether an event passes. It allocates nothing.
func (m *matcher) matches(h *head) bool {
	return (m.kinds == 0 || m.kinds&(1<<h.kind) != 0) && m.boards.has(h.board) && m.members.has(h.member) && m.windows.has(h.window)
}

// mayMatch reports whether an event of a block may pass. It costs O(len of the lists), and allocates nothing.
func (m *matcher) mayMatch(b *block) bool {
	return (m.kinds == 0 || m.kinds&b.kinds != 0) && m.boards.mayHave(b) && m.windows.mayHave(b) && m.members.mayHave(b)
}
