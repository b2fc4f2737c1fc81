package listpack

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

// rowHex is a row with key 5.
const rowHex = "00 00 00 00 00 00 00 05 "

// TestDecodeRefuses decodes bytes that violate one invariant each. Decode must return an error that names the byte, and must not panic.
func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ name, rule, bytes, found string }{
		{"nothing", "L1", "", "byte 0: 0 bytes are less than a header"},
		{"half a header", "L1", "02 00 00", "byte 0: 3 bytes are less than a header"},
		{"version", "L1", "01 00 00 00", "byte 0: version 1"},
		{"tie of 4", "L1", "02 04 00 00", "byte 1: tie width 4"},
		{"tie of 48", "L1", "02 30 00 00", "byte 1: tie width 48"},
		{"short row", "L2", "02 00 01 00 00 00 00 00 00 00 00 05", "byte 4: 1 entries in 8 bytes"},
		{"short tie", "L2", "02 08 01 00 " + rowHex + "68 69 02 00 00 00 00 00", "byte 4: 1 entries in 16 bytes"},
		{"no length", "L2", "02 00 02 00 " + rowHex + rowHex + "01", "byte 4: 2 entries in 17 bytes"},
		{"count too large", "L2", "02 00 ff ff " + rowHex + "68 69 02", "byte 4: 65535 entries in 11 bytes"},
		{"member passes the end", "L3", "02 00 01 00 " + rowHex + "68 69 03", "byte 14: a member of 3 bytes where 2 are left"},
		{"second member passes the end", "L3", "02 00 02 00 " + rowHex + rowHex + "61 62 63 03 01",
			"byte 23: a member of 3 bytes where 2 are left"},
		{"a byte more", "L3", "02 00 01 00 " + rowHex + "68 69 00 02", "byte 14: 1 bytes after the last text"},
		{"count too small", "L3", "02 00 00 00 " + rowHex + "68 69 02", "byte 4: 11 bytes after the last text"},
		{"no long lengths", "L3", "02 00 01 00 " + rowHex + "61*7 ff", "byte 12: 7 bytes are less than two long lengths"},
		{"long length of 254", "L3", "02 00 01 00 " + rowHex + "fe 00 00 00 61*254 fe 00 00 00 ff",
			"byte 12: a long length of 254 bytes"},
		{"too long member", "L3", "02 00 01 00 " + rowHex + "01 00 00 80 61*254 01 00 00 80 ff",
			"byte 12: a member of 2147483649 bytes"},
		{"longest member", "L3", "02 00 01 00 " + rowHex + "00 00 00 80 61*254 00 00 00 80 ff",
			"byte 12: a member of 2147483648 bytes where 254 are left"},
		{"long member eats the length behind it", "L3", "02 00 01 00 " + rowHex + "01 01 00 00 61*256 ff 00 00 00 ff",
			"byte 12: a member of 257 bytes where 256 are left"},
		{"other length behind it", "L3", "02 00 01 00 " + rowHex + "ff 00 00 00 61*255 fe 00 00 00 ff",
			"byte 271: a member of 255 bytes has the length 254 behind it"},
		{"keys descend", "L4", "02 00 02 00 " + rowHex + "00*7 04 68 69 61 01 02", "byte 12: entry 1 does not stand after"},
		{"ties descend", "L4", "02 08 02 00 " + rowHex + "00*7 02 " + rowHex + "00*7 01 61 62 01 01",
			"byte 20: entry 1 does not stand after"},
		{"members descend", "L4", "02 00 02 00 " + rowHex + rowHex + "68 69 61 01 02", "byte 12: entry 1 does not stand after"},
		{"equal entries", "L4", "02 00 02 00 " + rowHex + rowHex + "68 69 68 69 02 02", "byte 12: entry 1 does not stand after"},
		{"member twice", "L6", "02 00 02 00 " + rowHex + "00*7 06 68 69 68 69 02 02", "byte 22: entry 1 has the member of entry 0"},
		{"empty member twice", "L6", "02 00 02 00 " + rowHex + "00*7 06 00 00", "byte 20: entry 1 has the member of entry 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := unhex(t, c.bytes)
			l, f := view(b)
			if f == nil {
				f = verify(&l)
				require.NotPanics(t, func() { _ = l.GoString() })
			}
			require.Equal(t, c.rule, f.rule)
			_, err := Decode(b)
			require.ErrorIs(t, err, ErrCorrupt)
			require.ErrorContains(t, err, c.found)
		})
	}
}

