package zset

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The events and the expected encodings of thresholdCases.
var (
	update   = func(s *Set) *Set { s.Add([]byte("a"), 100); return s }
	incr     = func(s *Set) *Set { s.IncrBy([]byte("a"), 100); return s }
	remove   = func(s *Set) *Set { s.Remove([]byte("a")); return s }
	xx       = func(s *Set) *Set { s.AddIf([]byte("x"), 1, XX); return s }
	addOne   = func(s *Set) *Set { s.Add([]byte("x"), 1); return s }
	addEmpty = func(s *Set) *Set { s.Add(nil, 1); return s }
	copyOf   = func(s *Set) *Set { return s.Copy() }
	rangeOf  = func(s *Set) *Set { return s.CopyRange(0, s.Len()) }
	unionOf  = func(s *Set) *Set { u, _ := Union(s.Options(), Combine[float64]{}, s.View()); return u }
)

var (
	four = []string{"a", "b", "c", "d"}
	one  = []string{"a"}
	wide = []string{strings.Repeat("a", 32)}
)

// thresholdCases were recorded from redis-server, except the last two, which Redis refuses or bounds in another way.
var thresholdCases = []struct {
	name            string
	start           []string // added under thresholds of 128 and 64
	entries, member int
	then            func(*Set) *Set
	want            string
}{
	{"update above", four, 2, 64, update, "listpack"},
	{"increment above", four, 2, 64, incr, "listpack"},
	{"removal above", four, 2, 64, remove, "listpack"},
	{"copy above", four, 2, 64, copyOf, "listpack"},
	{"XX above", four, 2, 64, xx, "listpack"},
	{"addition above", four, 2, 64, addOne, "skiplist"},
	{"store above", four, 2, 64, unionOf, "skiplist"},
	{"range above", four, 2, 64, rangeOf, "skiplist"},
	{"short member beside a long one", wide, 128, 4, addOne, "listpack"},
	{"store of a long one", wide, 128, 4, unionOf, "skiplist"},
	{"range of a long one", wide, 128, 4, rangeOf, "skiplist"},
	{"empty member", nil, 128, 0, addEmpty, "listpack"},
	{"member of a byte", nil, 128, 0, addOne, "skiplist"},
	{"no entries", nil, 0, 64, addOne, "skiplist"},
	{"one entry", nil, 1, 64, addOne, "listpack"},
	{"two entries", one, 1, 64, addOne, "skiplist"},
	{"more than ever", one, 1 << 30, 1 << 30, addOne, "listpack"},
	{"less than nothing", one, -5, -5, addOne, "skiplist"},
}

// TestThresholdsAsRedis changes the thresholds of a set and then makes a change. The encoding must be that of redis-server 7.0.15 after
// CONFIG SET and the same change.
func TestThresholdsAsRedis(t *testing.T) {
	for _, c := range thresholdCases {
		s, _ := New(Options{})
		for i, m := range c.start {
			s.Add([]byte(m), float64(i))
		}
		s.SetListpack(c.entries, c.member)
		s = c.then(s)
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

// threshold is the oracle of a set's encoding by Redis's rules.
type threshold struct {
	entries, member int
	big             bool
}

// fits reports whether a listpack with this number of entries may hold the member.
func (m threshold) fits(n int, member string) bool { return n <= m.entries && len(member) <= m.member }

// refit does what Fit must do.
func (m *threshold) refit(members []string) {
	m.big = false
	for _, member := range members {
		m.big = m.big || !m.fits(len(members), member)
	}
}

// TestThresholds makes random changes of members and thresholds, in sets of both kinds. Members, order and encoding must equal those of
// the oracles.
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

// thresholdStep makes one random change to a set and its oracles.
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

// TestThresholdsAreShared: after a change of thresholds, small sets must share a rest again, and so take no more memory than before.
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

// TestListpackBytes has so high thresholds that only the bytes of all members end a listpack.
func TestListpackBytes(t *testing.T) {
	o := Options{MaxListpackEntries: MaxListpackEntries, MaxListpackMember: MaxMember}
	member := func(i int) []byte { return append(bytes.Repeat([]byte{'m'}, MaxListpackBytes/8), byte(i)) }
	s, err := New(o)
	require.NoError(t, err)
	b, err := NewBuilder(o)
	require.NoError(t, err)
	for i := range 8 {
		encoding := []string{"listpack", "skiplist"}[i/7] // the eighth has a byte too many
		_, err = s.Add(member(i), float64(i))
		require.NoError(t, errors.Join(err, b.Add(member(i), float64(i))))
		require.Equal(t, encoding, s.Encoding())
	}
	require.Equal(t, "skiplist", b.Set().Encoding())
	s.Fit()
	require.Equal(t, "skiplist", s.Encoding())
	s.Remove(member(3))
	s.Fit()
	require.Equal(t, "listpack", s.Encoding())
	s.Fit()
	require.Equal(t, "listpack", s.Encoding())
}
