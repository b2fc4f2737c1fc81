package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
)

// TestEdges: an event counts from its own microsecond until just before the microsecond one window later.
func TestEdges(t *testing.T) {
	w := testclock.New()
	l := mustNew(t, newMemory(t, w), "l", Limit{2, time.Second})
	require.Equal(t, 1, mustAllow(t, l, "k", 1).Remaining)
	w.Add(400 * time.Millisecond)
	r := mustAllow(t, l, "k", 1)
	require.Equal(t, []Status{{Limit{2, time.Second}, 0, time.Second}}, r.Limits)
	r = mustAllow(t, l, "k", 1)
	require.Equal(t, []any{false, 0, 600 * time.Millisecond}, []any{r.Allowed, r.Remaining, r.RetryAfter})
	require.Equal(t, time.Second, mustPeek(t, l, "k", 2).RetryAfter, "two must wait for the second event")
	w.Add(600*time.Millisecond - time.Nanosecond)
	require.False(t, mustAllow(t, l, "k", 1).Allowed)
	w.Add(time.Nanosecond)
	require.True(t, mustAllow(t, l, "k", 1).Allowed)
	require.True(t, mustAllow(t, l, "other", 2).Allowed, "keys do not count together")
}

// TestNanoseconds: times are cut to the microsecond, so an answer is for the microsecond that the clock shows.
func TestNanoseconds(t *testing.T) {
	w := testclock.New()
	l := mustNew(t, newMemory(t, w), "l", Limit{1, time.Microsecond})
	w.Add(999 * time.Nanosecond)
	r := mustAllow(t, l, "k", 1)
	require.True(t, r.Allowed)
	require.True(t, r.At.Equal(testclock.Noon))
	require.Equal(t, time.Microsecond, mustAllow(t, l, "k", 1).RetryAfter)
	w.Add(time.Nanosecond)
	require.True(t, mustAllow(t, l, "k", 1).Allowed)
}

// TestAllOrNothing: the strictest limit decides, and a refused call records nothing for the other limits (R2, R4).
func TestAllOrNothing(t *testing.T) {
	w := testclock.New()
	l := mustNew(t, newMemory(t, w), "l", Limit{10, time.Second}, Limit{15, time.Hour})
	require.True(t, mustAllow(t, l, "k", 10).Allowed)
	w.Add(time.Minute)
	before := mustPeek(t, l, "k", 5)
	require.Equal(t, []any{true, 5, 10, 5}, []any{before.Allowed, before.Remaining, before.Limits[0].Remaining, before.Limits[1].Remaining})
	for range 3 {
		r := mustAllow(t, l, "k", 6)
		require.False(t, r.Allowed)
		require.Equal(t, 59*time.Minute, r.RetryAfter)
	}
	require.Equal(t, 10, events(t, l, "k"))
	require.True(t, mustAllow(t, l, "k", 5).Allowed)
	require.NoError(t, l.Reset(t.Context(), "k"))
	require.Equal(t, 10, mustPeek(t, l, "k", 1).Remaining)
	require.Zero(t, events(t, l, "k"))
}

// TestUserAndAddress: one call asks two limiters. If one refuses, the other records nothing.
func TestUserAndAddress(t *testing.T) {
	w := testclock.New()
	e := newMemory(t, w)
	user, address := mustNew(t, e, "user", Limit{3, time.Minute}), mustNew(t, e, "address", Limit{1, time.Second})
	ask := func() Verdict {
		v, err := AllowAll(t.Context(), Ask{user, "ada", 1}, Ask{address, "10.0.0.1", 1})
		require.NoError(t, err)
		return v
	}
	require.True(t, ask().Allowed)
	v := ask()
	require.Equal(t, []any{false, time.Second, true, false}, []any{v.Allowed, v.RetryAfter, v.Results[0].Allowed, v.Results[1].Allowed})
	require.Equal(t, 2, mustPeek(t, user, "ada", 1).Remaining)
	v, err := AllowAll(t.Context())
	require.NoError(t, err)
	require.True(t, v.Allowed)
	_, err = AllowAll(t.Context(), Ask{user, "ada", 2}, Ask{user, "ada", 2})
	require.ErrorIs(t, err, ErrNever, "they count together")
	_, err = AllowAll(t.Context(), Ask{user, "ada", 1}, Ask{mustNew(t, newMemory(t, w), "user", Limit{1, 1000}), "ada", 1})
	require.ErrorIs(t, err, ErrEngines)
	_, err = AllowAll(t.Context(), Ask{Key: "a", Cost: 1})
	require.ErrorIs(t, err, ErrEngines, "no limiter")
}

