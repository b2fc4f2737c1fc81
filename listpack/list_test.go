package listpack

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// A List is two slices and one more word.
var _ [56]struct{} = [unsafe.Sizeof(List{}) * 8 / unsafe.Sizeof(uintptr(0))]struct{}{}

func members(l *List) string {
	var s []string
	for p := l.Begin(); p != l.End(); p = l.Next(p) {
		_, _, member := l.Entry(p)
		s = append(s, string(member))
	}
	return strings.Join(s, " ")
}

func TestEmpty(t *testing.T) {
	for name, l := range map[string]List{"zero": {}, "tie=0": New(0), "tie=40": New(40)} {
		t.Run(name, func(t *testing.T) {
			for range 2 {
				require.Zero(t, l.Len())
				require.Equal(t, l.End(), l.Begin())
				require.Equal(t, l.End(), l.Next(l.End()))
				require.Equal(t, l.End(), l.Prev(l.End()))
				require.Equal(t, l.End(), l.At(0))
				p, rank, ok := l.Find(nil)
				require.Equal(t, []any{l.End(), 0, false}, []any{p, rank, ok})
				require.Zero(t, l.Seek(math.MaxUint64, []byte("text")))
				require.Equal(t, []byte{2, byte(l.TieWidth()), 0, 0}, l.AppendTo(nil))
				l.Insert(1, make([]byte, l.TieWidth()), nil)
				require.Equal(t, 1, l.Len())
				l.Delete(l.Begin())
			}
		})
	}
	require.Zero(t, new(List).Size())
}

func TestOrder(t *testing.T) {
	var l List
	for _, c := range []struct {
		key    uint64
		member string
		rank   int
	}{
		{math.MaxUint64, "top", 0}, {0, "floor", 0}, {256, "b", 1}, {256, "a", 1}, {256, "ab", 2}, {255, "z", 1}, {256, "\xff", 5},
		{256, "", 2}, {math.MaxUint64, "too", 7}, {math.MaxUint64, "toz", 9},
	} {
		require.Equal(t, c.rank, l.Insert(c.key, nil, []byte(c.member)), c.member)
	}
	require.Equal(t, "floor z  a ab b \xff too top toz", members(&l))
	require.Equal(t, []int{7, 8}, []int{l.Seek(math.MaxUint64, nil), l.Seek(math.MaxUint64, []byte("top"))})
}

// TestFindSameTail looks for members that share length and last bytes with others.
func TestFindSameTail(t *testing.T) {
	var l List
	for i, m := range []string{"aaa:12345678", "12345678", "bbb:12345678", strings.Repeat("-", 300), "ccc:12345678"} {
		l.Insert(uint64(i), nil, []byte(m))
	}
	for rank, m := range []string{"aaa:12345678", "12345678", "bbb:12345678", "", "ccc:12345678", "ddd:12345678"} {
		p, got, ok := l.Find([]byte(m))
		if m == "" || rank == l.Len() {
			require.Equal(t, []any{l.End(), l.Len(), false}, []any{p, got, ok}, m)
		} else {
			require.Equal(t, []any{l.At(rank), rank, true}, []any{p, got, ok}, m)
		}
	}
}

// TestSeekPartOfTie seeks texts that end within a tie.
func TestSeekPartOfTie(t *testing.T) {
	l := New(8)
	for i, tie := range []string{"aaaaaaaa", "aaaabbbb", "bbbbbbbb"} {
		l.Insert(7, []byte(tie), []byte{byte(i)})
	}
	for text, want := range map[string]int{
		"": 0, "a": 0, "aaaa": 0, "aaaaaaaa": 0, "aaaaaaaa\x00": 0, "aaaaaaaa\x01": 1, "aaaab": 1, "aaab": 2, "b": 2, "c": 3,
	} {
		require.Equal(t, want, l.Seek(7, []byte(text)), "%q", text)
	}
}

