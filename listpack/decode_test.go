package listpack

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// entryHex is one whole entry with key 5 and the member "hi".
const entryHex = "00 00 00 00 00 00 00 05 02 68 69 0b "

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ name, rule, bytes, found string }{
		{"nothing", "L1", "", "byte 0: 0 bytes are less than a header"},
		{"half a header", "L1", "01 00 00", "byte 0: 3 bytes are less than a header"},
		{"version", "L1", "02 00 00 00", "byte 0: version 2"},
		{"tie of 4", "L1", "01 04 00 00", "byte 1: tie width 4"},
		{"tie of 40", "L1", "01 28 00 00", "byte 1: tie width 40"},
		{"short entry", "L2", "01 00 01 00 00 00 00 00 00 00 00 05 00", "byte 4: 9 bytes are less than an entry"},
		{"short tie", "L2", "01 08 01 00 " + entryHex, "byte 4: 12 bytes are less than an entry"},
		{"endless length", "L2", "01 00 01 00 00 00 00 00 00 00 00 05 80 80", "byte 12: the member length has no end"},
		{"overflowing length", "L2", "01 00 01 00 00 00 00 00 00 00 00 05 ff*10 01", "byte 12: the member length has no end"},
		{"long length", "L2", "01 00 01 00 00 00 00 00 00 00 00 05 82 00 68 69 0c",
			"byte 12: the member length is not a shortest uvarint"},
		{"long member", "L2", "01 00 01 00 00 00 00 00 00 00 00 05 81 80 80 80 08 00", "byte 12: a member of 2147483649 bytes"},
		{"longest member", "L2", "01 00 01 00 00 00 00 00 00 00 00 05 80 80 80 80 08 00",
			"byte 12: a member of 2147483648 bytes passes the end"},
		{"member passes the end", "L2", "01 00 01 00 00 00 00 00 00 00 00 05 04 68 69 0b",
			"byte 12: a member of 4 bytes passes the end"},
		{"length eats the tie", "L2", "01 08 01 00 00 00 00 00 00 00 00 05 80*8 01 00",
			"byte 12: a member of 72057594037927936 bytes"},
		{"no room for the tie", "L2", "01 08 01 00 00 00 00 00 00 00 00 05 80 01 00*8", "byte 12: a member of 128 bytes passes the end"},
		{"tie cut by the length", "L2", "01 08 01 00 00 00 00 00 00 00 00 05 80 80 01 00*7",
			"byte 12: a member of 16384 bytes passes the end"},
		{"no back length", "L3", "01 00 01 00 00 00 00 00 00 00 00 05 03 68 69 0b", "byte 16: the back length is not that of 12 bytes"},
		{"wrong back length", "L3", "01 00 01 00 00 00 00 00 00 00 00 05 02 68 69 0c", "byte 15: the back length is not that of 11 bytes"},
		{"long back length", "L3", "01 00 01 00 00 00 00 00 00 00 00 05 02 68 69 00 8b",
			"byte 15: the back length is not that of 11 bytes"},
		{"keys descend", "L4", "01 00 02 00 " + entryHex + "00 00 00 00 00 00 00 04 01 61 0a", "byte 16: entry 1 does not stand after"},
		{"members descend", "L4", "01 00 02 00 " + entryHex + "00 00 00 00 00 00 00 05 01 61 0a", "byte 16: entry 1 does not stand after"},
		{"equal entries", "L4", "01 00 02 00 " + entryHex + entryHex, "byte 16: entry 1 does not stand after"},
		{"count too large", "L5", "01 00 02 00 " + entryHex, "byte 16: 1 entries of 2, then 0 bytes"},
		{"count too small", "L5", "01 00 00 00 " + entryHex, "byte 4: 0 entries of 0, then 12 bytes"},
		{"a byte more", "L5", "01 00 01 00 " + entryHex + "00", "byte 16: 1 entries of 1, then 1 bytes"},
		{"member twice", "L6", "01 00 02 00 " + entryHex + "00 00 00 00 00 00 00 06 02 68 69 0b", "byte 16: the member at 4 once more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := unhex(t, c.bytes)
			require.Equal(t, c.rule, verify(b).rule)
			_, err := Decode(b)
			require.ErrorIs(t, err, ErrCorrupt)
			require.ErrorContains(t, err, c.found)
			require.NotPanics(t, func() { _ = List{b: b}.GoString() })
		})
	}
}

func TestDecodeCopies(t *testing.T) {
	b := unhex(t, "01 00 01 00 "+entryHex)
	l, err := Decode(b)
	require.NoError(t, err)
	clear(b)
	require.Equal(t, "hi", string(l.Entry(l.Begin()).Member))
}

// TestDecodeLargest takes the duplicate table past the stack and the count to its limit.
func TestDecodeLargest(t *testing.T) {
	l := largest()
	got, err := Decode(l.Bytes())
	require.NoError(t, err)
	require.Equal(t, MaxEntries, got.Len())

	b := bytes.Clone(l.Bytes())
	last := int(l.Prev(l.End()))
	copy(b[last+keySize+1:], b[headerSize+keySize+1:][:2]) // the last member becomes the first once more
	_, err = Decode(b)
	require.ErrorContains(t, err, "the member at 4 once more")
}

// largest is a list of MaxEntries entries with members of 2 bytes, put together by hand because Insert checks all of it each
// time in some builds.
func largest() List {
	b := []byte{version, 0, 0xff, 0xff}
	for i := range MaxEntries {
		from := len(b)
		b = append(b, make([]byte, entrySize(0, 2))...)
		putEntry(b[from:], uint64(i), nil, []byte{byte(i >> 8), byte(i)})
	}
	return List{b: b}
}

// flipAll decodes b with each of its bits flipped in turn.
func flipAll(t *testing.T, b []byte) {
	b = bytes.Clone(b)
	for i := range 8 * len(b) {
		b[i/8] ^= 1 << (i % 8)
		sameOrError(t, b)
		b[i/8] ^= 1 << (i % 8)
	}
}

// sameOrError decodes b and, if that is a list, encodes it again in two ways.
func sameOrError(t *testing.T, b []byte) {
	l, err := Decode(b)
	if err != nil {
		require.ErrorIs(t, err, ErrCorrupt)
		return
	}
	require.Equal(t, b, l.Bytes())
	again := New(l.TieWidth())
	for p := l.Prev(l.End()); p != l.End(); p = l.Prev(p) {
		e := l.Entry(p)
		again.Insert(e.Key, e.Tie, e.Member)
	}
	require.Equal(t, b, again.Bytes())
}

func TestDecodeBitFlips(t *testing.T) {
	for _, width := range tieWidths {
		l := New(width)
		for i, n := range []int{0, 1, 2, 20, 119, 127, 128, 300} {
			l.Insert(uint64(i/2), make([]byte, width), bytes.Repeat([]byte{'a'}, n))
		}
		flipAll(t, l.Bytes())
	}
}

func TestDecodePrefixes(t *testing.T) {
	l, _ := filled(8, 8)
	for n := range len(l.Bytes()) {
		_, err := Decode(l.Bytes()[:n])
		require.ErrorIs(t, err, ErrCorrupt)
	}
}

func FuzzDecode(f *testing.F) {
	for _, width := range tieWidths {
		for _, n := range []int{0, 1, 5} {
			l, _ := filled(n, width)
			f.Add(l.Bytes())
		}
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		sameOrError(t, b)
		if len(b) <= 1<<8 && verify(b) == nil {
			flipAll(t, b)
		}
		_ = List{b: b}.GoString()
	})
}
