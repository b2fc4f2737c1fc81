package board

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
)

// TestChange: what Submit answers, one submission after the other.
func TestChange(t *testing.T) {
	b := mustOpen(t, newMemory(t), Spec{Name: "x"})
	for i, step := range []struct {
		member string
		score  float64
		want   Change
	}{
		{"a", 5, Change{Changed: true, New: true, After: Row{1, "a", 5}}},
		{"b", 9, Change{Changed: true, New: true, After: Row{1, "b", 9}, Passed: 1}},
		{"c", 1, Change{Changed: true, New: true, After: Row{3, "c", 1}}},
		{"d", 5, Change{Changed: true, New: true, After: Row{3, "d", 5}, Passed: 1}},   // behind its equal
		{"c", 1, Change{Before: Row{4, "c", 1}, After: Row{4, "c", 1}}},                // equal
		{"a", 2, Change{Before: Row{2, "a", 5}, After: Row{2, "a", 5}}},                // worse
		{"c", 2, Change{Changed: true, Before: Row{4, "c", 1}, After: Row{4, "c", 2}}}, // better, passes nobody
		{"c", 7, Change{Changed: true, Before: Row{4, "c", 2}, After: Row{2, "c", 7}, Passed: 2}},
		{"c", 99, Change{Changed: true, Before: Row{2, "c", 7}, After: Row{1, "c", 99}, Passed: 1}},
	} {
		step.want.Window, step.want.Period = All, "all"
		assert.Equal(t, step.want, mustSubmit(t, b, step.member, step.score, second(i)), i)
	}
}

func TestChangeGoesDown(t *testing.T) {
	b := mustOpen(t, newMemory(t), Spec{Name: "x", Op: Sum})
	mustSubmit(t, b, "a", 5, noon)
	mustSubmit(t, b, "b", 4, noon)
	assert.Equal(t, Change{Window: All, Period: "all", Changed: true, Before: Row{1, "a", 5}, After: Row{2, "a", 3}},
		mustSubmit(t, b, "a", -2, second(1)), "whom it falls behind it has not passed")
}

// TestChangeIsOfFirstWindow: the other windows may change while the first does not, and the other way round.
func TestChangeIsOfFirstWindow(t *testing.T) {
	nextWeek := noon.AddDate(0, 0, 7)
	b := mustOpen(t, newMemory(t), Spec{Name: "x", Windows: []Window{All, Week}})
	mustSubmit(t, b, "a", 5, noon)
	assert.Equal(t, Change{Window: All, Period: "all", Before: Row{1, "a", 5}, After: Row{1, "a", 5}},
		mustSubmit(t, b, "a", 3, nextWeek))

	b = mustOpen(t, newMemory(t), Spec{Name: "x", Windows: []Window{Week, All}})
	mustSubmit(t, b, "a", 5, noon)
	assert.Equal(t, Change{Window: Week, Period: "2026-W48", Changed: true, New: true, After: Row{1, "a", 3}},
		mustSubmit(t, b, "a", 3, nextWeek))
}

// TestEveryWindow is B1: one submission, six rankings. A late one lands where its time says.
func TestEveryWindow(t *testing.T) {
	b := mustOpen(t, newMemory(t), Spec{Name: "x", Op: Sum, Windows: windows})
	mustSubmit(t, b, "a", 1, time.Date(2021, 1, 4, 0, 0, 0, 0, time.UTC))
	mustSubmit(t, b, "a", 2, time.Date(2021, 1, 3, 23, 59, 59, 0, time.UTC))
	want := map[Window]map[string]string{
		All: {"all": "a3"}, Year: {"2021": "a3"}, Month: {"2021-01": "a3"},
		Week: {"2020-W53": "a2", "2021-W01": "a1"},
		Day:  {"2021-01-03": "a2", "2021-01-04": "a1"},
		Hour: {"2021-01-03T23": "a2", "2021-01-04T00": "a1"},
	}
	for w, periods := range want {
		got, err := b.Periods(w)
		require.NoError(t, err)
		assert.Len(t, got, len(periods))
		for period, ranking := range periods {
			r, err := b.Period(w, period)
			require.NoError(t, err)
			assert.Equal(t, ranking, top(t, r, 9), period)
		}
	}
}

