package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// following is "zrank follow" in this process.
type following struct {
	lines *bufio.Scanner
	errs  bytes.Buffer
	code  chan int
}

func follow(ctx context.Context, args ...string) *following {
	in, out := io.Pipe()
	f := &following{lines: bufio.NewScanner(in), code: make(chan int, 1)}
	go func() {
		code := run(ctx, append([]string{"follow"}, args...), nil, out, &f.errs)
		out.Close()
		f.code <- code
	}()
	return f
}

// TestFollowServer: follow prints what happens on a server as it happens, and ends with 0 at an interrupt, and with 1 when the server ends.
func TestFollowServer(t *testing.T) {
	spec := write(t, filepath.Join(t.TempDir(), "arena.json"), `{"name": "arena", "windows": ["all"], "feed": {"top": 2}}`)
	s := startServer(t, "--dir", filepath.Join(t.TempDir(), "data"), "--spec", spec)
	submit := func(member string) {
		status, text := fetch(t, http.DefaultClient, "POST", s.api+"/v1/boards/arena/scores", "", `{"member": "`+member+`", "score": [15]}`)
		require.Equal(t, 200, status, text)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	f := follow(ctx, "--addr", s.api, "--kind", "submitted")
	submit("ada")
	require.True(t, f.lines.Scan(), f.errs.String())
	require.Contains(t, f.lines.Text(), "arena  all all  submitted  ada  rank 1")
	submit("bea")
	require.True(t, f.lines.Scan())
	require.Contains(t, f.lines.Text(), "submitted  bea")
	interrupt()
	require.False(t, f.lines.Scan())
	require.Zero(t, <-f.code, f.errs.String())
	require.Empty(t, f.errs.String())

	f = follow(t.Context(), "--addr", s.api, "--kind", "submitted", "--member", "bea")
	require.True(t, f.lines.Scan())
	s.stop()
	require.False(t, f.lines.Scan())
	require.Equal(t, exitFailed, <-f.code)
	require.Equal(t, 1, strings.Count(f.errs.String(), "\n"), f.errs.String())
	require.Contains(t, f.errs.String(), "the server is closing")
	fails(t, exitFailed, "more than one member", "follow", "--addr", startServer(t, "--memory").api, "--member", "a", "--member", "b")
}

// TestFollowFromNow: with --from end a server sends nothing that has happened before.
func TestFollowFromNow(t *testing.T) {
	spec := write(t, filepath.Join(t.TempDir(), "arena.json"), `{"name": "arena", "op": "sum", "windows": ["all"], "feed": {"top": 2}}`)
	s := startServer(t, "--dir", filepath.Join(t.TempDir(), "data"), "--spec", spec)
	submit := func(member string) {
		status, text := fetch(t, http.DefaultClient, "POST", s.api+"/v1/boards/arena/scores", "", `{"member": "`+member+`", "score": [15]}`)
		require.Equal(t, 200, status, text)
	}
	submit("ada")
	ctx, interrupt := context.WithCancel(t.Context())
	f := follow(ctx, "--addr", s.api, "--kind", "submitted", "--from", "end")
	seen, stop := make(chan struct{}), make(chan struct{})
	go func() { // until one has come: when the stream begins cannot be seen from here
		defer close(stop)
		for {
			select {
			case <-seen:
				return
			default:
				submit("later")
			}
		}
	}()
	require.True(t, f.lines.Scan(), f.errs.String())
	require.Contains(t, f.lines.Text(), "later")
	close(seen)
	<-stop
	interrupt()
	for f.lines.Scan() {
	}
	require.Zero(t, <-f.code, f.errs.String())
}
