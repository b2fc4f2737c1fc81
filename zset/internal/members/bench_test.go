package members

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// lookups returns members drawn from n, side by side in one slice, so that reading the question costs little.
func lookups(n, count int) []byte {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	text := make([]byte, 0, 20*count)
	for range count {
		text = fmt.Appendf(text, "player:%013d", r.IntN(n))
	}
	return text
}

var sum uint64

// BenchmarkFind looks up the scores of members of 20 bytes, here and in a Go map.
func BenchmarkFind(b *testing.B) {
	const count = 1 << 20
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		table, gomap := New(0), map[string]float64{}
		for _, i := range rand.New(rand.NewPCG(2, uint64(n))).Perm(n) {
			member := fmt.Appendf(nil, "player:%013d", i)
			table.Add(uint64(i), nil, member)
			gomap[string(member)] = float64(i)
		}
		raw := lookups(n, count)
		text := string(raw)
		b.Run(fmt.Sprintf("impl=table/len=%d", n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				ref, _ := table.Find(raw[i*20 : i*20+20])
				sum += table.Key(ref)
				i = (i + 1) & (count - 1)
			}
		})
		b.Run(fmt.Sprintf("impl=map/len=%d", n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				sum += uint64(gomap[text[i*20:i*20+20]])
				i = (i + 1) & (count - 1)
			}
		})
	}
}

// BenchmarkAdd builds tables.
func BenchmarkAdd(b *testing.B) {
	const n = 1_000_000
	raw := lookups(1<<40, n)
	b.Run(fmt.Sprintf("len=%d", n), func(b *testing.B) {
		for b.Loop() {
			table := New(0)
			for i := range n {
				table.Add(uint64(i), nil, raw[i*20:i*20+20])
			}
			b.ReportMetric(float64(table.Size())/n, "B/member")
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/add")
	})
}
