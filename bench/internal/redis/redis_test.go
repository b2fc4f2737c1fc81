package redis

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scripted listens, and answers on one connection after the other with one text for each command.
func scripted(t *testing.T, scripts ...[]string) (addr string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for _, script := range scripts {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serve(conn, script)
		}
	}()
	return l.Addr().String()
}

func serve(conn net.Conn, script []string) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for _, reply := range script {
		var args int
		if _, err := fmt.Fscanf(in, "*%d\r\n", &args); err != nil {
			return
		}
		for range 2 * args {
			if _, err := in.ReadString('\n'); err != nil {
				return
			}
		}
		fmt.Fprintf(conn, "%s\r\n", reply)
	}
}

func TestWaitingForAServerThatLoads(t *testing.T) {
	addr := scripted(t, []string{"-LOADING"}, []string{"+PONG"})
	require.NoError(t, wait(t.Context(), addr, nil))

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	assert.ErrorIs(t, wait(ctx, "127.0.0.1:1", nil), context.DeadlineExceeded)
	ended := make(chan struct{})
	close(ended)
	assert.ErrorContains(t, wait(t.Context(), "127.0.0.1:1", ended), "it ended before it answered")
}

func TestReplies(t *testing.T) {
	c, err := Dial(scripted(t, []string{":7", "$5\r\nhello", "$-1", "-ERR no", "", "+OK"}))
	require.NoError(t, err)
	for _, want := range []string{":7", "hello", "$-1"} {
		got, err := c.Do("ASK", "me")
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err = c.Do("ASK")
	assert.ErrorIs(t, err, ErrReply)
	assert.ErrorContains(t, err, "ASK: ")
	assert.ErrorContains(t, err, "-ERR no")
	_, err = c.Do("ASK")
	assert.ErrorContains(t, err, "an empty line")
	_, err = c.Do("ASK")
	require.NoError(t, err)
	_, err = c.Do("ASK")
	assert.Error(t, err, "it hung up")
	require.NoError(t, c.Close())
}

// TestAServerThatCannotStart has programs that end at once, or are none.
func TestAServerThatCannotStart(t *testing.T) {
	program := filepath.Join(t.TempDir(), "redis-server")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\nexit 1\n"), 0o755))
	_, err := Start(t.Context(), program, t.TempDir())
	assert.ErrorContains(t, err, "it ended before it answered")
	_, err = Start(t.Context(), filepath.Join(t.TempDir(), "none"), t.TempDir())
	assert.ErrorIs(t, err, os.ErrNotExist)

	t.Setenv("PATH", t.TempDir())
	found, err := Find()
	require.NoError(t, err)
	assert.Empty(t, found)
}

// TestARealServer is skipped where there is none.
func TestARealServer(t *testing.T) {
	program, err := Find()
	require.NoError(t, err)
	if program == "" {
		t.Skip("no redis-server in the path")
	}
	s, err := Start(t.Context(), program, t.TempDir())
	require.NoError(t, err)
	assert.Positive(t, s.Loaded)
	require.NoError(t, s.Halt())
	require.NoError(t, s.Resume())
	got, err := s.Do("ZADD", "arena", "7", "ada")
	require.NoError(t, err)
	assert.Equal(t, ":1", got)
	got, err = s.Do("INFO", "memory")
	require.NoError(t, err)
	assert.Contains(t, got, "used_memory:")
	require.NoError(t, s.Close())
	_, err = s.Do("PING")
	assert.ErrorContains(t, err, "connection refused")
}
