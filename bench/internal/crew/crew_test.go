package crew

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

func TestCallsWithinAWindow(t *testing.T) {
	calls := []Call{
		{1, 2, 9},    // before
		{1, 2, 11},   // ends in it
		{12, 12, 13}, // inside
		{19, 22, 25}, // begins in it
		{21, 22, 29}, // between
		{5, 20, 50},  // over both: one call
		{40, 40, 41}, // after
	}
	for of, want := range map[string]float64{"latency": 45, "took": 30} {
		r := NewRecorder()
		Within(r, calls, []Window{{10, 20}, {30, 40}}, map[string]func(Call) time.Duration{"latency": Call.Latency, "took": Call.Took}[of])
		assert.Equal(t, 4, r.Count())
		f := figure.Figures{}
		r.Into(f)
		assert.Equal(t, want, f[figure.Max], of)
	}
}

// TestAWriterThatIsHeldUpIsLate stops one writer for a while: the calls that were due meanwhile are made after, at once.
func TestAWriterThatIsHeldUpIsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const held = 10 * Each
		c := Hire(func(id int) func(int) error {
			return func(i int) error {
				if id == 3 && i == 5 {
					time.Sleep(held)
				}
				return nil
			}
		})
		Pause(100*Each - 1)
		require.NoError(t, c.Dismiss())
		total := 0
		for id, own := range c.calls {
			total += len(own)
			for i, call := range own {
				due := time.Duration(i)*Each + time.Duration(id)*Each/Writers
				assert.Equal(t, due, call.Due)
				late := time.Duration(0)
				if id == 3 && i >= 5 {
					late = max(0, held-time.Duration(i-5)*Each)
				}
				assert.Equal(t, late, call.End-call.Due, "writer %d, call %d", id, i)
			}
		}
		assert.GreaterOrEqual(t, total, 100*Writers)
		t.Logf("%d calls", total)
	})
}

func TestAWriterThatFailsIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := errors.New("no room")
		c := Hire(func(id int) func(int) error {
			return func(int) error {
				if id == 7 {
					return failed
				}
				return nil
			}
		})
		Pause(2 * Each)
		assert.ErrorIs(t, c.Dismiss(), failed)
		assert.Empty(t, c.calls[7])
		assert.NotEmpty(t, c.calls[8], "the others go on")
	})
}

func TestALoopCountsEveryTurn(t *testing.T) {
	var turns [3]int
	calls, took, err := Loop(len(turns), 20*time.Millisecond, func(id int) (int, error) {
		turns[id]++
		return 2, nil
	})
	require.NoError(t, err)
	assert.GreaterOrEqual(t, took, 20*time.Millisecond)
	assert.Equal(t, 2*(turns[0]+turns[1]+turns[2]), calls)
	for _, n := range turns {
		assert.Positive(t, n)
	}
	t.Logf("%d calls", calls)

	broken := errors.New("broken")
	calls, _, err = Loop(2, time.Minute, func(int) (int, error) { return 1, broken })
	assert.ErrorIs(t, err, broken)
	assert.Zero(t, calls)
}
