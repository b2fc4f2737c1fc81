package board

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
)

func TestOpenTwice(t *testing.T) {
	fs := persist.MemFS()
	e := openDurable(t, fs)
	b := mustOpen(t, e, Spec{Name: "x", Windows: []Window{Week, All}})
	want := Spec{"x", Best, Desc, FirstToReach, []Window{Week, All}}
	assert.Equal(t, want, b.Spec())
	mustSubmit(t, b, "a", 1, noon)

	again := mustOpen(t, e, Spec{Name: "x", Op: Best, Windows: []Window{All, Week}})
	assert.Equal(t, want, again.Spec(), "the first order stays")
	assert.Equal(t, "a1", top(t, all(t, again), 9))

	require.NoError(t, e.Close())
	e = openDurable(t, fs)
	again = mustOpen(t, e, want)
	assert.Equal(t, want, again.Spec())
	assert.Equal(t, "a1", top(t, all(t, again), 9))
	require.NoError(t, e.Close())
}

func TestOpenChanged(t *testing.T) {
	e := newMemory(t)
	mustOpen(t, e, Spec{Name: "x"})
	_, err := Open(e, Spec{"x", Sum, Asc, LastToReach, []Window{Day, Hour}})
	require.ErrorIs(t, err, ErrSpecChanged)
	assert.EqualError(t, err, ErrSpecChanged.Error()+`: "x": op is best, not sum; order is desc, not asc; `+
		`ties is first, not last; windows is all, not day,hour`)
	mustOpen(t, e, Spec{Name: "x"})
}

// TestSpecIsOwn: what the caller does to its windows later does not reach the board.
func TestSpecIsOwn(t *testing.T) {
	windows := []Window{All, Week}
	b := mustOpen(t, newMemory(t), Spec{Name: "x", Windows: windows})
	windows[1] = Day
	b.Spec().Windows[0] = Year
	assert.Equal(t, []Window{All, Week}, b.Spec().Windows)
	mustSubmit(t, b, "a", 1, noon)
	periods, err := b.Periods(Week)
	require.NoError(t, err)
	assert.Equal(t, []string{"2026-W47"}, periods)
}

func TestLookupAndList(t *testing.T) {
	fs := persist.MemFS()
	e := openDurable(t, fs)
	specs, err := List(e)
	require.NoError(t, err)
	assert.Empty(t, specs)
	_, err = Lookup(e, "x")
	require.ErrorIs(t, err, ErrNoBoard)
	assert.ErrorContains(t, err, `"x"`)

	want := []Spec{
		{"A", Sum, Desc, ByMember, []Window{Day}},
		{"a", Best, Desc, FirstToReach, []Window{All}},
		{"a/b", Last, Asc, LastToReach, []Window{Week, All}},
		{"ü", Best, Desc, FirstToReach, []Window{All}},
	}
	for _, i := range []int{2, 0, 3, 1} {
		mustOpen(t, e, want[i])
	}
	for range 2 {
		specs, err = List(e)
		require.NoError(t, err)
		assert.Equal(t, want, specs)
		for _, spec := range want {
			b, err := Lookup(e, spec.Name)
			require.NoError(t, err)
			assert.Equal(t, spec, b.Spec())
		}
		_, err = Lookup(e, "a/")
		require.ErrorIs(t, err, ErrNoBoard)
		require.NoError(t, e.Close())
		e = openDurable(t, fs)
	}
	require.NoError(t, e.Close())
}

// TestNames: boards whose names are prefixes of each other, or look like parts of keys, keep apart.
func TestNames(t *testing.T) {
	names := []string{"a", "a/", "a/all", "a/all/all", "a/day", "a%2Fall", "a%", "a%25", "%", "/", "//", "a\x00", "ä", "日本", " ", "all", "ab",
		strings.Repeat("/", MaxName)}
	fs := persist.MemFS()
	e := openDurable(t, fs)
	for i, name := range names {
		b := mustOpen(t, e, Spec{Name: name, Op: Sum, Windows: []Window{All, Day}})
		mustSubmit(t, b, "m", float64(i), noon.AddDate(0, 0, i))
	}
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	e = openDurable(t, fs)
	for i, name := range names {
		b, err := Lookup(e, name)
		require.NoError(t, err, name)
		periods, err := b.Periods(Day)
		require.NoError(t, err, name)
		assert.Equal(t, []string{Day.Period(noon.AddDate(0, 0, i))}, periods, name)
		periods, err = b.Periods(All)
		require.NoError(t, err, name)
		assert.Equal(t, []string{"all"}, periods, name)
		assert.Equal(t, fmt.Sprint("m", i), top(t, all(t, b), 9), name)
	}
	specs, err := List(e)
	require.NoError(t, err)
	assert.Len(t, specs, len(names))
	assert.True(t, slices.IsSortedFunc(specs, func(a, b Spec) int { return strings.Compare(a.Name, b.Name) }))
	require.NoError(t, e.Close())
}

