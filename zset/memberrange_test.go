package zset

import (
	"fmt"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/model"
)

// TestMemberInterval takes Redis's lexicographic ranges.
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
				require.Equal(t, row.want, concat(s.Range(s.MemberInterval(row.low, row.high))), "%s %v %v", v.name, row.low, row.high)
			}
		}
		lo, hi := v.fresh(0).MemberInterval(from("a"), nil)
		require.Zero(t, lo+hi)
	}
}

// addLetters adds members of one letter, with scores in their order.
func addLetters(s *Set, letters string) {
	for i, m := range letters {
		s.Add([]byte(string(m)), float64(i))
	}
}

// concat returns members one behind the other.
func concat(members iter.Seq2[[]byte, float64]) (all string) {
	for m := range members {
		all += string(m)
	}
	return all
}

// TestMemberIntervalUnequal compares ranges by member with Redis's replies for sets whose scores differ: see
// testdata/redis-members-7.0.15.txt.
func TestMemberIntervalUnequal(t *testing.T) {
	from := func(m string) *MemberBound { return &MemberBound{Member: []byte(m)} }
	past := func(m string) *MemberBound { return &MemberBound{Member: []byte(m), Exclusive: true} }
	rows := []struct {
		order             string // the members, each a letter, in the order of their scores
		low, high         *MemberBound
		forward, backward string
	}{
		{"abc", nil, from("b"), "ab", "ba"}, {"abc", from("b"), past("c"), "b", "b"}, {"abc", past("a"), nil, "bc", "cb"},
		{"abc", from("d"), nil, "", ""}, {"abc", nil, past("a"), "", ""}, {"abc", from("c"), from("a"), "", ""},
		{"bca", from("b"), nil, "", ""}, {"bcad", from("b"), nil, "bcad", "d"}, // the last member is before b, or is not
		{"cab", nil, from("b"), "", ""}, {"acb", nil, from("b"), "a", "bca"}, // the first member is beyond b, or is not
		{"azb", nil, from("c"), "a", "bza"}, {"azbyc", from("b"), from("y"), "", "cybz"}, {"dbac", from("b"), from("c"), "", ""},
		{"cba", nil, nil, "cba", "abc"}, {"bdac", past("b"), from("d"), "dac", "c"},
	}
	for _, v := range plain {
		for _, row := range rows {
			s := v.fresh(0)
			addLetters(s, row.order)
			require.Equal(t, row.forward, concat(s.Range(s.MemberInterval(row.low, row.high))), "%s %v", v.name, row)
			require.Equal(t, row.backward, concat(s.RevRange(s.RevMemberPage(row.low, row.high, 0, -1))), "%s %v, backwards", v.name, row)
		}
	}
}

// TestMemberPage checks offset and count of MemberPage and RevMemberPage. Skipped members must not be compared with the far bound.
func TestMemberPage(t *testing.T) {
	from := func(m string) *MemberBound { return &MemberBound{Member: []byte(m)} }
	rows := []struct {
		order             string
		offset, count     int
		forward, backward string // between b and y
	}{
		{"abcyz", 0, 2, "bc", "yc"}, {"abcyz", 1, -1, "cy", "cb"}, {"abcyz", 3, -1, "", ""}, {"abcyz", -1, 5, "", ""}, {"abcyz", 9, 5, "", ""},
		{"abzcdy", 0, -1, "b", "ydczb"}, {"abzcdy", 2, -1, "cdy", "czb"}, {"abzcdy", 2, 1, "c", "c"}, {"abzcdy", 1, -1, "", "dczb"},
		{"abzcdy", 4, -1, "y", "b"}, {"bzc", 2, -1, "c", "b"}, {"yac", 2, -1, "c", "y"}, {"bzc", 1, -1, "", "zb"}, {"yac", 1, -1, "ac", ""},
		{"zb", 1, -1, "", ""}, {"ba", 1, -1, "", ""},
	}
	for _, v := range plain {
		for _, row := range rows {
			s := v.fresh(0)
			addLetters(s, row.order)
			require.Equal(t, row.forward, concat(s.Range(s.MemberPage(from("b"), from("y"), row.offset, row.count))), "%s %v", v.name, row)
			require.Equal(t, row.backward, concat(s.RevRange(s.RevMemberPage(from("b"), from("y"), row.offset, row.count))), "%s %v, backwards", v.name, row)
		}
	}
}

// compareMemberRanges compares pages between members of the set, and between other strings.
func (p *pair[S]) compareMemberRanges(all []model.EntryOf[S]) error {
	bounds := []*MemberBound{nil, {Member: []byte{}}, {Member: []byte("a"), Exclusive: true}, {Member: []byte("nobody")}}
	for i := range 4 {
		if n := len(all); n > 0 {
			bounds = append(bounds, &MemberBound{Member: []byte(all[i*(n-1)/3].Member), Exclusive: i%2 == 1})
		}
	}
	for i, low := range bounds {
		for j := i % 3; j < len(bounds); j += 3 {
			high := bounds[j]
			if err := p.compareMemberPage(low, high, (i+j)%3, i*j%7-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// compareMemberPage compares a page in both directions, and the whole interval.
func (p *pair[S]) compareMemberPage(low, high *MemberBound, offset, count int) error {
	before := func(m string) bool {
		return low != nil && (m < string(low.Member) || low.Exclusive && m == string(low.Member))
	}
	beyond := func(m string) bool {
		return high != nil && (m > string(high.Member) || high.Exclusive && m == string(high.Member))
	}
	differ := func(what string, lo, hi, from, to int) error {
		if lo == from && hi == to || hi == lo && from == to {
			return nil
		}
		return fmt.Errorf("%s of %v..%v, offset %d, count %d: %d..%d, want %d..%d", what, low, high, offset, count, lo, hi, from, to)
	}
	lo, hi := p.set.MemberInterval(low, high)
	from, to := p.want.MemberPage(before, beyond, 0, -1)
	if err := differ("interval", lo, hi, from, to); err != nil {
		return err
	}
	lo, hi = p.set.MemberPage(low, high, offset, count)
	from, to = p.want.MemberPage(before, beyond, offset, count)
	if err := differ("page", lo, hi, from, to); err != nil {
		return err
	}
	lo, hi = p.set.RevMemberPage(low, high, offset, count)
	from, to = p.want.RevMemberPage(before, beyond, offset, count)
	return differ("reverse page", lo, hi, from, to)
}