// TestWalkLargest walks as many entries as there can be, both ways.
func TestWalkLargest(t *testing.T) {
	l := largest()
	p, q := l.Begin(), l.Prev(l.End())
	for rank := range MaxEntries {
		up, _, _ := l.Entry(p)
		down, _, _ := l.Entry(q)
		if up != uint64(rank) || down != uint64(MaxEntries-1-rank) {
			t.Fatalf("step %d meets %d and %d", rank, up, down)
		}
		p, q = l.Next(p), l.Prev(q)
	}
	require.Equal(t, []Pos{l.End(), l.End()}, []Pos{p, q})
	require.Equal(t, 40_000, l.Seek(40_000, nil))
}

func TestTieStandsBeforeMember(t *testing.T) {
	l := New(8)
	l.Insert(7, []byte("00000002"), []byte("a"))
	l.Insert(7, []byte("00000001"), []byte("b"))
	l.Insert(6, []byte("00000009"), []byte("c"))
	require.Equal(t, "c b a", members(&l))
	_, tie, _ := l.Entry(l.At(1))
	require.Equal(t, "00000001", string(tie))
}

// TestReplace gives an entry of a list of four another key, and compares the new rank and order. Short members are rotated through the
// stack, long ones by reversals.
func TestReplace(t *testing.T) {
	for _, c := range []struct {
		name       string
		rank, key  int
		want       int
		wantString string
	}{
		{"stays", 1, 25, 1, "a b c d"},
		{"same key", 1, 20, 1, "a b c d"},
		{"ties with the next, before it", 1, 30, 1, "a b c d"},
		{"ties with the one before, after it", 2, 20, 2, "a b c d"},
		{"passes one forwards", 1, 35, 2, "a c b d"},
		{"passes one backwards", 2, 15, 1, "a c b d"},
		{"to the end", 0, 99, 3, "b c d a"},
		{"to the front", 3, 1, 0, "d a b c"},
	} {
		for _, long := range []int{0, 150, 400} { // through the stack, and by reversals
			t.Run(fmt.Sprintf("%s/long=%d", c.name, long), func(t *testing.T) {
				pad := strings.Repeat("-", long)
				var l List
				for i, m := range []string{"a", "b", "c", "d"} {
					l.Insert(uint64(10+10*i), nil, []byte(m+pad))
				}
				require.Equal(t, c.want, l.Replace(l.At(c.rank), uint64(c.key), nil))
				require.Equal(t, c.wantString, strings.ReplaceAll(members(&l), pad, ""))
				require.Nil(t, verify(&l))
			})
		}
	}
}

func TestRotate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 63, 64, 65, 127, 128, 129, 300} {
		for k := range n + 1 {
			b := make([]byte, n)
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			want := append(append([]byte{}, b[k:]...), b[:k]...)
			rotate(b, k)
			require.Equal(t, want, b)
		}
	}
}

func TestCallersMistakesPanic(t *testing.T) {
	l := New(8)
	full := largest()
	for name, f := range map[string]func(){
		"New":             func() { New(7) },
		"New below 0":     func() { New(-8) },
		"New above 40":    func() { New(48) },
		"Insert tie":      func() { l.Insert(1, nil, []byte("a")) },
		"Insert tie of 0": func() { new(List).Insert(1, make([]byte, 8), []byte("a")) },
		"Insert too many": func() { full.Insert(1, nil, []byte("abc")) },
		"At below 0":      func() { l.At(-1) },
		"At above Len":    func() { l.At(l.Len() + 1) },
		"Entry of End":    func() { l.Entry(l.End()) },
		"Delete End":      func() { l.Delete(l.End()) },
		"Delete of zero":  func() { new(List).Delete(0) },
		"Replace End":     func() { l.Replace(l.End(), 1, make([]byte, 8)) },
		"Replace tie":     func() { l.Replace(l.End(), 1, nil) },
	} {
		require.Panics(t, f, name)
	}
	require.Equal(t, 0, l.Len())
	require.Nil(t, verify(&full))
}

// TestMemory checks the figures of doc.go: bytes of the encoding and bytes in memory. The latter depend on the allocator's size classes.
// If a new version of Go has others, correct the test and doc.go.
func TestMemory(t *testing.T) {
	l, _ := filled(128, 0)
	require.Len(t, l.AppendTo(nil), 3716)
	require.Equal(t, []int{1024, 2688, 3712}, []int{cap(l.order), cap(l.texts), l.Size()})
	decoded, err := Decode(l.AppendTo(nil))
	require.NoError(t, err)
	require.Equal(t, []int{1024, 2688}, []int{cap(decoded.order), cap(decoded.texts)})
}

