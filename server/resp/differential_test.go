package resp_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/resptest"
	"github.com/zrankdb/zrank/server/resp"
)

// zrank starts a server over an engine in memory, until the test ends.
func zrank(t testing.TB, o resp.Options) *resptest.Peer {
	t.Helper()
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	s, err := resp.New(t.Context(), e, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	addr, err := s.Listen("127.0.0.1:0")
	require.NoError(t, err)
	return resptest.At("tcp", addr.String())
}

// TestDifferential sends the same random commands to the server and to a real Redis, and compares the replies, in both protocols and for both
// encodings. ZRANK_COMMANDS is the number of replies, ZRANK_SEED the first seed, by default 1.
func TestDifferential(t *testing.T) {
	redis := resptest.Redis(t)
	short := 8000
	if invariants.Enabled { // each change of a set then checks the whole set
		short = 1500
	}
	replies, seed := number(t, "ZRANK_COMMANDS", short), number(t, "ZRANK_SEED", 1)
	report := resptest.Differ(t, redis, zrank(t, resp.Options{Scores: resp.Redis70}), uint64(seed), replies)
	t.Logf("seeds from %d on: %v", seed, report)
	if replies < 8000 {
		return // too few to meet every command
	}
	for _, name := range resptest.Names() {
		require.NotZero(t, report.ByName[name].Replies, "no script has %s", name)
	}
}

// TestScripts replays scripts whose replies once differed from Redis's.
func TestScripts(t *testing.T) {
	redis := resptest.Redis(t)
	server := zrank(t, resp.Options{Scores: resp.Redis70})
	files, err := filepath.Glob("testdata/scripts/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	replies := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		script, err := resptest.Parse(string(text))
		require.NoError(t, err, file)
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		replies += resptest.Replay(t, redis, server, name, script)
	}
	t.Logf("%d scripts, %d replies", len(files), replies)
}

func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, name)
	return n
}