// TestInTransaction: events commit with the caller's own changes, or not at all; a View cannot record events.
func TestInTransaction(t *testing.T) {
	w := testclock.New()
	e := newMemory(t, w)
	l := mustNew(t, e, "l", Limit{5, time.Minute})
	sick := errors.New("sick")
	for i, want := range []error{nil, sick, nil} {
		err := e.Update(t.Context(), func(tx *engine.Tx) error {
			r, err := l.AllowTx(tx, "ada", 2)
			require.NoError(t, err)
			require.True(t, r.Allowed)
			require.NoError(t, tx.Put("done", []byte{byte(i)}))
			return want
		}, "board", l.SetKey("ada"))
		require.ErrorIs(t, err, want)
	}
	require.Equal(t, 4, events(t, l, "ada"))
	require.ErrorIs(t, e.View(t.Context(), func(tx *engine.Tx) error {
		_, err := l.AllowTx(tx, "ada", 1)
		return err
	}, l.SetKey("ada")), engine.ErrReadOnly)
	require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error {
		_, err := l.AllowTx(tx, "bea", 1)
		return err
	}))
}

// TestClockBack: while the clock is behind a key's last event, the key's time stands still: no window holds more than its limit, and RetryAfter and
// ResetAfter are right by the clock.
func TestClockBack(t *testing.T) {
	w := testclock.New()
	l := mustNew(t, newMemory(t, w), "l", Limit{3, time.Minute})
	require.True(t, mustAllow(t, l, "k", 2).Allowed)
	w.Add(-time.Hour)
	r := mustAllow(t, l, "k", 1)
	require.Equal(t, []any{true, 0, 61 * time.Minute}, []any{r.Allowed, r.Remaining, r.Limits[0].ResetAfter})
	require.True(t, r.At.Equal(testclock.Noon.Add(-time.Hour)))
	r = mustAllow(t, l, "k", 1)
	require.Equal(t, []any{false, 61 * time.Minute}, []any{r.Allowed, r.RetryAfter})
	w.Add(r.RetryAfter - time.Microsecond)
	require.False(t, mustPeek(t, l, "k", 1).Allowed)
	w.Add(time.Microsecond)
	require.True(t, mustPeek(t, l, "k", 3).Allowed)
	w.Add(-1000 * time.Hour)
	require.False(t, mustPeek(t, l, "k", 1).Allowed)
	require.NoError(t, l.Reset(t.Context(), "k"))
	require.True(t, mustAllow(t, l, "k", 3).Allowed)
}

// TestLogIsBounded: each call removes a few old events, so that the log holds no more than the longest window may (R5). A few calls after a pause it
// has no old events left.
func TestLogIsBounded(t *testing.T) {
	w := testclock.New()
	l := mustNew(t, newMemory(t, w), "l", Limit{20, time.Second}, Limit{150, 10 * time.Second})
	most, calls := 0, 0
	for range times(8000) {
		w.Add(35 * time.Millisecond)
		if mustAllow(t, l, "k", 1).Allowed {
			calls++
		}
		most = max(most, events(t, l, "k"))
	}
	require.LessOrEqual(t, most, 150)
	w.Add(15 * time.Second) // not gone yet
	after := events(t, l, "k")
	for range 150/extraTrim + 1 {
		mustAllow(t, l, "k", 1)
	}
	require.Equal(t, 150/extraTrim+1, events(t, l, "k"))
	t.Logf("%d events allowed: the log held at most %d; after a pause %d, and %d calls later none of the old", calls, most, after, 150/extraTrim+1)
}

// TestMemory: an event takes the memory that the package's doc tells.
func TestMemory(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks a log of 10,000 events after every change")
	}
	for n, most := range map[int]float64{100: 13, 10000: 34} {
		w := testclock.New()
		l := mustNew(t, newMemory(t, w), "l", Limit{n, time.Hour})
		for range n {
			w.Add(time.Millisecond)
			mustAllow(t, l, "k", 1)
		}
		require.NoError(t, l.e.View(t.Context(), func(tx *engine.Tx) error {
			s, err := tx.Set(l.SetKey("k"))
			each := float64(s.Size()) / float64(n)
			require.LessOrEqual(t, each, most)
			t.Logf("a log of %d events: %.1f bytes each", n, each)
			return err
		}, l.SetKey("k")))
	}
}

// TestIdleKeysGo: the log of a key that is no longer used expires, but not before its last event has left the longest window and grace has passed
// (R5).
func TestIdleKeysGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(engine.Options{})
		require.NoError(t, err)
		l := mustNew(t, e, "l", Limit{1, time.Second}, Limit{3, 80 * time.Second})
		for i := range 100 {
			require.True(t, mustAllow(t, l, fmt.Sprint(i), 1).Allowed)
		}
		time.Sleep(40 * time.Second)
		require.True(t, mustAllow(t, l, "7", 1).Allowed)
		time.Sleep(40*time.Second - time.Microsecond)
		require.Equal(t, 2, mustPeek(t, l, "5", 1).Limits[1].Remaining)
		left := func() int {
			st, err := e.Stats()
			require.NoError(t, err)
			return st.Sets
		}
		require.Equal(t, 100, left())
		time.Sleep(grace)
		require.Equal(t, 100, left())
		time.Sleep(12 * time.Second)
		require.Equal(t, 1, left(), "7 is needed for longer")
		require.Equal(t, 2, mustPeek(t, l, "7", 1).Limits[1].Remaining)
		time.Sleep(time.Minute)
		require.Zero(t, left())
		require.NoError(t, e.Close())
	})
}

