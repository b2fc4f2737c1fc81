package events

import (
	"context"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReady: Ready returns false while Next would wait for the writer of a stream, also in the middle of a row.
func TestReady(t *testing.T) {
	r, w := io.Pipe()
	write := func(text string) {
		go w.Write([]byte(text))
	}
	write("time,member,delta\n1,anna,1\n2,bo,2\n3,cl")
	in, err := OpenStream(t.Context(), r, Options{})
	require.NoError(t, err)
	for range 2 {
		require.True(t, in.Ready())
		_, err = in.Next()
		require.NoError(t, err)
	}
	require.False(t, in.Ready())
	write("eo,3\nbad\n")
	e, err := in.Next()
	require.NoError(t, err)
	require.Equal(t, "cleo", e.Member)
	require.True(t, in.Ready())
	_, err = in.Next()
	require.ErrorAs(t, err, new(*BadRowError))
	require.True(t, in.Ready(), "the bad row is there until it is skipped")
	in.Skip()
	require.False(t, in.Ready())
	require.True(t, open(t, file(t, "in.csv", threeRows)).Ready(), "a file never waits")
}

// TestCancelled: the end of the context ends a read that waits, and all later reads.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	go w.Write([]byte("time,member,delta\n1,anna,1\n"))
	in, err := OpenStream(ctx, r, Options{})
	require.NoError(t, err)
	_, err = in.Next()
	require.NoError(t, err)
	cancel()
	for range 2 {
		_, err = in.Next()
		require.ErrorIs(t, err, context.Canceled)
	}
	require.Equal(t, int64(1), in.Position().Rows)
}

// TestLinkedFile: a file has the same Name through a symbolic link.
func TestLinkedFile(t *testing.T) {
	path := file(t, "in.csv", threeRows)
	link := path + ".link"
	require.NoError(t, os.Symlink(path, link))
	require.Equal(t, open(t, path).Name(), open(t, link).Name())
}
