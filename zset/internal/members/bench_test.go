package members

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// memberLen is the length of every benchmark's members: "player:" and 13 digits.
const memberLen = 20

func player(dst []byte, i int) []byte { return fmt.Appendf(dst, "player:%013d", i) }

// draw returns the names of random players out of n, one after the other, so that a look-up uses a copy of the member.
func draw(rng *rand.Rand, n, count int) []byte {
	texts := make([]byte, 0, count*memberLen)
	for range count {
		texts = player(texts, rng.IntN(n))
	}
	return texts
}

// BenchmarkFind looks up uniform random members and reads their scores. The map's keys are copies of the searched strings, because Go
// compares the pointers of strings before their bytes.
func BenchmarkFind(b *testing.B) {
	const drawn = 1 << 20
	for _, n := range []int{1000, 100_000, 1_000_000} {
		texts := draw(rand.New(rand.NewPCG(1, uint64(n))), n, drawn)
		b.Run(fmt.Sprintf("impl=table/len=%d", n), func(b *testing.B) {
			table := New(0)
			for i := range n {
				table.Add(uint64(i), nil, player(nil, i))
			}
			sum, at := uint64(0), 0
			for b.Loop() {
				_, key, _ := table.FindKey(texts[at : at+memberLen])
				sum += key
				if at += memberLen; at == len(texts) {
					at = 0
				}
			}
			sink = sum
		})
		b.Run(fmt.Sprintf("impl=map/len=%d", n), func(b *testing.B) {
			table := map[string]float64{}
			for i := range n {
				table[strings.Clone(string(player(nil, i)))] = float64(i)
			}
			sum, at := 0.0, 0
			for b.Loop() {
				sum += table[string(texts[at:at+memberLen])]
				if at += memberLen; at == len(texts) {
					at = 0
				}
			}
			sink = uint64(sum)
		})
	}
}

// BenchmarkAdd fills a table; ns/op and B/op are those of one member.
func BenchmarkAdd(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("len=%d", n), func(b *testing.B) {
			texts := make([]byte, 0, n*memberLen)
			for i := range n {
				texts = player(texts, i)
			}
			table, i := New(0), 0
			for b.Loop() {
				if i == n {
					table, i = New(0), 0
				}
				table.Add(uint64(i), nil, texts[i*memberLen:(i+1)*memberLen])
				i++
			}
		})
	}
}

var sink uint64

// BenchmarkRemove removes nine of ten members in random order, with and without a call of Shrink after each; one op is one member.
// moves/op is the number of moved records, which the owner must change in its own index.
func BenchmarkRemove(b *testing.B) {
	const n = 1_000_000
	for _, moves := range []int{0, 4} {
		b.Run(fmt.Sprintf("len=%d/shrink=%d", n, moves), func(b *testing.B) {
			var table *Table
			var refs []uint32
			at, removed, moved := 0, 0, 0
			for b.Loop() {
				if at == len(refs)*9/10 {
					b.StopTimer()
					table, refs, at = New(0), refs[:0], 0
					for i := range n {
						refs = append(refs, table.Add(uint64(i), nil, player(nil, i)))
					}
					rng := rand.New(rand.NewPCG(1, 2))
					rng.Shuffle(n, func(i, j int) {
						refs[i], refs[j] = refs[j], refs[i]
						table.SetKey(refs[i], uint64(i))
						table.SetKey(refs[j], uint64(j))
					})
					b.StartTimer()
				}
				table.Remove(refs[at])
				table.Shrink(moves, func(_, ref uint32) {
					refs[table.Key(ref)] = ref
					moved++
				})
				at++
				removed++
			}
			b.ReportMetric(float64(moved)/float64(removed), "moves/op")
		})
	}
}

// BenchmarkSort sorts random numbers; ns/op is that of all.
func BenchmarkSort(b *testing.B) {
	const n = 1_000_000
	for _, x := range []struct {
		name string
		sort func([]entry)
	}{
		{"radix", sortEntries},
		{"slices", func(e []entry) { slices.SortFunc(e, func(x, y entry) int { return cmp.Compare(x.by, y.by) }) }},
	} {
		b.Run(fmt.Sprintf("impl=%s/len=%d", x.name, n), func(b *testing.B) {
			rng, e := rand.New(rand.NewPCG(1, 2)), make([]entry, n)
			for b.Loop() {
				b.StopTimer()
				for i := range e {
					e[i] = entry{rng.Uint64(), uint32(i)}
				}
				b.StartTimer()
				x.sort(e)
			}
		})
	}
}
