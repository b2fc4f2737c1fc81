package local

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/testclock"
)

// closedThousand returns a board with 1,000 closed days of the same members, which are indexed, cold and compacted.
func closedThousand(b *testing.B, members int) board.Board {
	g := &game{t: b, clock: testclock.New(), logged: &logRecorder{}}
	var err error
	g.e, err = engine.Open(b.TempDir(), engine.Options{Clock: g.clock.Now, Durability: engine.Interval, SnapshotBytes: -1, SnapshotAge: -1})
	require.NoError(b, err)
	require.NoError(b, g.openBoards())
	b.Cleanup(func() { _ = g.bs.Close(); _ = g.e.Close() })
	x := g.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{{Kind: window.Day}}})
	day := make([]board.Submission, members)
	for i := range day {
		day[i] = board.Submission{Member: fmt.Sprint("m", i), Score: board.Ints(int64(i))}
	}
	for range 1000 {
		_, err := x.SubmitAll(b.Context(), day)
		require.NoError(b, err)
		g.clock.Add(24 * time.Hour)
		g.closeDue(1)
	}
	g.index()
	require.NoError(b, g.e.Snapshot())
	_, err = g.e.Compact(context.Background(), nil)
	require.NoError(b, err)
	return x
}

// BenchmarkMember reads the history of a member of 1,000 closed days.
func BenchmarkMember(b *testing.B) {
	x := closedThousand(b, 20)
	for b.Loop() {
		m, err := x.Member(b.Context(), "m7")
		require.NoError(b, err)
		require.Len(b, m.Windows[0].Places, 1000)
	}
}

// BenchmarkBan bans members of 1,000 closed days.
func BenchmarkBan(b *testing.B) {
	const members = 400
	x := closedThousand(b, members)
	banned := 0
	for b.Loop() {
		if banned++; banned == members {
			b.Skip("all are banned: -benchtime=100x")
		}
		m, err := x.Ban(context.Background(), fmt.Sprint("m", banned), ops)
		require.NoError(b, err)
		require.Len(b, m.Places, 1000)
	}
}
