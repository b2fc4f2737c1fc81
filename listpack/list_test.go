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

// A List is one slice and nothing else.
var _ [24]struct{} = [unsafe.Sizeof(List{}) * 8 / unsafe.Sizeof(uintptr(0))]struct{}{}

func members(l *List) string {
	var s []string
	for p := l.Begin(); p != l.End(); p = l.Next(p) {
		s = append(s, string(l.Entry(p).Member))
	}
	return strings.Join(s, " ")
}

func TestEmpty(t *testing.T) {
	for name, l := range map[string]List{"zero": {}, "tie=0": New(0), "tie=32": New(32)} {
		t.Run(name, func(t *testing.T) {
			for range 2 {
				require.Zero(t, l.Len())
				require.Equal(t, l.End(), l.Begin())
				require.Equal(t, l.End(), l.Next(l.End()))
				require.Equal(t, l.End(), l.Prev(l.End()))
				require.Equal(t, l.End(), l.At(0))
				p, rank, ok := l.Find(nil)
				require.Equal(t, []any{l.End(), 0, false}, []any{p, rank, ok})
				p, rank = l.Seek(func(Entry) bool { return true })
				require.Equal(t, []any{l.End(), 0}, []any{p, rank})
				require.Equal(t, []byte{1, byte(l.TieWidth()), 0, 0}, l.Bytes())
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
		{256, "", 2},
	} {
		require.Equal(t, c.rank, l.Insert(c.key, nil, []byte(c.member)), c.member)
	}
	require.Equal(t, "floor z  a ab b \xff top", members(&l))
}

func TestTieStandsBeforeMember(t *testing.T) {
	l := New(8)
	l.Insert(7, []byte("00000002"), []byte("a"))
	l.Insert(7, []byte("00000001"), []byte("b"))
	l.Insert(6, []byte("00000009"), []byte("c"))
	require.Equal(t, "c b a", members(&l))
	require.Equal(t, "00000001", string(l.Entry(l.At(1)).Tie))
}

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
				require.Nil(t, verify(l.Bytes()))
			})
		}
	}
}

func TestRotate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 127, 128, 129, 300} {
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
		"New above 32":    func() { New(40) },
		"Insert tie":      func() { l.Insert(1, nil, []byte("a")) },
		"Insert tie of 0": func() { new(List).Insert(1, make([]byte, 8), []byte("a")) },
		"Insert too many": func() { full.Insert(1, nil, []byte("abc")) },
		"At below 0":      func() { l.At(-1) },
		"At above Len":    func() { l.At(l.Len() + 1) },
		"Entry of End":    func() { l.Entry(l.End()) },
		"Delete End":      func() { l.Delete(l.End()) },
		"Delete of zero":  func() { new(List).Delete(headerSize) },
		"Replace End":     func() { l.Replace(l.End(), 1, make([]byte, 8)) },
		"Replace tie":     func() { l.Replace(l.End(), 1, nil) },
	} {
		require.Panics(t, f, name)
	}
	require.Equal(t, 0, l.Len())
	require.Nil(t, verify(full.Bytes()))
}

// TestMemory pins the figures of doc.go: bytes encoded and held. The second follows from the allocator's block sizes; if a
// new Go has others, correct both.
func TestMemory(t *testing.T) {
	l, _ := filled(128, 0)
	require.Equal(t, 3844, len(l.Bytes()))
	require.Equal(t, 4096, l.Size())
	decoded, err := Decode(l.Bytes())
	require.NoError(t, err)
	require.Equal(t, 4096, decoded.Size())
}

// TestGrowth counts the blocks a list goes through, and what they leave unused.
func TestGrowth(t *testing.T) {
	var l List
	blocks, last := 0, 0
	member := make([]byte, 1000)
	for i := range 600 {
		member[0], member[1] = byte(i>>8), byte(i)
		l.Insert(uint64(i), nil, member)
		if l.Size() != last {
			blocks, last = blocks+1, l.Size()
		}
		used := len(l.Bytes())
		require.LessOrEqual(t, l.Size(), used+used/6+8<<10, "%d bytes", used)
	}
	require.Less(t, blocks, 60)
}

