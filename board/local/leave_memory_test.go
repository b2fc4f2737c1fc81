package local

import (
	"math"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/window"
)

// TestRefusedLoadNothing: a refused submission for a closed period does not load its set. A submission with a Once key, which may be a retry,
// loads the set, and the evictor evicts it again.
func TestRefusedLoadNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true)
		spec := keeping(0)
		spec.OnceFor = window.Forever
		b := g.define(spec)
		late := board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now(), Once: "x"}
		_, err := b.Submit(t.Context(), late)
		require.NoError(t, err)
		play(g, b, 1)
		_, err = b.CloseNow(t.Context(), "day")
		require.NoError(t, err)
		g.index()
		require.NoError(t, g.e.Snapshot())
		key := "board/arena/day/2026-11-20/v1"
		require.False(t, loaded(t, g.e, key))
		other := late
		other.Once = ""
		_, err = b.Submit(t.Context(), other)
		require.ErrorIs(t, err, board.ErrPeriodClosed)
		_, err = b.SubmitAll(t.Context(), []board.Submission{other})
		require.ErrorIs(t, err, board.ErrPeriodClosed)
		_, err = b.SubmitFunc(t.Context(), other, func(board.Row, bool) (board.Score, bool) { panic("called") })
		require.ErrorIs(t, err, board.ErrPeriodClosed)
		_, err = hintsOf(b).Submit(t.Context(), nil, other)
		require.ErrorIs(t, err, board.ErrPeriodClosed)
		require.False(t, loaded(t, g.e, key))

		for _, once := range []string{"x", "y"} {
			late.Once = once
			c, err := b.Submit(t.Context(), late)
			if once == "x" {
				require.NoError(t, err)
				require.True(t, c.Duplicate)
				require.True(t, loaded(t, g.e, key))
			} else {
				require.ErrorIs(t, err, board.ErrPeriodClosed)
			}
			g.jump(catalog.IdleAfter)
			time.Sleep(2 * closing.MaxSleep)
			synctest.Wait()
			require.False(t, loaded(t, g.e, key), once)
		}
	})
}

// TestClosedByHand: SetMeta for a period that was closed by hand does not load its set. SaveBaseline loads it, and the evictor evicts it again.
func TestClosedByHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true)
		b := g.define(keeping(0))
		g.score(b, "ada", 1)
		_, err := b.CloseNow(t.Context(), "day")
		require.NoError(t, err)
		g.index()
		require.NoError(t, g.e.Snapshot())
		key := "board/arena/day/2026-11-20/v1"
		require.ErrorIs(t, b.SetMeta(t.Context(), "day", "ada", []byte("M")), board.ErrPeriodClosed)
		require.False(t, loaded(t, g.e, key))
		require.NoError(t, b.SaveBaseline(t.Context(), "day", "end"))
		require.True(t, loaded(t, g.e, key))
		g.jump(catalog.IdleAfter)
		time.Sleep(2 * closing.MaxSleep)
		synctest.Wait()
		require.False(t, loaded(t, g.e, key))
	})
}

// TestClosedWhileRead: a period that is closed during a read is evicted.
func TestClosedWhileRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, read := range []func(r board.Ranking, closing func()) error{
			func(r board.Ranking, closing func()) error {
				return r.View(t.Context(), func(board.Ranking) error { closing(); return nil })
			},
			func(r board.Ranking, closing func()) error { closing(); _, err := r.Pin(t.Context()); return err },
		} {
			g := newGame(t, true)
			b := g.define(keeping(0))
			g.score(b, "ada", 1)
			require.NoError(t, g.e.Snapshot())
			live, err := b.Live(t.Context(), "day")
			require.NoError(t, err)
			closed := make(chan error)
			require.NoError(t, read(live, func() {
				go func() {
					_, err := b.CloseNow(t.Context(), "day")
					closed <- err
				}()
				for coreOf(b).State().Timelines[0].ClosingThrough.Load() == math.MinInt64 {
					runtime.Gosched()
				}
			}))
			require.NoError(t, <-closed)
			g.jump(catalog.IdleAfter)
			time.Sleep(2 * closing.MaxSleep)
			synctest.Wait()
			require.False(t, loaded(t, g.e, "board/arena/day/2026-11-20/v1"))
			require.NoError(t, g.bs.Close())
			require.NoError(t, g.e.Close())
		}
	})
}

// TestUnreadWhenTheClockGoesBack: a closed period that was read is evicted, even if the clock steps back.
func TestUnreadWhenTheClockGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true)
		b := g.define(keeping(0))
		play(g, b, 1)
		require.NoError(t, g.e.Snapshot())
		g.period(b, "day", "2026-11-20")
		g.jump(-time.Hour)
		time.Sleep(2 * closing.MaxSleep)
		synctest.Wait()
		require.False(t, loaded(t, g.e, "board/arena/day/2026-11-20/v1"))
	})
}
