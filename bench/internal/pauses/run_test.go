package pauses

import (
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

func TestEveryEventAtEveryLevel(t *testing.T) {
	for _, e := range Events {
		assert.LessOrEqual(t, utf8.RuneCountInString(e.Title), 16, e.Title)
		for _, level := range Levels {
			t.Run(e.Name+"/"+level.String(), func(t *testing.T) {
				t.Parallel()
				lines, err := Run(Options{Event: e.Name, Level: level.String(), Dir: t.TempDir(), N: 1234, Seed: 1, After: 50 * time.Millisecond})
				require.NoError(t, err)
				require.Len(t, lines, len(Sides))
				for _, side := range Sides {
					f := lines[e.Line(level, side)]
					assert.Equal(t, e.Happens(), f[figure.Took] > 0)
					assert.Greater(t, f[figure.Calls], 10.0)
					assert.LessOrEqual(t, f[figure.P50], f[figure.P999])
					t.Logf("%s: %.0f calls", side, f[figure.Calls])
				}
			})
		}
	}
}

func TestWhatThereIsNot(t *testing.T) {
	_, err := Run(Options{Event: "storm"})
	assert.ErrorContains(t, err, `no event "storm"`)
	_, err = Run(Options{Event: "still", Level: "often"})
	assert.ErrorContains(t, err, `unknown level "often"`)
}
