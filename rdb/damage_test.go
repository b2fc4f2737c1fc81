package rdb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// sample is a file with every encoding.
func sample() []byte {
	c := file(10)
	c.raw(opAux).text("redis-ver").text("7.0.15")
	oldSortedSets(c)
	oldHashesAndSets(c)
	c.raw(opExpireMillis).u64(1_900_000_000_000).key(StringText, "string").text("value")
	c.key(ListQuicklist2, "list").raw(2, 1).text("plain").raw(2).text(listpackOf("a"))
	return c.end()
}

// TestTruncated cuts a file at every byte: each cut is damage at the place of the cut, but for those before the end of the header.
func TestTruncated(t *testing.T) {
	b := sample()
	whole, _, err := readAll(bytes.NewReader(b), ReadOptions{})
	require.NoError(t, err)
	for n := range b {
		got, _, err := readAll(bytes.NewReader(b[:n]), ReadOptions{})
		if n < headerSize {
			require.ErrorIs(t, err, ErrNotRDB)
			continue
		}
		var damage *CorruptError
		require.ErrorAs(t, err, &damage, "cut at %d", n)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.EqualValues(t, n, damage.Offset)
		for key, c := range got {
			require.Equal(t, whole[key], c, "what came before a cut at %d", n)
		}
	}
}

// TestFlipped flips every bit: with a checksum each flip is an error; without one a flip may make another file, and is never a panic.
func TestFlipped(t *testing.T) {
	b := sample()
	for i := range b {
		for bit := range 8 {
			b[i] ^= 1 << bit
			_, _, err := readAll(bytes.NewReader(b), ReadOptions{})
			if i < 5 || i >= headerSize { // a flip in the version may make it one without a checksum
				require.Error(t, err, "byte %d, bit %d", i, bit)
			}
			_, _, err = readAll(bytes.NewReader(b), ReadOptions{NoChecksum: true})
			requireTyped(t, err)
			b[i] ^= 1 << bit
		}
	}
}

// requireTyped requires that an error, if it is one, is of this package's kinds.
func requireTyped(t require.TestingT, err error) {
	if err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrVersion) && !errors.Is(err, ErrNotRDB) {
		require.NoError(t, err, "an error of another kind")
	}
}

// TestDamageNamed says which key, and where.
func TestDamageNamed(t *testing.T) {
	for name, row := range map[string]struct {
		make   func(c *composer)
		reason string
	}{
		"NaN":               {func(c *composer) { c.key(SortedSetBinary, "k").raw(1).text("m").u64(math.Float64bits(math.NaN())) }, "NaN"},
		"NaN in text":       {func(c *composer) { c.key(SortedSetText, "k").raw(1).text("m").raw(253) }, "NaN"},
		"no score":          {func(c *composer) { c.key(SortedSetText, "k").raw(1).text("m").raw(1, 'x') }, "a score"},
		"score in listpack": {func(c *composer) { c.key(SortedSetListpack, "k").text(listpackOf("m", "1.5x")) }, "a score"},
		"NaN in listpack":   {func(c *composer) { c.key(SortedSetListpack, "k").text(listpackOf("m", "nan")) }, "a score"},
		"odd listpack":      {func(c *composer) { c.key(SortedSetListpack, "k").text(listpackOf("m", "1", "n")) }, "no second"},
		"odd triples":       {func(c *composer) { c.key(HashListpackExEarly, "k").text(listpackOf("m", "1")) }, "not whole"},
		"count":             {func(c *composer) { c.key(SetListpack, "k").text("\x08\x00\x00\x00\x02\x00\x01\xff") }, "wrong length behind"},
		"intset descends":   {func(c *composer) { c.key(SetIntset, "k").text("\x02\x00\x00\x00\x02\x00\x00\x00\x01\x00\x01\x00") }, "ascend"},
		"intset frame":      {func(c *composer) { c.key(SetIntset, "k").text("\x02\x00\x00\x00\x03\x00\x00\x00\x01\x00\x01\x00") }, "frame"},
		"LZF too far":       {func(c *composer) { c.key(StringText, "k").raw(0xc3, 4, 10, 0, 'a', 0xff, 0) }, "compressed"},
		"LZF claims":        {func(c *composer) { c.key(StringText, "k").raw(0xc3, 4).length(4*lzfMaxGrowth+1).raw(0, 'a', 0xff, 0) }, "claims"},
		"string of kind 4":  {func(c *composer) { c.key(StringText, "k").raw(0xc4) }, "unknown kind"},
		"length of kind 82": {func(c *composer) { c.key(StringText, "k").raw(0x82) }, "0x82"},
		"a string counts":   {func(c *composer) { c.key(HashStrings, "k").raw(0xc0, 1) }, "a number belongs"},
		"first modules":     {func(c *composer) { c.key(ModuleFirst, "k") }, "only the module knows"},
		"module part":       {func(c *composer) { c.key(ModuleSecond, "k").raw(1, 9) }, "unknown kind 9"},
		"zipmap":            {func(c *composer) { c.key(HashZipmap, "k").text("\x01\x01k\x05\x00v\xff") }, "ends early"},
		"ziplist tail": {func(c *composer) {
			c.key(HashZiplist, "k").text("\x0e\x00\x00\x00\x0b\x00\x00\x00\x01\x00\x00\x01a\xff")
		}, "last item"},
	} {
		t.Run(name, func(t *testing.T) {
			c := file(12)
			row.make(c)
			_, _, err := readAll(bytes.NewReader(c.end()), ReadOptions{})
			var damage *CorruptError
			require.ErrorAs(t, err, &damage)
			require.ErrorContains(t, err, row.reason)
			require.Equal(t, "k", damage.Key)
			require.GreaterOrEqual(t, damage.Offset, int64(headerSize))
		})
	}
	c := file(10).key(8, "k")
	_, _, err := readAll(bytes.NewReader(c.end()), ReadOptions{})
	require.ErrorContains(t, err, "byte 9: a value of the unknown encoding 8")
	wrong := sample()
	wrong[len(wrong)-1]++
	_, _, err = readAll(bytes.NewReader(wrong), ReadOptions{})
	require.ErrorIs(t, err, ErrChecksum)
	_, _, err = readAll(bytes.NewReader(wrong), ReadOptions{NoChecksum: true})
	require.NoError(t, err)
	copy(wrong[len(wrong)-8:], make([]byte, 8)) // of a server with rdbchecksum no
	_, _, err = readAll(bytes.NewReader(wrong), ReadOptions{})
	require.NoError(t, err)
}

