package resp_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/resptest"
	"github.com/zrankdb/zrank/server/resp"
)

// TestRecordings sends the commands of each recording of a real Redis to the server, and compares the replies with the recorded ones.
func TestRecordings(t *testing.T) {
	const zsets = "../../zset/testdata/"
	for _, file := range []string{zsets + "redis-probe-7.0.15.txt", zsets + "redis-edges-7.0.15.txt", zsets + "redis-members-7.0.15.txt",
		zsets + "redis-7.2.txt", "testdata/keyspace-7.0.15.txt", "testdata/edges-7.0.15.txt"} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			rows, err := resptest.ParseRecording(string(text))
			require.NoError(t, err)
			server := zrank(t, resp.Options{Scores: resp.Redis70, Debug: true})
			var c *resptest.Conn
			exact := 0
			for _, r := range rows {
				if c == nil || r.Words[0] == "FLUSHALL" { // a new part of a recording, and a new connection
					c, err = server.Dial()
					require.NoError(t, err)
					defer c.Close()
				}
				reply, err := c.Do(r.Words...)
				require.NoError(t, err, "%s:%d: %s", file, r.Line, resptest.Join(r.Words))
				if reply.String() == r.Want.String() {
					exact++
				} else if !resptest.Same(r.Words, reply.Value(), r.Want) {
					t.Errorf("%s:%d: %s => %s, want %s", file, r.Line, resptest.Join(r.Words), reply, r.Want)
				}
			}
			t.Logf("%d replies, %d of them byte for byte, the others as the table of differences allows", len(rows), exact)
		})
	}
}