func TestDecodeCopies(t *testing.T) {
	b := unhex(t, "02 00 01 00 "+rowHex+"68 69 02")
	l, err := Decode(b)
	require.NoError(t, err)
	clear(b)
	require.Equal(t, "hi", members(&l))
}

// TestDecodeLargest decodes a list of MaxEntries entries. Its table in verifyUnique is allocated on the heap.
func TestDecodeLargest(t *testing.T) {
	l := largest()
	b := l.AppendTo(nil)
	got, err := Decode(b)
	require.NoError(t, err)
	require.Equal(t, MaxEntries, got.Len())
	require.Equal(t, l.End(), got.At(MaxEntries))

	texts := headerSize + MaxEntries*keySize
	copy(b[texts+2*(MaxEntries-1):], b[texts:][:2]) // the last member becomes the first once more
	_, err = Decode(b)
	require.ErrorContains(t, err, "entry 65534 has the member of entry 0")
}

// largest returns a list of MaxEntries entries with members of 2 bytes. It builds the list by hand, because some builds check the whole
// list after each Insert.
func largest() List {
	rows, texts := make([]byte, MaxEntries*keySize), make([]byte, 0, 3*MaxEntries)
	for i := range MaxEntries {
		binary.BigEndian.PutUint64(rows[i*keySize:], uint64(i))
		texts = append(texts, byte(i>>8), byte(i))
	}
	l := List{order: rows, texts: texts, n: MaxEntries}
	for i := range l.lengths() {
		l.lengths()[i] = 2
	}
	return l
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

// sameOrError decodes b. If b is a list, encoding it again in two ways must give the same bytes.
func sameOrError(t *testing.T, b []byte) {
	l, err := Decode(b[:len(b):len(b)])
	if err != nil {
		require.ErrorIs(t, err, ErrCorrupt)
		return
	}
	require.Equal(t, b, l.AppendTo(nil))
	again := New(l.TieWidth())
	for p := l.Prev(l.End()); p != l.End(); p = l.Prev(p) {
		again.Insert(l.Entry(p))
	}
	require.Equal(t, b, again.AppendTo(nil))
}

func TestDecodeBitFlips(t *testing.T) {
	for _, width := range tieWidths {
		l := New(width)
		for i, n := range []int{0, 1, 2, 20, 127, 128, 254, 255, 300} {
			l.Insert(uint64(i/2), make([]byte, width), bytes.Repeat([]byte{'a'}, n))
		}
		flipAll(t, l.AppendTo(nil))
	}
}

func TestDecodePrefixes(t *testing.T) {
	l, _ := filled(8, 8)
	b := l.AppendTo(nil)
	for n := range len(b) {
		for _, end := range []int{n, len(b)} { // bytes behind the slice's own must not be read
			_, err := Decode(b[:n:end])
			require.ErrorIs(t, err, ErrCorrupt)
		}
	}
}

// FuzzDecode decodes any bytes. A list that decodes must encode to the same bytes; each of its bits is then flipped.
func FuzzDecode(f *testing.F) {
	for _, width := range tieWidths {
		for _, n := range []int{0, 1, 5} {
			l, _ := filled(n, width)
			f.Add(l.AppendTo(nil))
		}
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		sameOrError(t, b)
		l, f := view(b)
		if f == nil {
			_ = l.GoString()
			f = verify(&l)
		}
		if len(b) <= 1<<8 && f == nil {
			flipAll(t, b)
		}
	})
}