// TestErrorsOfOthers returns errors of the reader and of callbacks as they are, and then again.
func TestErrorsOfOthers(t *testing.T) {
	broken := errors.New("broken")
	b := sample()
	for n := range b {
		_, _, err := readAll(io.MultiReader(bytes.NewReader(b[:n]), iotest.ErrReader(broken)), ReadOptions{})
		require.ErrorIs(t, err, broken)
	}
	got, _, err := readAll(iotest.OneByteReader(bytes.NewReader(b)), ReadOptions{})
	require.NoError(t, err)
	require.Len(t, got, 11)

	f, err := NewReader(bytes.NewReader(b), ReadOptions{})
	require.NoError(t, err)
	key, err := f.Next()
	require.NoError(t, err)
	require.Equal(t, broken, key.SortedSet(func([]byte, float64) error { return broken }))
	_, err = f.Next()
	require.Equal(t, broken, err)
}

// claims are files that claim to have much and have little.
func claims() map[string][]byte {
	huge := []byte{0x81, 0, 0, 0, 0, 0x3f, 0, 0, 0} // just below 1 GiB
	claim := func(e Encoding, more ...byte) []byte {
		c := file(10).key(e, "k").raw(more...).raw(huge...)
		return append(bytes.Clone(c.Bytes()), "a little"...)
	}
	return map[string][]byte{
		"string": claim(StringText), "listpack": claim(SortedSetListpack), "members": claim(SortedSetBinary), "fields": claim(HashStrings),
		"member": claim(SortedSetBinary, 1), "ziplist": claim(SortedSetZiplist), "intset": claim(SetIntset), "compressed": claim(StringText, 0xc3),
		"name": append(file(10).raw(0).raw(huge...).Bytes(), 'x'), "list": claim(ListQuicklist, 1), "module": claim(ModuleSecond, 1, 5),
	}
}

// TestClaims proves that a length that a file claims allocates nothing.
func TestClaims(t *testing.T) {
	for name, b := range claims() {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := readAll(bytes.NewReader(b), ReadOptions{})
			runtime.ReadMemStats(&after)
			require.ErrorIs(t, err, ErrCorrupt)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
		})
	}
}

// TestMaxString refuses what is larger than the caller allows, and skips it.
func TestMaxString(t *testing.T) {
	c := file(10).key(StringText, "large").text(strings.Repeat("x", 100_000)).key(StringText, "small").text("y")
	c.key(StringText, "packed").raw(0xc3, 4, 0x41, 0x08, 0, 'a', 0xe0, 0xff, 0) // that 4 bytes cannot become 264 is seen first
	b := c.end()
	_, _, err := readAll(bytes.NewReader(b), ReadOptions{MaxString: 99_999})
	var limit *LimitError
	require.ErrorAs(t, err, &limit)
	require.Equal(t, LimitError{Offset: 16, Key: "large", Size: 100_000, Limit: 99_999}, *limit)
	require.ErrorIs(t, err, ErrTooLarge)
	f, err := NewReader(bytes.NewReader(b), ReadOptions{MaxString: 50})
	require.NoError(t, err)
	_, err = f.Next()
	require.NoError(t, err)
	key, err := f.Next()
	require.NoError(t, err)
	s, err := key.Bytes()
	require.NoError(t, err)
	require.Equal(t, "y", string(s))
	key, err = f.Next()
	require.NoError(t, err)
	_, err = key.Bytes()
	require.ErrorAs(t, err, &limit)
}