func TestPeriods(t *testing.T) {
	b := mustOpen(t, newMemory(t), Spec{Name: "x", Windows: []Window{Week, Hour}})
	periods, err := b.Periods(Week)
	require.NoError(t, err)
	assert.Empty(t, periods)

	for _, at := range []time.Time{noon, time.Date(1969, 12, 31, 23, 0, 0, 0, time.UTC), noon.AddDate(0, 0, -7), noon} {
		mustSubmit(t, b, "a", 1, at)
	}
	periods, err = b.Periods(Week)
	require.NoError(t, err)
	assert.Equal(t, []string{"1970-W01", "2026-W46", "2026-W47"}, periods)
	periods, err = b.Periods(Hour)
	require.NoError(t, err)
	assert.Equal(t, []string{"1969-12-31T23", "2026-11-13T12", "2026-11-20T12"}, periods)

	for _, w := range []Window{All, "", "Week"} {
		_, err = b.Periods(w)
		require.ErrorIs(t, err, ErrNoWindow)
		assert.ErrorContains(t, err, fmt.Sprintf(`"x" has week,hour, not %q`, w))
		_, err = b.Live(w)
		require.ErrorIs(t, err, ErrNoWindow)
		_, err = b.Period(w, "all")
		require.ErrorIs(t, err, ErrNoWindow)
	}
	for _, period := range []string{"", "2026-W48", "2026-W4", "2026-11-20", "2026-W47/"} {
		_, err = b.Period(Week, period)
		require.ErrorIs(t, err, ErrNoPeriod)
		assert.ErrorContains(t, err, fmt.Sprintf(`"x" has nobody in week %q`, period))
	}
}

func TestLive(t *testing.T) {
	now := noon
	e, err := engine.New(engine.Options{Clock: func() time.Time { return now }})
	require.NoError(t, err)
	b := mustOpen(t, e, Spec{Name: "x", Windows: []Window{Day}})
	today, err := b.Live(Day)
	require.NoError(t, err)
	assert.Equal(t, Day, today.Window())
	assert.Equal(t, "2026-11-20", today.Period())
	mustSubmit(t, b, "a", 1, noon)
	now = noon.Add(12 * time.Hour)
	tomorrow, err := b.Live(Day)
	require.NoError(t, err)
	assert.Equal(t, "2026-11-21", tomorrow.Period())
	assert.Empty(t, top(t, tomorrow, 9), "a live period may be empty")
	assert.Equal(t, "a1", top(t, today, 9), "a ranking stays with its period")
}

func TestClosed(t *testing.T) {
	e := newMemory(t)
	b := mustOpen(t, e, Spec{Name: "x"})
	r := all(t, b)
	require.NoError(t, e.Close())
	for name, call := range map[string]func() error{
		"Open":    func() error { _, err := Open(e, Spec{Name: "x"}); return err },
		"Lookup":  func() error { _, err := Lookup(e, "x"); return err },
		"List":    func() error { _, err := List(e); return err },
		"Submit":  func() error { _, err := b.Submit(Submission{Member: "a"}); return err },
		"Periods": func() error { _, err := b.Periods(All); return err },
		"Period":  func() error { _, err := b.Period(All, "all"); return err },
		"Len":     func() error { _, err := r.Len(); return err },
		"Top":     func() error { _, err := r.Top(1); return err },
		"Places":  func() error { _, err := r.Places(1, math.MaxInt); return err },
		"Rank":    func() error { _, _, err := r.Rank("a"); return err },
		"Score":   func() error { _, _, err := r.Score("a"); return err },
		"Around":  func() error { _, _, err := r.Around("a", 1); return err },
	} {
		assert.ErrorIs(t, call(), engine.ErrClosed, name)
	}
}