func TestSubmitRefuses(t *testing.T) {
	year := func(y int) time.Time { return time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC) }
	b := mustOpen(t, newMemory(t), Spec{Name: "x", Windows: windows})
	for name, row := range map[string]struct {
		sub  Submission
		want error
	}{
		"no member":              {Submission{"", 1, noon}, ErrMember},
		"long member":            {Submission{strings.Repeat("m", MaxMember+1), 1, noon}, ErrMember},
		"NaN":                    {Submission{"a", math.NaN(), noon}, ErrScore},
		"infinite":               {Submission{"a", math.Inf(-1), noon}, ErrScore},
		"before years":           {Submission{"a", 1, year(0).Add(-1)}, ErrTime},
		"after years":            {Submission{"a", 1, year(10_000)}, ErrTime},
		"far future":             {Submission{"a", 1, time.Unix(math.MaxInt64, 0)}, ErrTime},
		"year 10000 by UTC only": {Submission{"a", 1, time.Date(9999, 12, 31, 23, 0, 0, 0, time.FixedZone("", -3600))}, ErrTime},
	} {
		c, err := b.Submit(row.sub)
		assert.ErrorIs(t, err, row.want, name)
		assert.Zero(t, c, name)
	}
	for _, w := range windows {
		periods, err := b.Periods(w)
		require.NoError(t, err)
		assert.Empty(t, periods)
	}
	mustSubmit(t, b, "a", 1, year(0))
	mustSubmit(t, b, "b", 1, year(10_000).Add(-1))
}

// TestLongMember: the longest member there can be, through the log and a snapshot.
func TestLongMember(t *testing.T) {
	fs := persist.MemFS()
	e := openDurable(t, fs)
	long := strings.Repeat("m", MaxMember)
	mustSubmit(t, mustOpen(t, e, Spec{Name: "x"}), long, 1, noon)
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	e = openDurable(t, fs)
	row, ok, err := all(t, mustOpen(t, e, Spec{Name: "x"})).Rank(long)
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, 1, row.Rank)
	require.NoError(t, e.Close())
}

func TestSubmitNow(t *testing.T) {
	b := mustOpen(t, newMemory(t), Spec{Name: "x", Windows: []Window{Hour}})
	c, err := b.Submit(Submission{Member: "a", Score: 1})
	require.NoError(t, err)
	assert.Equal(t, "2026-11-20T12", c.Period)
	mustSubmit(t, b, "b", 1, second(-1))
	mustSubmit(t, b, "c", 1, second(1))
	r, err := b.Live(Hour)
	require.NoError(t, err)
	assert.Equal(t, "a1 c1", top(t, r, 9), "b came an hour before, a reached it at noon")
}

// TestOverflowInOneWindow: a sum that overflows in the second window leaves the first alone too.
func TestOverflowInOneWindow(t *testing.T) {
	b := mustOpen(t, newMemory(t), Spec{Name: "x", Op: Sum, Windows: []Window{Week, All}})
	mustSubmit(t, b, "a", 1e308, noon)
	nextWeek := noon.AddDate(0, 0, 7)
	_, err := b.Submit(Submission{"a", 1e308, nextWeek})
	require.ErrorIs(t, err, ErrScore)
	assert.ErrorContains(t, err, `1e+308 plus 1e+308 for "a"`)
	_, err = b.Period(Week, "2026-W48")
	require.ErrorIs(t, err, ErrNoPeriod)
	assert.Equal(t, "a1e+308", top(t, all(t, b), 9))

	// In a transaction too, which may then go on.
	err = b.e.Update(b.Keys(nil, nextWeek), func(tx *engine.Tx) error {
		changed, err := b.SubmitTx(tx, Submission{"a", 1e308, nextWeek})
		assert.ErrorIs(t, err, ErrScore)
		assert.False(t, changed)
		_, err = b.SubmitTx(tx, Submission{"b", 1, nextWeek})
		return err
	})
	require.NoError(t, err)
	r, err := b.Period(Week, "2026-W48")
	require.NoError(t, err)
	assert.Equal(t, "b1", top(t, r, 9))
	assert.Equal(t, "a1e+308 b1", top(t, all(t, b), 9))
}

