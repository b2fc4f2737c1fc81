package format

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/wal"
)

// TestNotes: a commit has its notes before its effects, EachNote reads them without the effects, and the bytes are those of doc.go.
func TestNotes(t *testing.T) {
	var n Notes
	require.NoError(t, n.Add([]byte("ab")))
	require.NoError(t, n.Add(nil))
	require.ErrorIs(t, n.Add(make([]byte, MaxNote+1)), errs.ErrTooLarge)
	require.Equal(t, 2, n.Len())
	var b Batch
	b.Note(&n)
	require.Equal(t, []byte{5, 2, 'a', 'b', 5, 0}, CommitBody(&b))
	require.False(t, OnlyRemoves(&b), "notes free no space")
	b.Drop("s")
	require.True(t, OnlyRemoves(&b))
	require.Equal(t, 3, b.Len())
	_, effects, err := decodeGroup(groupOf(exampleGroup, &b))
	require.NoError(t, err)
	require.Equal(t, []seqEffect{{7, wal.Effect{Kind: wal.Note, Value: []byte("ab")}}, {7, wal.Effect{Kind: wal.Note, Value: []byte{}}}, {7, wal.Effect{Kind: wal.Drop, Set: "s"}}}, effects)
	require.Equal(t, []string{"ab", ""}, notesOf(t, CommitBody(&b)))
	n.Reset()
	b.Reset()
	b.Note(&n)
	require.Zero(t, b.Len())
	require.NoError(t, n.Add(bytes.Repeat([]byte{1}, MaxNote)))
	n.Reset()
	require.Nil(t, n.log, "a large note is not kept in memory")
}

func notesOf(t *testing.T, body []byte) (notes []string) {
	t.Helper()
	require.NoError(t, EachNote(body, func(note []byte) error {
		notes = append(notes, string(note))
		return nil
	}))
	return notes
}

// FuzzNotes reads the notes of any bytes as a commit. If they decode as a commit, the notes are those that the decoder gives; otherwise
// EachNote returns ErrCorrupt or notes, and does not panic.
func FuzzNotes(f *testing.F) {
	f.Add([]byte{5, 1, 7, 5, 0, 4, 0, 1, 'a'})
	f.Add([]byte{5, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Add([]byte{4, 0, 0, 5, 0})
	f.Fuzz(func(t *testing.T, body []byte) {
		var got, want [][]byte
		err := EachNote(body, func(note []byte) error {
			got = append(got, note)
			return nil
		})
		require.True(t, err == nil || errors.Is(err, wal.ErrCorrupt))
		var d CommitDecoder
		decodes := d.Decode(&Reader{Buf: body}, func(e wal.Effect) error {
			if e.Kind == wal.Note {
				want = append(want, e.Value)
			}
			return nil
		})
		if decodes == nil {
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	})
}