func TestImpossibleSpecs(t *testing.T) {
	bad := Spec{Limits: []Limit{{0, time.Second}, {1, -time.Second}, {1, 0}, {MaxEvents + 1, 1500}, {1, MaxWindow + time.Microsecond}}}
	_, err := New(nil, bad)
	require.ErrorIs(t, err, ErrSpec)
	for _, field := range []string{"Name", "[0].Max", "[1].Window", "[2].Window", "[3].Max", "[3].Window", "[4].Window"} {
		require.ErrorContains(t, err, field)
	}
	require.Equal(t, 7, strings.Count(err.Error(), "\n")+1)
	require.ErrorContains(t, Spec{Name: "l"}.Validate(), "Limits is empty")
	require.ErrorContains(t, Spec{Name: strings.Repeat("l", MaxName+1), Limits: []Limit{{1, 1000}}}.Validate(), "Name")
	require.NoError(t, Spec{Name: "l", Limits: []Limit{{MaxEvents, MaxWindow}, {1, time.Microsecond}}}.Validate())
}

// TestImpossibleCalls: every invalid argument, and a clock out of range, gets its error.
func TestImpossibleCalls(t *testing.T) {
	w := testclock.New()
	l := mustNew(t, newMemory(t, w), "l", Limit{10, time.Second}, Limit{5, time.Minute})
	for _, call := range []func(context.Context, string, int) (Result, error){l.Allow, l.Peek} {
		for want, ask := range map[error]Ask{ErrNever: {nil, "k", 6}, ErrCost: {nil, "k", 0}, ErrKey: {nil, strings.Repeat("k", MaxKey+1), 1}} {
			_, err := call(t.Context(), ask.Key, ask.Cost)
			require.ErrorIs(t, err, want)
		}
		_, err := call(t.Context(), "k", -1)
		require.ErrorIs(t, err, ErrCost)
		for _, at := range []time.Time{{}, time.Unix(-1, 0), time.UnixMicro(lastTime)} {
			w.Set(at)
			_, err := call(t.Context(), "k", 1)
			require.ErrorIs(t, err, ErrTime)
		}
		w.Set(testclock.Noon)
	}
	require.ErrorIs(t, l.Reset(t.Context(), strings.Repeat("k", MaxKey+1)), ErrKey)
	require.Zero(t, events(t, l, "k"))
	w.Set(time.UnixMicro(lastTime - 1))
	wide := mustNew(t, l.e, "wide", Limit{1, MaxWindow})
	require.True(t, mustAllow(t, wide, strings.Repeat("k", MaxKey), 1).Allowed)
	require.Equal(t, MaxWindow, mustPeek(t, wide, strings.Repeat("k", MaxKey), 1).RetryAfter)
	require.NoError(t, l.e.Close())
	_, err := l.Allow(t.Context(), "k", 1)
	require.ErrorIs(t, err, engine.ErrClosed)
}

// TestNamesStayApart: limiters and keys with slashes in their names do not share sets.
func TestNamesStayApart(t *testing.T) {
	e := newMemory(t, testclock.New())
	keys := map[string]bool{}
	for _, name := range []string{"a", "a/b", "a%2Fb", "a%"} {
		for _, key := range []string{"", "c", "b/c", "%2Fc", "/c"} {
			keys[mustNew(t, e, name, Limit{1, time.Second}).SetKey(key)] = true
		}
	}
	require.Len(t, keys, 20)
}

// TestLargestLimit: MaxEvents events fit in one commit, when they are recorded and when they are removed.
func TestLargestLimit(t *testing.T) {
	if testing.Short() || invariants.Enabled {
		t.Skip("records 500,000 events")
	}
	w := testclock.New()
	e := mustOpen(t, memfs.New(), w)
	l := mustNew(t, e, strings.Repeat("l", MaxName), Limit{MaxEvents, time.Hour})
	key := strings.Repeat("k", MaxKey)
	require.True(t, mustAllow(t, l, key, MaxEvents).Allowed)
	require.Equal(t, time.Hour, mustAllow(t, l, key, 1).RetryAfter)
	require.NoError(t, l.Reset(t.Context(), key))
	require.NoError(t, e.Close())
}
