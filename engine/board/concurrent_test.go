package board

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
)

// TestConcurrent has many goroutines open one board and add to the same few members, from the very first submission on, while
// others read. No addition is lost, in any window, before or after reopening. It is for the race detector too.
func TestConcurrent(t *testing.T) {
	const writers, each, members = 8, 150, 3
	fs := persist.MemFS()
	e := openDurable(t, fs)
	spec := Spec{Name: "x", Op: Sum, Windows: []Window{All, Hour, Day}}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			b, err := Open(e, spec)
			if !assert.NoError(t, err) {
				return
			}
			for i := range each {
				_, err := b.Submit(Submission{fmt.Sprint(i % members), 1, noon.AddDate(0, 0, (i+w)%2)})
				assert.NoError(t, err)
			}
		})
		wg.Go(func() { readAlong(t, e, spec, each) })
	}
	wg.Wait()
	for range 2 {
		b := mustOpen(t, e, spec)
		rows, err := all(t, b).Top(members + 1)
		require.NoError(t, err)
		require.Len(t, rows, members)
		for _, row := range rows {
			assert.Equal(t, float64(writers*each/members), row.Score)
		}
		for _, w := range []Window{Hour, Day} {
			assert.Equal(t, float64(writers*each), total(t, b, w), w)
		}
		require.NoError(t, e.Close())
		e = openDurable(t, fs)
	}
	require.NoError(t, e.Close())
}

// readAlong reads a ranking again and again; each answer must be in order by itself.
func readAlong(t *testing.T, e *engine.Engine, spec Spec, times int) {
	b, err := Open(e, spec)
	if !assert.NoError(t, err) {
		return
	}
	r, err := b.Live(All)
	assert.NoError(t, err)
	for range times {
		rows, err := r.Top(9)
		assert.NoError(t, err)
		for i, row := range rows {
			assert.Equal(t, i+1, row.Rank)
			assert.True(t, i == 0 || rows[i-1].Score >= row.Score)
		}
		_, _, err = r.Around("1", 1)
		assert.NoError(t, err)
		_, err = b.Periods(Day)
		assert.NoError(t, err)
	}
}

// total adds up the scores of all periods of a window.
func total(t *testing.T, b *Board, w Window) (sum float64) {
	periods, err := b.Periods(w)
	require.NoError(t, err)
	for _, period := range periods {
		r, err := b.Period(w, period)
		require.NoError(t, err)
		rows, err := r.Top(99)
		require.NoError(t, err)
		for _, row := range rows {
			sum += row.Score
		}
	}
	return sum
}
