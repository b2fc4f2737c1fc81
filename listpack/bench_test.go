package listpack

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// filled returns a list of n members of 20 bytes with random keys.
func filled(n, tieWidth int) (List, [][]byte) {
	r := rand.New(rand.NewPCG(1, 2))
	l := New(tieWidth)
	members := make([][]byte, n)
	for i := range members {
		members[i] = fmt.Appendf(nil, "player:%013d", i)
		l.Insert(r.Uint64N(1000), make([]byte, tieWidth), members[i])
	}
	return l, members
}

func eachLen(b *testing.B, f func(b *testing.B, l *List, members [][]byte)) {
	for _, n := range []int{16, 128, 1024} {
		b.Run(fmt.Sprintf("len=%d", n), func(b *testing.B) {
			l, members := filled(n, 0)
			b.ReportAllocs()
			f(b, &l, members)
		})
	}
}

func BenchmarkFind(b *testing.B) {
	eachLen(b, func(b *testing.B, l *List, members [][]byte) {
		for i := 0; b.Loop(); i++ {
			l.Find(members[i%len(members)])
		}
	})
}

func BenchmarkFindMiss(b *testing.B) {
	eachLen(b, func(b *testing.B, l *List, _ [][]byte) {
		miss := []byte("player:000000000000x")
		for b.Loop() {
			l.Find(miss)
		}
	})
}

func BenchmarkSeek(b *testing.B) {
	eachLen(b, func(b *testing.B, l *List, _ [][]byte) {
		r := rand.New(rand.NewPCG(3, 4))
		for b.Loop() {
			l.Seek(r.Uint64N(1000), nil)
		}
	})
}

func BenchmarkAt(b *testing.B) {
	eachLen(b, func(b *testing.B, l *List, _ [][]byte) {
		for i := 0; b.Loop(); i++ {
			l.At(i % l.Len())
		}
	})
}

func BenchmarkWalk(b *testing.B) {
	eachLen(b, func(b *testing.B, l *List, _ [][]byte) {
		var sum uint64
		for b.Loop() {
			for p := l.Begin(); p != l.End(); p = l.Next(p) {
				key, _, _ := l.Entry(p)
				sum += key
			}
		}
		_ = sum
	})
}

func BenchmarkWalkBack(b *testing.B) {
	eachLen(b, func(b *testing.B, l *List, _ [][]byte) {
		var sum uint64
		for b.Loop() {
			for p := l.Prev(l.End()); p != l.End(); p = l.Prev(p) {
				key, _, _ := l.Entry(p)
				sum += key
			}
		}
		_ = sum
	})
}

// BenchmarkUpdate finds a random member and gives it a random key.
func BenchmarkUpdate(b *testing.B) {
	eachLen(b, func(b *testing.B, l *List, members [][]byte) {
		r := rand.New(rand.NewPCG(3, 4))
		for b.Loop() {
			p, _, _ := l.Find(members[r.IntN(len(members))])
			l.Replace(p, r.Uint64N(1000), nil)
		}
	})
}

// BenchmarkReplace moves a random entry to a random key without finding its member first.
func BenchmarkReplace(b *testing.B) {
	eachLen(b, func(b *testing.B, l *List, _ [][]byte) {
		r := rand.New(rand.NewPCG(3, 4))
		p := l.Begin()
		for b.Loop() {
			rank := l.Replace(p, r.Uint64N(1000), nil)
			p = posOf(rank, 20*rank)
		}
	})
}

// BenchmarkInsertDelete adds a member at a random place and removes it.
func BenchmarkInsertDelete(b *testing.B) {
	eachLen(b, func(b *testing.B, l *List, _ [][]byte) {
		r := rand.New(rand.NewPCG(3, 4))
		extra := []byte("player:000000000000x")
		for b.Loop() {
			rank := l.Insert(r.Uint64N(1000), nil, extra)
			l.Delete(posOf(rank, 20*rank))
		}
	})
}

// BenchmarkFill builds a list from nothing, in random order and in order.
func BenchmarkFill(b *testing.B) {
	for _, order := range []string{"random", "sorted"} {
		b.Run("order="+order+"/len=128", func(b *testing.B) {
			_, members := filled(128, 0)
			keys := rand.New(rand.NewPCG(5, 6)).Perm(128)
			b.ReportAllocs()
			var l List
			for b.Loop() {
				l.Clear()
				for i, m := range members {
					key := uint64(i)
					if order == "random" {
						key = uint64(keys[i])
					}
					l.Insert(key, nil, m)
				}
			}
			b.ReportMetric(float64(len(l.AppendTo(nil)))/128, "encoded-B/entry")
			b.ReportMetric(float64(l.Size())/128, "held-B/entry")
		})
	}
}

func BenchmarkAppendTo(b *testing.B) {
	eachLen(b, func(b *testing.B, l *List, _ [][]byte) {
		var encoded []byte
		for b.Loop() {
			encoded = l.AppendTo(encoded[:0])
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	eachLen(b, func(b *testing.B, l *List, _ [][]byte) {
		encoded := l.AppendTo(nil)
		for b.Loop() {
			if _, err := Decode(encoded); err != nil {
				b.Fatal(err)
			}
		}
	})
}
