package local

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/engine"
)

// feedChild is the environment variable that makes the test program the child process that is killed: it holds the directory and a seed.
const feedChild = "ZRANK_TEST_FEED_CHILD"

// TestKillFeedChild is the child: it submits, and prints each event of its feed, until it is killed.
func TestKillFeedChild(t *testing.T) {
	f := strings.Fields(os.Getenv(feedChild))
	if len(f) == 0 {
		t.Skip("runs as a child process only")
	}
	seed, err := strconv.ParseUint(f[1], 10, 64)
	require.NoError(t, err)
	_, bs, err := openFed(f[0])
	require.NoError(t, err)
	b, err := bs.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum, Feed: &board.Feed{Top: 3}})
	require.NoError(t, err)
	end, err := bs.FeedEnd(t.Context())
	require.NoError(t, err)
	go func() {
		for rng := rand.New(rand.NewPCG(seed, 1)); ; {
			if _, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprint("m", rng.IntN(9)), Score: board.Ints(int64(rng.IntN(9)))}); err != nil {
				panic(err)
			}
		}
	}()
	for e, err := range bs.Feed(context.Background(), end, feed.Filter{}) {
		require.NoError(t, err)
		text, err := json.Marshal(e)
		require.NoError(t, err)
		fmt.Println(string(text))
	}
}

func openFed(dir string) (*engine.Engine, *Boards, error) {
	e, err := engine.Open(dir, engine.Options{FeedLogBytes: 1 << 30, SnapshotBytes: 64 << 10, Interval: time.Millisecond})
	if err != nil {
		return nil, nil, err
	}
	bs, err := Open(e, Options{})
	return e, bs, err
}

// TestKillFeed: events that a process has seen before it is killed are there afterwards, the same at the same positions, and none between them.
func TestKillFeed(t *testing.T) {
	dir := t.TempDir()
	var seen int
	for seed := range uint64(howMany(4)) {
		c := exec.Command(os.Args[0], "-test.run=^TestKillFeedChild$")
		c.Env, c.Stderr = append(os.Environ(), fmt.Sprintf("%s=%s %d", feedChild, dir, seed)), os.Stderr
		pipe, err := c.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, c.Start())
		var printed []feed.Event
		for lines := bufio.NewScanner(pipe); lines.Scan(); {
			var e feed.Event
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				break // the last line is cut off
			}
			if printed = append(printed, e); len(printed) == 300 {
				require.NoError(t, c.Process.Kill())
			}
		}
		require.Error(t, c.Wait())
		require.Equal(t, -1, c.ProcessState.ExitCode(), "it was not killed")
		seen += len(printed)

		e, bs, err := openFed(dir)
		require.NoError(t, err)
		for x, err := range bs.Events(t.Context(), feed.Position{}, feed.Filter{}) {
			require.NoError(t, err)
			if len(printed) > 0 && x.Position.Compare(printed[0].Position) >= 0 {
				require.Equal(t, printed[0], x)
				printed = printed[1:]
			}
		}
		require.Empty(t, printed, "events are lost")
		require.NoError(t, errors.Join(bs.Close(), e.Close()))
	}
	t.Logf("%d events before kills", seen)
}
