package zset

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/model"
)

// TestMembersOfEveryLength adds members from nothing to a mebibyte.
func TestMembersOfEveryLength(t *testing.T) {
	for _, v := range plain {
		t.Run(v.name, func(t *testing.T) {
			p := newPair(v.fresh(0))
			for _, n := range []int{0, 1, 20, 63, 64, 65, 127, 128, 8191, 8192, 8193, 65535, 65536, 1 << 20} {
				require.NoError(t, p.add(strings.Repeat("\xff", n), nil, 7))
				require.NoError(t, p.add(strings.Repeat("\x00", n), nil, 7))
			}
			require.NoError(t, p.compare())
			require.NoError(t, p.rebuild())
			require.NoError(t, p.compare())
			require.NoError(t, p.reload())
			require.NoError(t, p.compare())
		})
	}
}

// TestEncoding moves up at the 129th entry and at a member of 65 bytes, and never down, as Redis does.
func TestEncoding(t *testing.T) {
	s, err := New(Options{})
	require.NoError(t, err)
	for i := range 128 {
		s.Add(fmt.Append(nil, i), 0)
	}
	require.Equal(t, "listpack", s.Encoding())
	s.Add([]byte("one more"), 0)
	require.Equal(t, "skiplist", s.Encoding())
	s.PopMin(nil, 120)
	require.Equal(t, "skiplist", s.Encoding())

	s, _ = New(Options{})
	s.Add(make([]byte, 64), 0)
	require.Equal(t, "listpack", s.Encoding())
	s.Add(make([]byte, 65), 0)
	require.Equal(t, "skiplist", s.Encoding())
	require.Equal(t, 2, s.Len())
}

// TestRefused tries what a set must refuse; nothing may change.
func TestRefused(t *testing.T) {
	for _, v := range plain {
		t.Run(v.name, func(t *testing.T) {
			s := v.fresh(8)
			s.Add([]byte("inf"), math.Inf(1))
			_, err := s.Add([]byte("m"), math.NaN())
			require.ErrorIs(t, err, ErrNaN)
			_, err = s.IncrBy([]byte("inf"), math.Inf(-1)) // redis-sorted-sets.md 1.4, inf/NaN
			require.ErrorIs(t, err, ErrNaN)
			_, err = s.AddTied([]byte("m"), make([]byte, 7), 1)
			require.ErrorIs(t, err, ErrTieWidth)
			_, err = s.Add(make([]byte, MaxMember+1), 1)
			require.ErrorIs(t, err, ErrMemberTooLong)
			require.Equal(t, 1, s.Len())
			score, ok := s.Score([]byte("inf"))
			require.True(t, ok)
			require.True(t, math.IsInf(score, 1))
		})
	}
	_, err := New(Options{TieWidth: 5, MaxListpackEntries: 1 << 20, MaxListpackMember: -1})
	require.ErrorContains(t, err, "TieWidth is 5")
	require.ErrorContains(t, err, "MaxListpackEntries is 1048576")
	require.ErrorContains(t, err, "MaxListpackMember is -1")
}

// TestZero has one zero: -0 is stored, ordered and returned as 0.
func TestZero(t *testing.T) {
	for _, v := range plain {
		t.Run(v.name, func(t *testing.T) {
			s := v.fresh(0)
			s.Add([]byte("b"), math.Copysign(0, -1))
			s.Add([]byte("a"), 0)
			for m, score := range s.Range(0, 2) {
				require.False(t, math.Signbit(score), "%s", m)
			}
			rank, _ := s.Rank([]byte("a"))
			require.Zero(t, rank)
			score, err := s.IncrBy([]byte("b"), math.Copysign(0, -1))
			require.NoError(t, err)
			require.False(t, math.Signbit(score))
		})
	}
}

// TestMemberInterval takes Redis's lexicographic ranges (redis-sorted-sets.md 1.4, lex ranges).
func TestMemberInterval(t *testing.T) {
	from := func(m string) *MemberBound { return &MemberBound{Member: []byte(m)} }
	past := func(m string) *MemberBound { return &MemberBound{Member: []byte(m), Exclusive: true} }
	rows := []struct {
		low, high *MemberBound
		want      string
	}{
		{nil, nil, "abcdefg"}, {from("b"), from("d"), "bcd"}, {past("b"), past("d"), "c"}, {from(""), nil, "abcdefg"},
		{from("d"), from("b"), ""}, {past("b"), past("b"), ""}, {from("b"), from("b"), "b"}, {from("aa"), past("cc"), "bc"},
		{past("g"), nil, ""}, {nil, past("a"), ""},
	}
	for _, v := range plain {
		for _, tieWidth := range []int{0, 8} {
			s := v.fresh(tieWidth)
			for _, m := range "gfedcba" {
				s.Add([]byte(string(m)), 5)
			}
			for _, row := range rows {
				got := ""
				for m := range s.Range(s.MemberInterval(row.low, row.high)) {
					got += string(m)
				}
				require.Equal(t, row.want, got, "%s %v %v", v.name, row.low, row.high)
			}
		}
		lo, hi := v.fresh(0).MemberInterval(from("a"), nil)
		require.Zero(t, lo+hi)
	}
}