func TestShrink(t *testing.T) {
	l, names := filled(128, 0)
	for _, name := range names[1:] {
		p, _, ok := l.Find(name)
		require.True(t, ok)
		l.Delete(p)
		require.LessOrEqual(t, l.Size(), max(64, 5*len(l.Bytes())))
	}
	require.Equal(t, string(names[0]), members(&l))
	l.Clear()
	require.Zero(t, l.Size())
}

func TestClearKeepsTieWidth(t *testing.T) {
	l, _ := filled(10, 24)
	l.Clear()
	require.Equal(t, []int{0, 24}, []int{l.Len(), l.TieWidth()})
}

// TestBytesCannotBeAppendedTo keeps an append to Bytes out of the list's spare capacity.
func TestBytesCannotBeAppendedTo(t *testing.T) {
	l, _ := filled(10, 0)
	b := l.Bytes()
	require.Equal(t, len(b), cap(b))
	e := l.Entry(l.Begin())
	require.Equal(t, len(e.Member), cap(e.Member))
}

func TestZeroAllocations(t *testing.T) {
	if invariants.Enabled {
		t.Skip("the checks in this build are not the code to measure")
	}
	l, names := filled(128, 8)
	tie, extra, sum, i := make([]byte, 8), []byte("extra"), 0, 0
	for name, f := range map[string]func(){
		"Find": func() { l.Find(names[i%128]) },
		"Seek": func() { l.Seek(func(e Entry) bool { return e.Key < uint64(i) }) },
		"At":   func() { l.At(i % 128) },
		"walk": func() {
			for p := l.Begin(); p != l.End(); p = l.Next(p) {
				sum += len(l.Entry(p).Member)
			}
			for p := l.Prev(l.End()); p != l.End(); p = l.Prev(p) {
				sum += len(l.Entry(p).Tie)
			}
		},
		"Replace": func() { l.Replace(l.At(i%128), uint64(i*7919%1000), tie) },
		"Bytes":   func() { sum += len(l.Bytes()) },
		"Insert and Delete": func() { // there is room for one more
			l.Delete(l.At(l.Insert(uint64(i%1000), tie, extra)))
		},
	} {
		require.Zero(t, testing.AllocsPerRun(200, func() { i++; f() }), name)
	}
	require.Equal(t, 1.0, testing.AllocsPerRun(100, func() { _, _ = Decode(l.Bytes()) }), "Decode: the copy only")
}

func TestGoString(t *testing.T) {
	l := New(8)
	l.Insert(1, []byte("........"), []byte("ada"))
	l.Insert(2, []byte("........"), bytes.Repeat([]byte("x"), 60))
	size := l.Size()
	require.Equal(t, fmt.Sprintf(`listpack.List{len=2 tie=8 bytes=103 cap=%d
  @4 #0 key=1 tie=2e2e2e2e2e2e2e2e member[3]="ada"
  @25 #1 key=2 tie=2e2e2e2e2e2e2e2e member[60]=%q
}`, size, strings.Repeat("x", dumpLimit)), fmt.Sprintf("%#v", &l))
	l.b[24]++
	require.Contains(t, fmt.Sprintf("%#v", l), "@4 #0 violates L3: the back length is not that of 20 bytes: 00 00 00")
	l.b[0] = 9
	require.Contains(t, l.GoString(), "listpack.List{version 9: 09 08 02")
}

// TestChecksCatch makes the mistake that Insert leaves to its caller.
func TestChecksCatch(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("needs -tags invariants")
	}
	var l List
	l.Insert(1, nil, []byte("ada"))
	defer func() {
		got := fmt.Sprint(recover())
		require.Contains(t, got, "listpack: violates L6: byte 17: the member at 4 once more\nlistpack.List{len=2")
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
	stale := l.Entry(l.Begin()).Member
	l.Insert(2, nil, make([]byte, 200))
	require.Equal(t, "\xdb\xdb\xdb", string(stale))
	require.Equal(t, [headerSize]byte{version}, empty)
}