var errNo = errors.New("no")

// TestSubmitTx: scores of two boards and a private key commit together or not at all.
func TestSubmitTx(t *testing.T) {
	fs := persist.MemFS()
	e := openDurable(t, fs)
	x := mustOpen(t, e, Spec{Name: "x", Op: Sum, Windows: []Window{All, Day}})
	y := mustOpen(t, e, Spec{Name: "y", Ties: ByMember})
	keys := y.Keys(x.Keys([]string{"mine"}, noon), noon)
	assert.Equal(t, []string{"mine", "board/x/all/all", "board/x/day/2026-11-20", "board/y/all/all"}, keys)
	for _, result := range []error{nil, errNo, nil} {
		err := e.Update(keys, func(tx *engine.Tx) error {
			for _, b := range []*Board{x, y, x} {
				if _, err := b.SubmitTx(tx, Submission{"a", 1, noon}); err != nil {
					return err
				}
			}
			old, _, err := tx.Get("wallet")
			if err == nil {
				err = tx.Put("wallet", append(old, '$'))
			}
			return errors.Join(err, result)
		})
		require.ErrorIs(t, err, result)
	}
	require.NoError(t, e.Close())

	e = openDurable(t, fs)
	x, y = mustOpen(t, e, x.Spec()), mustOpen(t, e, y.Spec())
	assert.Equal(t, "a4", top(t, all(t, x), 9))
	assert.Equal(t, "a1", top(t, all(t, y), 9))
	today, err := x.Live(Day)
	require.NoError(t, err)
	assert.Equal(t, "a4", top(t, today, 9))
	require.NoError(t, e.View(nil, func(tx *engine.Tx) error {
		wallet, _, err := tx.Get("wallet")
		assert.Equal(t, "$$", string(wallet))
		return err
	}))
	require.NoError(t, e.Close())
}

// TestSubmitTxChanged: it speaks for all windows, where Change speaks for the first.
func TestSubmitTxChanged(t *testing.T) {
	b := mustOpen(t, newMemory(t), Spec{Name: "x", Windows: []Window{All, Week}})
	for _, row := range []struct {
		score float64
		at    time.Time
		want  bool
	}{{5, noon, true}, {4, noon, false}, {4, noon.AddDate(0, 0, 7), true}, {5, noon, false}, {6, noon, true}} {
		require.NoError(t, b.e.Update(b.Keys(nil, row.at), func(tx *engine.Tx) error {
			changed, err := b.SubmitTx(tx, Submission{"a", row.score, row.at})
			assert.Equal(t, row.want, changed)
			return err
		}))
	}
}

func TestSubmitTxRefuses(t *testing.T) {
	b := mustOpen(t, newMemory(t), Spec{Name: "x", Windows: []Window{All, Day}})
	try := func(keys []string, sub Submission) error {
		return b.e.Update(keys, func(tx *engine.Tx) error {
			_, err := b.SubmitTx(tx, sub)
			return err
		})
	}
	keys := b.Keys(nil, noon)
	assert.ErrorIs(t, try(keys, Submission{"", 1, noon}), ErrMember)
	assert.ErrorIs(t, try(keys, Submission{"a", math.NaN(), noon}), ErrScore)
	assert.ErrorIs(t, try(b.Keys(nil, time.Time{}), Submission{Member: "a", Score: 1}), ErrTime, "no time")
	assert.ErrorIs(t, try(keys[:1], Submission{"a", 1, noon}), engine.ErrNotNamed)
	assert.ErrorIs(t, try(keys, Submission{"a", 1, noon.AddDate(0, 0, 1)}), engine.ErrNotNamed, "the keys of another day")
	n, err := all(t, b).Len()
	require.NoError(t, err)
	assert.Zero(t, n)

	require.NoError(t, b.e.View(keys, func(tx *engine.Tx) error {
		_, err := b.SubmitTx(tx, Submission{"a", 1, noon})
		assert.ErrorIs(t, err, engine.ErrReadOnly)
		return nil
	}))
}