// TestAliases gives a set its own bytes back.
func TestAliases(t *testing.T) {
	for _, v := range plain {
		t.Run(v.name, func(t *testing.T) {
			p := newPair(v.fresh(8))
			for i := range 30 {
				require.NoError(t, p.add(fmt.Sprintf("m%02d", i), []byte(fmt.Sprintf("tie%05d", i)), float64(i)))
			}
			_, tie, _ := p.set.Get([]byte("m03"))
			kept := string(tie)
			_, err := p.set.AddTied([]byte("m03"), tie, 99)
			require.NoError(t, err)
			e, _ := p.want.Get("m03")
			e.Score, e.Tie = 99, kept
			p.want.Put(e)
			require.NoError(t, p.compare())

			for i := range 20 { // a new member with the tie of another, and named by a piece of another
				_, tie, _ := p.set.Get([]byte("m29"))
				member := fmt.Sprintf("a%02d", i)
				_, err := p.set.AddTied([]byte(member), tie, 0)
				require.NoError(t, err)
				p.want.Put(model.Entry{Member: member, Tie: "tie00029"})
				var piece []byte
				for last := range p.set.Range(p.set.Len()-1, p.set.Len()) {
					piece = last[:1+i%2]
				}
				p.want.Put(model.Entry{Score: -1, Member: string(piece), Tie: "tie-tie-"})
				_, err = p.set.AddTied(piece, []byte("tie-tie-"), -1)
				require.NoError(t, err)
			}
			require.NoError(t, p.compare())
		})
	}
}

func TestNoAllocations(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks allocate")
	}
	for _, n := range []int{100, 5000} {
		s, _ := New(Options{})
		for i := range n {
			s.Add(fmt.Appendf(nil, "member:%05d", i), float64(i))
		}
		member := "member:00050"
		sum := 0.0
		require.Zero(t, testing.AllocsPerRun(100, func() {
			s.Add([]byte(member), 1e6)
			s.Add([]byte(member), 50)
			s.IncrBy([]byte(member), 1)
			score, _ := s.Score([]byte(member))
			rank, _ := s.Rank([]byte(member))
			sum += score + float64(rank)
			for m, score := range s.Range(10, 60) {
				sum += score + float64(len(m))
			}
			for m, score := range s.RevRange(10, 60) {
				sum += score + float64(len(m))
			}
			lo, hi := s.ScoreInterval(Bound{Score: 3}, Bound{Score: 50, Exclusive: true})
			sum += float64(hi - lo)
		}), "%s", s.Encoding())
	}
}

// TestPageAllocations copies a page of 100 in a few blocks.
func TestPageAllocations(t *testing.T) {
	for _, n := range []int{128, 5000} {
		s, _ := New(Options{})
		for i := range n {
			s.Add(fmt.Appendf(nil, "member:%013d", i), float64(i))
		}
		page := make([]Entry, 0, 100)
		require.LessOrEqual(t, testing.AllocsPerRun(100, func() { page = s.Append(page[:0], 20, 120) }), 2.0, "%s", s.Encoding())
	}
}

// TestKeys orders keys as scores, both ways.
func TestKeys(t *testing.T) {
	ordered := []float64{math.Inf(-1), -math.MaxFloat64, -1.5, -1, -math.SmallestNonzeroFloat64, 0,
		math.SmallestNonzeroFloat64, 1, math.Nextafter(1, 2), 1 << 53, math.MaxFloat64, math.Inf(1)}
	for i, score := range ordered {
		require.Equal(t, score, scoreOf[float64](keyOf(score)))
		if i > 0 {
			require.Less(t, keyOf(ordered[i-1]), keyOf(score))
		}
	}
	require.Equal(t, keyOf(0.0), keyOf(math.Copysign(0, -1)))
}

// FuzzLoadPage gives LoadPage any bytes: an error that wraps ErrCorruptPage, or a set that writes pages again.
func FuzzLoadPage(f *testing.F) {
	for _, v := range plain {
		s := v.fresh(0)
		for i := range 40 {
			s.Add(fmt.Appendf(nil, "m%d", i), float64(i%7))
		}
		f.Add(s.AppendPage(nil, 0))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		b, _ := NewBuilder(Options{})
		err := b.LoadPage(page)
		s := b.Set()
		if err != nil && !errors.Is(err, ErrCorruptPage) {
			t.Fatalf("an error of another kind: %v", err)
		}
		if number, found := s.verify(); number != "" {
			t.Fatalf("violates %s: %s", number, found)
		}
	})
}

// TestCorruptPages damages each byte of a page: LoadPage may accept another valid page, but never panics.
func TestCorruptPages(t *testing.T) {
	for _, v := range plain {
		s := v.fresh(8)
		for i := range 20 {
			s.Add(fmt.Appendf(nil, "m%d", i), float64(i))
		}
		page := s.AppendPage(nil, 0)
		for i := range page {
			require.ErrorIs(t, builderLike(v.fresh(8).View()).LoadPage(page[:i]), ErrCorruptPage, "cut at %d", i)
			for bit := range 8 {
				damaged := append([]byte(nil), page...)
				damaged[i] ^= 1 << bit
				if err := builderLike(v.fresh(8).View()).LoadPage(damaged); err != nil {
					require.ErrorIs(t, err, ErrCorruptPage)
				}
			}
		}
		require.ErrorIs(t, builderLike(v.fresh(8).View()).LoadPage(append(page, 0)), ErrCorruptPage)
		require.ErrorIs(t, builderLike(v.fresh(16).View()).LoadPage(page), ErrCorruptPage)
	}
}
