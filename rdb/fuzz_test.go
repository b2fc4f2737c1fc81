package rdb

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var nothing time.Time

// brokenWriter fails.
type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// FuzzReader reads files, whatever their checksum. What is read is written and read again.
func FuzzReader(f *testing.F) {
	f.Add(sample())
	for _, b := range claims() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		o := ReadOptions{NoChecksum: true, MaxString: 1 << 20, AnyVersion: true}
		all, _, err := readAll(bytes.NewReader(b), o)
		requireTyped(t, err)
		for key, c := range all {
			if len(c.pairs) == 0 && c.kind == SortedSet {
				delete(all, key)
			}
		}
		again, _, err := readAll(bytes.NewReader(write(t, WriteOptions{Compress: len(b)%2 == 0}, all)), ReadOptions{})
		require.NoError(t, err)
		require.Equal(t, len(all), len(again))
		for key, c := range all {
			require.Equal(t, c.kind, again[key].kind)
			require.Equal(t, c.text, again[key].text)
			require.Equal(t, len(c.pairs), len(again[key].pairs))
			require.Equal(t, c.fields, again[key].fields)
		}
	})
}

// FuzzDump opens dumps, whatever their checksum.
func FuzzDump(f *testing.F) {
	d, err := NewDumper(WriteOptions{Compress: true})
	require.NoError(f, err)
	for _, v := range vectors(f) {
		dump, err := d.SortedSet(nil, len(v.pairs), descending(v.pairs))
		require.NoError(f, err)
		f.Add(dump)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := OpenDump(b, ReadOptions{NoChecksum: true, MaxString: 1 << 20})
		if err == nil {
			skipped := *v
			_, err = readContent(v)
			requireTyped(t, skipped.Skip())
		}
		requireTyped(t, err)
	})
}

// FuzzBlobs walks listpacks, ziplists, zipmaps and intsets. Whatever is walked to its end is written as a listpack and walked again.
func FuzzBlobs(f *testing.F) {
	for i, b := range []string{listpackOf("a", "1", "-5000", "x2"), ziplistOf("\x01a", "\xf2"), oldZiplist(), "\x01\x01k\x02\x03vw---\xff", "\x02\x00\x00\x00\x01\x00\x00\x00\x01\x00"} {
		f.Add(byte(i), []byte(b))
	}
	f.Fuzz(func(t *testing.T, kind byte, b []byte) {
		var w walker
		var err error
		switch kind % 4 {
		case 0:
			w, err = newListpack(b)
		case 1:
			w, err = newZiplist(b)
		case 2:
			_, _ = walkZipmap(b, func(field, value []byte) error { return nil })
			return
		default:
			in := newInput(nil, append([]byte{0x80, 0, 0, byte(len(b) >> 8), byte(len(b))}, b...), 1<<20, nil)
			requireTyped(t, in.intset(func([]byte) error { return nil }))
			return
		}
		var texts []string
		for err == nil {
			var i item
			var ok bool
			if i, ok, err = w.next(); !ok {
				break
			}
			var buf [20]byte
			texts = append(texts, string(i.bytes(buf[:])))
		}
		if err != nil {
			return
		}
		again, err := newListpack([]byte(listpackOf(texts...)))
		require.NoError(t, err)
		for _, want := range texts {
			i, ok, err := again.next()
			require.NoError(t, err)
			require.True(t, ok)
			var buf [20]byte
			require.Equal(t, want, string(i.bytes(buf[:])))
		}
	})
}

// FuzzLZF compresses a text and has it back, and expands texts that are none.
func FuzzLZF(f *testing.F) {
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaabcabcabcabc"), 41)
	f.Add([]byte("\x00a\xe0\x10\x00"), 26)
	c := &compressor{}
	f.Fuzz(func(t *testing.T, b []byte, size int) {
		if packed, ok := c.compress(b); ok {
			require.Less(t, len(packed), len(b))
			out, ok := appendLZF(nil, packed, len(b))
			require.True(t, ok)
			require.True(t, bytes.Equal(b, out))
		}
		size = max(0, min(size, len(b)*lzfMaxGrowth))
		if out, ok := appendLZF(nil, b, size); ok {
			require.Len(t, out, size)
		} else {
			require.LessOrEqual(t, len(out), size)
		}
	})
}
