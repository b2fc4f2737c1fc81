package figures

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

// TestBudget reads as often as the share allows, and once in any case.
func TestBudget(t *testing.T) {
	now := time.Unix(0, 0)
	b := NewBudget(func() time.Time { return now })
	reads := 0
	slow := func() ([]byte, error) {
		reads++
		now = now.Add(10 * time.Millisecond)
		return []byte{byte(reads)}, nil
	}
	pages := []func() ([]byte, error){b.Again(slow), b.Again(slow), b.Again(slow)}
	began := now
	for now.Sub(began) < time.Hour {
		for _, again := range pages {
			data, err := again()
			require.NoError(t, err)
			require.NotEmpty(t, data)
		}
		now = now.Add(100 * time.Millisecond)
	}
	share := float64(reads) * 0.010 / time.Hour.Seconds()
	require.InDelta(t, 1.0/Share, share, 0.001, "%d reads", reads)

	quick := b.Again(func() ([]byte, error) { return []byte("x"), nil })
	data, err := quick()
	require.NoError(t, err)
	require.Equal(t, "x", string(data), "the first read is for somebody who waits")
	now = now.Add(time.Hour)
	gone := errors.New("gone")
	_, err = b.Again(func() ([]byte, error) { return nil, gone })()
	require.ErrorIs(t, err, gone)
}

// TestBudgetOfStalls has a read that waits for seconds among quick ones: pages go on. Reads that always take so long keep to the share.
func TestBudgetOfStalls(t *testing.T) {
	now := time.Unix(0, 0)
	b := NewBudget(func() time.Time { return now })
	reads, takes := 0, 5*time.Second
	again := b.Again(func() ([]byte, error) {
		reads++
		now = now.Add(takes)
		return []byte("x"), nil
	})
	pass := func(d time.Duration) (read int) {
		before := reads
		for end := now.Add(d); now.Before(end); now = now.Add(time.Second) {
			_, err := again()
			require.NoError(t, err)
		}
		return reads - before
	}
	require.Equal(t, 1, pass(time.Second), "the first read stalls")
	takes = time.Millisecond
	require.GreaterOrEqual(t, pass(20*time.Second), 15)
	takes = 5 * time.Second
	require.Equal(t, 1, pass(time.Second), "a later one stalls")
	takes = time.Millisecond
	require.GreaterOrEqual(t, pass(20*time.Second), 15)
	takes = time.Second
	require.InDelta(t, 24*3600/Share, pass(24*time.Hour), 24*3600/Share*0.02)
}

// TestRates follows a count.
func TestRates(t *testing.T) {
	now := time.Unix(0, 0)
	r := NewRates(func() time.Time { return now })
	_, ok := r.Of("a", 100)
	require.False(t, ok, "one look says nothing")
	now = now.Add(time.Second)
	_, ok = r.Of("a", 150)
	require.False(t, ok, "the span is too short")
	now = now.Add(time.Second)
	rate, ok := r.Of("a", 200)
	require.True(t, ok)
	require.InDelta(t, 50.0, rate, 0)
	now = now.Add(4 * time.Second)
	rate, ok = r.Of("a", 200)
	require.True(t, ok)
	require.Zero(t, rate)
	_, ok = r.Of("a", 3)
	require.False(t, ok, "the count is of something new")
	now = now.Add(2 * rateMemory)
	_, ok = r.Of("b", 1)
	require.False(t, ok)
	require.Len(t, r.all, 1, "counts that nobody looks at are forgotten")
}

// TestHistory samples an engine, and keeps an hour.
func TestHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(engine.Options{})
		require.NoError(t, err)
		h := NewHistory(t.Context(), e, time.Now)
		_, ok := h.Latest()
		require.False(t, ok)
		for range 10 {
			require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error {
				s, err := tx.Set("a")
				if err == nil {
					_, err = s.IncrBy([]byte("ada"), 1)
				}
				return err
			}, "a"))
		}
		<-time.After(Every + time.Millisecond)
		s, ok := h.Latest()
		require.True(t, ok)
		require.InDelta(t, 10/Every.Seconds(), s.Commits, 0.01)
		require.Positive(t, s.Median)
		require.GreaterOrEqual(t, s.P99, s.Median)
		require.Positive(t, s.Memory)
		<-time.After(2 * time.Hour)
		require.Len(t, h.Samples(), kept)
		require.Zero(t, must(h.Latest()).Commits)
		c := ColumnsOf(h.Samples())
		require.Len(t, c.Time, kept)
		require.Len(t, c.P99MS, kept)
		require.NoError(t, e.Close())
		<-time.After(Every)
	})
}

func must[T any](x T, _ bool) T { return x }

// TestBars draws a histogram: the largest bucket is as high as the drawing, an empty one has no bar, and one member can be seen.
func TestBars(t *testing.T) {
	bars := Bars([]Bucket{{"a", 0}, {"b", 1}, {"c", 1000000}})
	require.Equal(t, []int{0, 6, 100}, []int{bars[0].Height, bars[1].Height, bars[2].Height})
	require.Equal(t, []int{0, BarWidth, 2 * BarWidth}, []int{bars[0].X, bars[1].X, bars[2].X})
	require.Equal(t, 0, bars[2].Y)
}
