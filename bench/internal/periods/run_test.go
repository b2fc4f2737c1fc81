package periods

import (
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

func run(t *testing.T, stage string) figure.Figures {
	f, err := Run(t.Context(), Options{Stage: stage, Dir: t.TempDir(), N: 2345, Seed: 1, After: 50 * time.Millisecond})
	require.NoError(t, err)
	return f
}

func TestEveryEvent(t *testing.T) {
	for _, e := range Events {
		assert.LessOrEqual(t, utf8.RuneCountInString(e.Title), 40, e.Title)
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			f := run(t, e.Name)
			assert.Equal(t, e.Happens(), f[figure.Took] > 0)
			assert.Greater(t, f[figure.Calls], 10.0)
			assert.LessOrEqual(t, f[figure.P50], f[figure.P999])
			t.Logf("%.0f submissions", f[figure.Calls])
		})
	}
}

func TestAClosedPeriodLeavesMemory(t *testing.T) {
	open, gone := run(t, Live), run(t, Kept)
	assert.Greater(t, open[figure.Live], 20.0, "a player's name alone")
	assert.Less(t, gone[figure.Closed], open[figure.Live]/10)
	for _, m := range []figure.Metric{figure.Took, figure.Snapshot, figure.Stored, figure.Files, figure.Touch, figure.Migrate} {
		assert.Positive(t, gone[m], m)
	}
	t.Logf("%.0f B live, %.2f B closed, %.0f B on the disk", open[figure.Live], gone[figure.Closed], gone[figure.Stored])
}

func TestWhatThereIsNot(t *testing.T) {
	assert.Len(t, Stages(), 2+len(Events))
	_, err := Run(t.Context(), Options{Stage: "storm"})
	assert.ErrorContains(t, err, `no stage "storm"`)
}
