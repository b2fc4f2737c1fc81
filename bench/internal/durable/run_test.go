package durable

import (
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

func TestEverySystemOfEveryCase(t *testing.T) {
	for _, c := range Cases {
		assert.LessOrEqual(t, utf8.RuneCountInString(c.Title), 30, c.Title)
		for _, system := range c.Systems {
			t.Run(c.Name+"/"+system, func(t *testing.T) {
				t.Parallel()
				s, err := Start(Options{Case: c.Name, System: system, Dir: t.TempDir(), N: 1000, Seed: 1, For: 100 * time.Millisecond})
				require.NoError(t, err)
				require.NoError(t, s.Turn())
				require.NoError(t, s.Turn())
				lines, err := s.End()
				require.NoError(t, err)
				f := lines[c.Name]
				for _, m := range []figure.Metric{figure.Rate, figure.Calls, figure.P50, figure.P99, figure.P999, figure.Max} {
					assert.Positive(t, f[m], m)
				}
				assert.LessOrEqual(t, f[figure.P50], f[figure.P999])
			})
		}
	}
}

func TestWhatThereIsNot(t *testing.T) {
	_, err := Start(Options{Case: "sync/7"})
	assert.ErrorContains(t, err, `no case "sync/7"`)
	_, err = Start(Options{Case: "sync/1", System: "redis"})
	assert.ErrorContains(t, err, `no system "redis"`)
}
