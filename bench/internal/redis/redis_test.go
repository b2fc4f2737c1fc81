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

	"github.com/gomodule/redigo/redis"
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

func TestAReplyThatIsAnError(t *testing.T) {
	c, err := redis.Dial("tcp", scripted(t, []string{":1", "-ERR wrong number of arguments", ":2"}))
	require.NoError(t, err)
	conn := Conn{c}
	conn.Queue("ZADD", "arena", 7.5, "ada")
	conn.Queue("ZADD", "arena")
	_, err = conn.Finish()
	assert.ErrorContains(t, err, "wrong number of arguments")
	n, err := conn.Number("ZCARD", "arena")
	require.NoError(t, err)
	assert.Equal(t, 2, n)
	require.NoError(t, conn.Close())
}
