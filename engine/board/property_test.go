package board

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/persist"
)

// Few scores and few times, so that ties, late results and overflows are frequent. The times lie around the edges of weeks,
// months and years, some of them less than a microsecond apart.
var (
	someScores = []float64{0, math.Copysign(0, -1), 1, 2, 3, -1, -2, 0.1, 1e16, 1e308, -1e308, math.MaxFloat64}
	edge       = time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
	someTimes  = []time.Duration{0, 1, 999, 1000, time.Second, time.Hour, 72 * time.Hour, 75 * time.Hour, -1, -time.Second,
		-time.Hour, -96 * time.Hour, 31 * 24 * time.Hour, -70 * 365 * 24 * time.Hour}
)

// world is a board and its oracle. A script drives both: each word of it is one step.
type world struct {
	t     *testing.T
	fs    persist.FS // nil: in memory only
	e     *engine.Engine
	board *Board
	want  *oracle
}

func (w *world) open() {
	if w.fs != nil {
		w.e = openDurable(w.t, w.fs)
	} else if w.e == nil {
		w.e = newMemory(w.t)
	}
	w.board = mustOpen(w.t, w.e, w.want.spec)
}

// decode reads a submission from a word.
func decode(word uint64) Submission {
	return Submission{
		Member: string(rune('a' + word%5)),
		Score:  someScores[word>>8%uint64(len(someScores))],
		At:     edge.Add(someTimes[word>>16%uint64(len(someTimes))]),
	}
}

// run plays a script, and returns the first thing that is not as the oracle says.
func (w *world) run(script []uint64) error {
	w.open()
	for len(script) > 0 {
		word, n := script[0], 1
		switch kind := word >> 32 % 32; {
		case kind == 0 && w.fs != nil:
			require.NoError(w.t, w.e.Close())
			w.open()
		case kind == 1 && w.fs != nil:
			require.NoError(w.t, w.e.Snapshot())
		case kind == 2:
			n = min(4, len(script))
			if err := w.together(script[:n]); err != nil {
				return err
			}
		default:
			if err := w.submit(decode(word)); err != nil {
				return err
			}
		}
		script = script[n:]
	}
	if w.fs != nil {
		require.NoError(w.t, w.e.Close())
		w.open()
	}
	return w.compare()
}

// submit submits, and checks the answer, B2 with it.
func (w *world) submit(sub Submission) error {
	window := w.want.spec.Windows[0]
	period := window.Period(sub.At)
	before, stood := w.want.ranking(window, period), w.want.standing(window, period, sub.Member)
	accepted := w.want.submit(sub)
	got, err := w.board.Submit(sub)
	if !accepted {
		if !errors.Is(err, ErrScore) || got != (Change{}) {
			return fmt.Errorf("%+v: got %+v and %v, want ErrScore", sub, got, err)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("%+v: %w", sub, err)
	}
	after := w.want.ranking(window, period)
	want := Change{Window: window, Period: period, Changed: w.want.standing(window, period, sub.Member) != stood}
	want.Before, want.After = find(before, sub.Member), find(after, sub.Member)
	want.New = want.Before == Row{}
	for _, row := range before {
		passed := want.New || row.Rank < want.Before.Rank
		if passed && row.Member != sub.Member && find(after, row.Member).Rank > want.After.Rank {
			want.Passed++
		}
	}
	if got != want {
		return fmt.Errorf("%+v:\n got %+v\nwant %+v", sub, got, want)
	}
	if !got.New && got.Before.Score == got.After.Score && got.After.Rank > got.Before.Rank {
		return fmt.Errorf("%+v: violates B2: %+v", sub, got)
	}
	return nil
}

func find(rows []Row, member string) Row {
	i := slices.IndexFunc(rows, func(row Row) bool { return row.Member == member })
	if i < 0 {
		return Row{}
	}
	return rows[i]
}

// together submits in one transaction. Refused submissions are left out.
func (w *world) together(script []uint64) error {
	var keys []string
	for _, word := range script {
		keys = w.board.Keys(keys, decode(word).At)
	}
	return w.e.Update(keys, func(tx *engine.Tx) error {
		for _, word := range script {
			sub := decode(word)
			accepted := w.want.submit(sub)
			if _, err := w.board.SubmitTx(tx, sub); accepted != (err == nil) || err != nil && !errors.Is(err, ErrScore) {
				return fmt.Errorf("%+v: %v, want accepted %v", sub, err, accepted)
			}
		}
		return nil
	})
}

// compare compares every ranking of every window.
func (w *world) compare() error {
	for _, window := range w.want.spec.Windows {
		periods, err := w.board.Periods(window)
		require.NoError(w.t, err)
		if want := w.want.periods(window); !slices.Equal(periods, want) {
			return fmt.Errorf("%s: got %v, want %v", window, periods, want)
		}
		for _, period := range periods {
			r, err := w.board.Period(window, period)
			require.NoError(w.t, err)
			rows, err := r.Top(math.MaxInt)
			require.NoError(w.t, err)
			if want := w.want.ranking(window, period); !reflect.DeepEqual(rows, want) {
				return fmt.Errorf("%s %s:\n got %v\nwant %v", window, period, rows, want)
			}
		}
	}
	return nil
}

// TestBoardEqualsOracle is B1 to B4 for every operator, order and tie rule, in memory and on disk.
func TestBoardEqualsOracle(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Log("seed", seed)
	everySpec(func(spec Spec) {
		for _, disk := range []bool{false, true} {
			t.Run(fmt.Sprintf("op=%s/order=%s/ties=%s/disk=%v", spec.Op, spec.Order, spec.Ties, disk), func(t *testing.T) {
				params := gopter.DefaultTestParametersWithSeed(seed)
				params.MinSuccessfulTests, params.MaxSize = fewer(15), 120
				properties := gopter.NewProperties(params)
				properties.Property("board equals oracle", prop.ForAll(func(windows uint8, script []uint64) (bool, error) {
					w := &world{t: t, want: &oracle{spec: spec}}
					w.want.spec.Windows = someWindows(windows)
					if disk {
						w.fs = persist.MemFS()
					}
					err := w.run(script)
					require.NoError(t, w.e.Close())
					return err == nil, err
				}, gen.UInt8(), gen.SliceOf(gen.UInt64())))
				properties.TestingRun(t)
			})
		}
	})
}

// fewer is n, or a part of it in builds whose structures check themselves after every mutation.
func fewer(n int) int {
	if invariants.Enabled {
		return n / 5
	}
	return n
}

// someWindows makes a list of windows, in changing order, from bits.
func someWindows(bits uint8) []Window {
	var windows []Window
	for i, w := range windows {
		if bits>>i&1 == 1 {
			windows = append(windows, w)
		}
	}
	if bits>>6&1 == 1 {
		slices.Reverse(windows)
	}
	if windows == nil {
		return []Window{All}
	}
	return windows
}