// usedBytes returns what the columns need.
func usedBytes(l *List) (order, texts int) { return len(l.order), len(l.texts) + l.Len() }

// TestBlocks adds members of mixed lengths. After each, the block of the list, or of each column of a parted list, must be the smallest
// block of the allocator that holds it, up to 32 KiB.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	l := New(8)
	smallest := func(n int) int { return cap(append([]byte(nil), make([]byte, n)...)) }
	for i := range 400 {
		member := make([]byte, 2+r.IntN(120))
		member[0], member[1] = byte(i>>8), byte(i)
		l.Insert(r.Uint64N(50), make([]byte, 8), member)
		order, texts := usedBytes(&l)
		want := smallest(order) + smallest(texts)
		if joined := order + texts + countSize; joined <= joinedMax {
			want = smallest(joined)
		}
		require.Equal(t, want, l.Size(), "%d entries", i+1)
	}
	require.False(t, l.joined)
}

// TestAdopt converts lists of all sizes to their blocks and back.
func TestAdopt(t *testing.T) {
	for tieWidth := 0; tieWidth <= MaxTie; tieWidth += 8 {
		joined, l := 0, New(tieWidth)
		full, _ := filled(200, 8)
		for i := range 300 {
			before := l.AppendTo(nil)
			block, rows := l.Blocks()
			again := full // what it was before must not matter
			again.Adopt(tieWidth, block, rows)
			require.Equal(t, before, again.AppendTo(nil))
			require.Equal(t, l.Size(), again.Size())
			require.Equal(t, rows == nil, again.Len() == 0 || again.joined)
			if l = again; l.joined {
				joined++
			}
			l.Insert(uint64(i*7919%100), make([]byte, tieWidth), fmt.Appendf(nil, "player:%05d", i))
		}
		t.Logf("ties of %d: joined up to %d entries", tieWidth, joined)
		require.Greater(t, joined, 30)
	}
}

// TestGrowth counts the blocks a list goes through, and what they leave unused.
func TestGrowth(t *testing.T) {
	var l List
	blocks, last := 0, 0
	member := make([]byte, 1000)
	for i := range 600 {
		member[0], member[1] = byte(i>>8), byte(i)
		l.Insert(uint64(i), nil, member)
		if cap(l.texts) != last {
			blocks, last = blocks+1, cap(l.texts)
		}
		_, used := usedBytes(&l)
		require.LessOrEqual(t, cap(l.texts), used+used/6+8<<10, "%d bytes", used)
	}
	require.Less(t, blocks, 60)
}

func TestShrink(t *testing.T) {
	l, names := filled(128, 0)
	for _, name := range names[1:] {
		p, _, ok := l.Find(name)
		require.True(t, ok)
		l.Delete(p)
		order, texts := usedBytes(&l)
		if l.joined {
			require.LessOrEqual(t, l.Size(), max(smallBlock, 5*(order+texts)))
			continue
		}
		require.LessOrEqual(t, cap(l.order), max(smallBlock, 5*order))
		require.LessOrEqual(t, cap(l.texts), max(smallBlock, 5*texts))
	}
	require.True(t, l.joined)
	require.Equal(t, string(names[0]), members(&l))
	l.Clear()
	require.Zero(t, l.Size())
}

func TestClearKeepsTieWidth(t *testing.T) {
	l, _ := filled(10, 24)
	l.Clear()
	require.Equal(t, []int{0, 24}, []int{l.Len(), l.TieWidth()})
}

// TestAppendsStayOutside keeps an append to what the list hands out from writing into the list.
func TestAppendsStayOutside(t *testing.T) {
	l, _ := filled(10, 8)
	_, tie, member := l.Entry(l.Begin())
	require.Equal(t, []int{len(member), len(tie)}, []int{cap(member), cap(tie)})
	before := l.AppendTo([]byte("page"))
	require.Equal(t, "page", string(before[:4]))
	clear(before)
	require.Nil(t, verify(&l))
}

