package zset

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestThresholdsAsRedis: what redis-server 7.0.15 says of OBJECT ENCODING when thresholds have been changed by CONFIG SET since the set was
// made, and then something happens to it.
func TestThresholdsAsRedis(t *testing.T) {
	long := strings.Repeat("a", 32)
	for _, c := range []struct {
		name            string
		start           []string // added under thresholds of 128 and 64
		entries, member int
		then            string
		want            string
	}{
		{"update above", []string{"a", "b", "c", "d"}, 2, 64, "update", "listpack"},
		{"increment above", []string{"a", "b", "c", "d"}, 2, 64, "incr", "listpack"},
		{"removal above", []string{"a", "b", "c", "d"}, 2, 64, "remove", "listpack"},
		{"copy above", []string{"a", "b", "c", "d"}, 2, 64, "copy", "listpack"},
		{"XX above", []string{"a", "b", "c", "d"}, 2, 64, "xx", "listpack"},
		{"addition above", []string{"a", "b", "c", "d"}, 2, 64, "add", "skiplist"},
		{"store above", []string{"a", "b", "c", "d"}, 2, 64, "union", "skiplist"},
		{"range above", []string{"a", "b", "c", "d"}, 2, 64, "range", "skiplist"},
		{"short member beside a long one", []string{long}, 128, 4, "add", "listpack"},
		{"store of a long one", []string{long}, 128, 4, "union", "skiplist"},
		{"range of a long one", []string{long}, 128, 4, "range", "skiplist"},
		{"empty member", nil, 128, 0, "empty", "listpack"},
		{"member of a byte", nil, 128, 0, "add", "skiplist"},
		{"no entries", nil, 0, 64, "add", "skiplist"},
		{"one entry", nil, 1, 64, "add", "listpack"},
		{"two entries", []string{"a"}, 1, 64, "add", "skiplist"},
		{"more than ever", []string{"a"}, 1 << 40, 1 << 40, "add", "listpack"},
		{"less than nothing", []string{"a"}, -5, -5, "add", "skiplist"},
	} {
		s, _ := New(Options{})
		for i, m := range c.start {
			s.Add([]byte(m), float64(i))
		}
		s.SetListpack(c.entries, c.member)
		switch c.then {
		case "update":
			s.Add([]byte(c.start[0]), 100)
		case "incr":
			s.IncrBy([]byte(c.start[0]), 100)
		case "remove":
			s.Remove([]byte(c.start[0]))
		case "xx":
			s.AddIf([]byte("x"), 1, XX)
		case "add":
			s.Add([]byte("x"), 1)
		case "empty":
			s.Add(nil, 1)
		case "copy":
			s = s.Copy()
		case "union":
			s, _ = Union(s.Options(), Combine[float64]{}, s.View())
		case "range":
			s = s.CopyRange(0, s.Len())
		}
		require.Equal(t, c.want, s.Encoding(), c.name)
		require.NoError(t, s.Check(), c.name)
	}
	s, _ := New(Options{MaxListpackEntries: 3})
	for i := range 4 {
		s.Add([]byte{byte(i)}, 0)
	}
	s.RemoveRange(1, 4)
	require.Equal(t, "skiplist", s.Copy().Encoding(), "COPY of a skiplist that has shrunk")
	require.Equal(t, "listpack", s.CopyRange(0, 9).Encoding())
}

// threshold is what the encoding of a set must be by Redis's rules, beside the set.
type threshold struct {
	entries, member int
	big             bool
}

// fits says whether a listpack of so many entries may get the member.
func (m threshold) fits(n int, member string) bool { return n <= m.entries && len(member) <= m.member }

// refit is what Fit must do.
func (m *threshold) refit(members []string) {
	m.big = false
	for _, member := range members {
		m.big = m.big || !m.fits(len(members), member)
	}
}

// TestThresholds changes thresholds between changes, at random, in sets of both kinds: members, order and encoding are those of the
// oracle.
func TestThresholds(t *testing.T) {
	moves := testThresholds[float64](t) + testThresholds[int64](t)
	t.Logf("%d moves from one encoding to the other", moves)
	require.Greater(t, moves, 200)
}

func testThresholds[S Score](t *testing.T) (moves int) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		width := 8 * r.IntN(2)
		set, err := newOf[S](Options{TieWidth: width, DenseRanks: r.IntN(2) == 0})
		require.NoError(t, err)
		p, m := newPair(set), threshold{entries: 128, member: 64}
		for range 150 {
			was := m.big
			require.NoError(t, thresholdStep(r, p, &m), "seed %d", seed)
			want := "listpack"
			if m.big {
				want = "skiplist"
			}
			require.Equal(t, want, p.set.Encoding(), "seed %d", seed)
			if was != m.big {
				moves++
			}
		}
		require.NoError(t, p.compare(), "seed %d", seed)
	}
	return moves
}

// thresholdStep does one thing at random to a set and to what it must be.
func thresholdStep[S Score](r *rand.Rand, p *pair[S], m *threshold) error {
	member := strings.Repeat("m", r.IntN(9)) + fmt.Sprint(r.IntN(20))
	_, had := p.want.Get(member)
	switch r.IntN(12) {
	case 0, 1:
		m.entries, m.member = r.IntN(12), r.IntN(12)
		p.set.SetListpack(m.entries, m.member)
	case 2:
		p.set.Fit()
		var members []string
		for _, e := range p.want.Range(0, p.want.Len()) {
			members = append(members, e.Member)
		}
		m.refit(members)
	case 3:
		p.set = p.set.Copy()
	case 4:
		lo := r.IntN(p.want.Len() + 1)
		for range p.set.RemoveRange(lo, lo+9) {
			p.want.Remove(p.want.Range(lo, lo+1)[0].Member)
		}
		m.big = m.big && p.want.Len() > 0
	case 5:
		p.set.HoldPages()
		p.set.SetListpack(m.entries, m.member)
		p.set.ReleasePages()
	default:
		m.big = m.big || !had && !m.fits(p.want.Len()+1, member)
		return p.add(member, make([]byte, p.set.TieWidth()), S(r.IntN(5)))
	}
	return nil
}

// TestThresholdsAreShared: a million small sets that are told of other thresholds take no more memory than before.
func TestThresholdsAreShared(t *testing.T) {
	sets := make([]*Set, 100)
	for i := range sets {
		sets[i], _ = New(Options{})
		sets[i].Add([]byte("a"), 1)
	}
	size := sets[0].Size()
	for _, s := range sets {
		s.SetListpack(5, 6)
		require.Same(t, sets[0].rest, s.rest)
		require.Equal(t, size, s.Size())
		require.Equal(t, Options{MaxListpackEntries: 5, MaxListpackMember: 6}, s.Options())
	}
	for _, s := range sets {
		s.SetListpack(Options{}.Listpack())
		require.Same(t, &defaults[0][0][0][0], s.rest)
	}
	sets[0].SetListpack(0, 0)
	require.Equal(t, Options{MaxListpackEntries: -1, MaxListpackMember: -1}, sets[0].Options())
	again, err := New(sets[0].Options())
	require.NoError(t, err)
	require.Same(t, sets[0].rest, again.rest)
	capped, _ := New(Options{Cap: 1})
	capped.SetListpack(5, 6)
	for i := range 5 {
		capped.Add([]byte{byte(i)}, float64(i))
	}
	require.Equal(t, 1, capped.Len())
}