// TestInflated proves that a compressed string takes the memory of what it becomes, once, and that Grow is asked before.
func TestInflated(t *testing.T) {
	const size = 20 << 20
	d, err := NewDumper(WriteOptions{Compress: true})
	require.NoError(t, err)
	b := d.String(nil, make([]byte, size))
	read := func(o ReadOptions) (s []byte, allocated uint64, err error) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		v, err := OpenDump(b, o)
		require.NoError(t, err)
		s, err = v.Bytes()
		runtime.ReadMemStats(&after)
		return s, after.TotalAlloc - before.TotalAlloc, err
	}
	asked := 0
	s, allocated, err := read(ReadOptions{Grow: func(n int) error { asked += n; return nil }})
	require.NoError(t, err)
	require.Equal(t, make([]byte, size), s)
	require.Equal(t, size, asked)
	require.Less(t, allocated, uint64(size+size/4))
	full := errors.New("full")
	_, allocated, err = read(ReadOptions{Grow: func(int) error { return full }})
	require.Equal(t, full, err)
	require.Less(t, allocated, uint64(1<<20))
}

// endless is a file with one sorted set of many members, made as it is read.
type endless struct {
	e    encoder
	n, i int
	out  []byte
}

func (g *endless) Read(b []byte) (int, error) {
	for len(g.out) == 0 && g.i < g.n {
		g.e.out = g.e.out[:0]
		for range 1000 {
			g.e.binaryMember(fmt.Appendf(nil, "member:%d", g.i), float64(g.i))
			g.i++
		}
		g.out = g.e.out
	}
	if len(g.out) == 0 {
		return 0, io.EOF
	}
	n := copy(b, g.out)
	g.out = g.out[n:]
	return n, nil
}

// TestConstantMemory reads a sorted set of ten million members. What is held does not grow with their number.
func TestConstantMemory(t *testing.T) {
	n := 10_000_000
	if testing.Short() {
		n = 1_000_000
	}
	head := file(10).key(SortedSetBinary, "k").length(uint64(n))
	f, err := NewReader(io.MultiReader(head, &endless{n: n}, bytes.NewReader(append([]byte{opEnd}, make([]byte, 8)...))), ReadOptions{})
	require.NoError(t, err)
	key, err := f.Next()
	require.NoError(t, err)
	i := 0
	before, largest := held(), int64(0)
	require.NoError(t, key.SortedSet(func(m []byte, score float64) error {
		if i%100_000 == 0 {
			largest = max(largest, held()-before)
			require.Equal(t, fmt.Sprint("member:", i), string(m))
		}
		if score != float64(i) {
			t.Fatal("score ", score, " of member ", i)
		}
		i++
		return nil
	}))
	require.Equal(t, n, i)
	_, err = f.Next()
	require.ErrorIs(t, err, io.EOF)
	require.Less(t, largest, int64(1<<20))
}

// held collects garbage, that of earlier tests too, and returns the bytes of the heap in use.
func held() int64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first one finalizes
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}

// TestRandomRoundTrip writes random keys under random options and reads them again.
func TestRandomRoundTrip(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 9))
		o := WriteOptions{Compress: seed%2 == 0, NoChecksum: seed%5 == 0,
			Thresholds: Thresholds{rng.IntN(200) - 1, rng.IntN(200) - 1, rng.IntN(700) - 1}}
		all := randomContent(rng, 150)
		got, _, err := readAll(iotest.HalfReader(bytes.NewReader(write(t, o, all))), ReadOptions{})
		require.NoError(t, err)
		require.Equal(t, all, got, "seed %d", seed)
	}
}

func TestWrongCounts(t *testing.T) {
	list := []pair{{"a", 1}, {"b", 2}}
	for _, n := range []int{1, 3, 1000} {
		f, err := NewWriter(io.Discard, WriteOptions{})
		require.NoError(t, err)
		require.ErrorIs(t, f.SortedSet([]byte("k"), nothing, n, descending(list)), ErrCount)
		require.ErrorIs(t, f.Close(), ErrCount)
		require.ErrorIs(t, f.Close(), ErrCount)
	}
	broken := errors.New("broken")
	f, err := NewWriter(brokenWriter{broken}, WriteOptions{})
	require.NoError(t, err)
	require.ErrorIs(t, f.Set(nil, nothing, 70_000, func(yield func([]byte) bool) {
		for i := range 70_000 {
			if !yield(fmt.Append(nil, "m", i)) {
				return
			}
		}
	}), broken)
	require.ErrorIs(t, f.Close(), broken)
}
