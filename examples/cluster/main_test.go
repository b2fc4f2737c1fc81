package main

import (
	"context"
	"net"
	"os/exec"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/board"
)

func Example() {
	boards, err := inProcess()
	if err != nil {
		panic(err)
	}
	if err := play(boards); err != nil {
		panic(err)
	}
	// Output:
	// ada: 15 points, number 1 of all time, number 1 this week, passed 0
	// bea: 20 points, number 1 of all time, number 1 this week, passed 1
	// ada: 25 points, number 1 of all time, number 1 this week, passed 1
}

// TestCluster runs the same program on a server that it starts.
func TestCluster(t *testing.T) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("SKIPPED: there is no redis-server, so nothing here is tested")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	require.NoError(t, l.Close())
	server := exec.Command(path, "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", t.TempDir())
	require.NoError(t, server.Start())
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + port})
	defer client.Close()
	require.Eventually(t, func() bool { return client.Ping(context.Background()).Err() == nil }, time.Minute, 10*time.Millisecond)

	boards, err := onCluster("redis://127.0.0.1:" + port)
	require.NoError(t, err)
	require.NoError(t, play(boards))
	arena, err := boards.Board("arena")
	require.NoError(t, err)
	live, err := arena.Live("all")
	require.NoError(t, err)
	row, _, err := live.Rank("ada")
	require.NoError(t, err)
	require.Equal(t, board.Ints(25), row.Score)
	require.NoError(t, boards.Close())
}