// TestZeroAllocations calls methods that must not allocate, and checks that Decode allocates only the blocks.
func TestZeroAllocations(t *testing.T) {
	if invariants.Enabled {
		t.Skip("the checks in this build are not the code to measure")
	}
	l, names := filled(128, 8)
	tie, extra, sum, i := make([]byte, 8), []byte("extra"), 0, 0
	encoded := l.AppendTo(nil)
	for name, f := range map[string]func(){
		"Find": func() { l.Find(names[i%128]) },
		"Seek": func() { l.Seek(uint64(i), tie) },
		"At":   func() { l.At(i % 128) },
		"walk": func() {
			for p := l.Begin(); p != l.End(); p = l.Next(p) {
				_, _, member := l.Entry(p)
				sum += len(member)
			}
			for p := l.Prev(l.End()); p != l.End(); p = l.Prev(p) {
				_, tie, _ := l.Entry(p)
				sum += len(tie)
			}
		},
		"Replace":  func() { l.Replace(l.At(i%128), uint64(i*7919%1000), tie) },
		"AppendTo": func() { encoded = l.AppendTo(encoded[:0]) },
		"Insert and Delete": func() { // the block has space for one more entry
			l.Delete(l.At(l.Insert(uint64(i%1000), tie, extra)))
		},
	} {
		require.Zero(t, testing.AllocsPerRun(200, func() { i++; f() }), name)
	}
	require.Equal(t, 2.0, testing.AllocsPerRun(100, func() { _, _ = Decode(encoded) }), "Decode: the columns only")
	few, _ := filled(20, 8)
	encoded = few.AppendTo(nil)
	require.Equal(t, 1.0, testing.AllocsPerRun(100, func() { _, _ = Decode(encoded) }), "Decode: the block only")
}

func TestGoString(t *testing.T) {
	l := New(8)
	l.Insert(1, []byte("........"), []byte("ada"))
	l.Insert(2, []byte("........"), bytes.Repeat([]byte("x"), 60))
	require.Equal(t, fmt.Sprintf(`listpack.List{len=2 tie=8 bytes=97 cap=%d
  @0 #0 key=1 tie=2e2e2e2e2e2e2e2e member[3]="ada"
  @3 #1 key=2 tie=2e2e2e2e2e2e2e2e member[60]=%q
}`, l.Size(), strings.Repeat("x", dumpLimit)), fmt.Sprintf("%#v", &l))
	l.lengths()[0]++
	require.Contains(t, fmt.Sprintf("%#v", l), "@3 #1 key=2 tie=2e2e2e2e2e2e2e2e violates L3: a member of 61 bytes where 60 are left: 78 78 78")
	l.n++
	require.Contains(t, l.GoString(), "violates L2 or L5: 32 bytes of rows, 63 of texts in")
}

// TestVerifyColumns damages columns in ways that an encoding cannot have.
func TestVerifyColumns(t *testing.T) {
	for rule, damage := range map[string]func(l *List){
		"L1": func(l *List) { l.tieWidth = 7 },
		"L2": func(l *List) { l.order = l.order[:len(l.order)-1] },
		"L5": func(l *List) { l.texts = l.texts[:cap(l.texts)-l.Len()+1] },
		"L7": func(l *List) { l.texts = l.texts[: len(l.texts) : cap(l.texts)-1] },
	} {
		l, _ := filled(5, 8)
		damage(&l)
		require.Equal(t, rule, verify(&l).rule)
		require.NotPanics(t, func() { _ = l.GoString() })
	}
}

// TestChecksCatch inserts a member twice, which Insert does not check. The invariant checks must notice it.
func TestChecksCatch(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("needs -tags invariants")
	}
	var l List
	l.Insert(1, nil, []byte("ada"))
	defer func() {
		got := fmt.Sprint(recover())
		require.Contains(t, got, "listpack: violates L6: byte 23: entry 1 has the member of entry 0\nlistpack.List{len=2")
	}()
	l.Insert(2, nil, []byte("ada"))
}

// TestPoison uses an Entry after the list has moved.
func TestPoison(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("needs -tags invariants")
	}
	var l List
	l.Insert(1, nil, []byte("ada"))
	_, _, stale := l.Entry(l.Begin())
	l.Insert(2, nil, make([]byte, 200))
	require.Equal(t, "\xdb\xdb\xdb", string(stale))
}
