package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCollect reads the output of a run with figures of two packages in one row, a failing test, and a seeded bug that was not caught.
func TestCollect(t *testing.T) {
	in := strings.Join([]string{
		`{"Action":"output","Package":"x/persist","Test":"TestRow05","Output":"    crash_test.go:3: matrix row 05: 12 points | 0 bad\n"}`,
		`{"Action":"pass","Package":"x/persist","Test":"TestRow05","Elapsed":1.5}`,
		`{"Action":"output","Package":"x/engine","Test":"TestRow05","Output":"    crash_test.go:3: matrix row 05: 3 points\n"}`,
		`{"Action":"output","Package":"x/engine","Test":"TestRow34","Output":"    no order explains it\n"}`,
		`{"Action":"fail","Package":"x/engine","Test":"TestRow34"}`,
		`{"Action":"output","Package":"x/engine","Test":"TestSeededBugs","Output":"    seeded bugs caught 3/4\n"}`,
		`# x/engine does not build`,
	}, "\n")
	var progress, out strings.Builder
	r := newResults()
	require.NoError(t, r.collect(strings.NewReader(in), &progress))
	r.table(&out)
	require.Contains(t, out.String(), `persist: 12 points \| 0 bad<br>engine: 3 points |`)
	require.Contains(t, out.String(), "| 45 | directory copied live, without a backup | not run |\n| 48 |")
	require.Contains(t, progress.String(), "pass  persist TestRow05 (1.5s)\n")
	require.Contains(t, progress.String(), "no order explains it")
	require.Contains(t, progress.String(), "# x/engine does not build")
	require.Equal(t, []string{"engine TestRow34", "engine seeded bugs"}, r.failures)
	require.Len(t, r.missing(), 47)
	require.NotContains(t, r.missing(), 5)
}

// TestEveryRowTestExists looks for each test that the table of rows names, in the tests of persist.
func TestEveryRowTestExists(t *testing.T) {
	files, err := filepath.Glob("../../../persist/*_test.go")
	require.NoError(t, err)
	var source strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		source.Write(text)
	}
	for row, names := range tests {
		require.NotEmpty(t, faults[row])
		for _, name := range names {
			require.Contains(t, source.String(), "func "+name+"(t *testing.T)", "row %d", row)
		}
	}
}
