package zset

import (
	"fmt"
	"testing"
)

// BenchmarkMemberInterval measures MemberInterval from the middle of a set on, with and without an upper bound, in sets with one score
// for all members, and with a different score for each.
func BenchmarkMemberInterval(b *testing.B) {
	for _, n := range []int{100, 1_000_000} {
		for _, scores := range []string{"equal", "distinct"} {
			s, _ := New(Options{})
			for i := range n {
				score := 0
				if scores == "distinct" {
					score = i
				}
				s.Add(fmt.Appendf(nil, "member%07d", i), float64(score))
			}
			low := &MemberBound{Member: fmt.Appendf(nil, "member%07d", n/2)}
			high := &MemberBound{Member: fmt.Appendf(nil, "member%07d", n/2+10)}
			for i, end := range []*MemberBound{nil, high} {
				b.Run(fmt.Sprintf("len=%d/scores=%s/bounds=%d", n, scores, i+1), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						s.MemberInterval(low, end)
					}
				})
			}
		}
	}
}
