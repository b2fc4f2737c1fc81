// Package matrix is shared by the tests of the fault matrix: it prints the figure of a row, and says how much of a row to run.
//
// A test of a row ends with a call of Row with the number of the row. In persist the test's name says what it proves, and
// internal/matrix/report lists the test for its row; in other packages the name begins with TestRow and the number, such as TestRow05.
// `go run ./internal/matrix/report` shows the figures of all rows. With -args -long after go test, every row runs at full length.
package matrix

import (
	"flag"
	"testing"
)

var long = flag.Bool("long", false, "run the fault matrix at length")

// Pick returns the number of repetitions for a test: fast in go test ./..., a quarter of fast with -short, slow with -args -long.
func Pick(fast, slow int) int {
	switch {
	case *long:
		return slow
	case testing.Short():
		return (fast + 3) / 4
	}
	return fast
}

// Row prints the figure of a row: the number of cases that ran and of failures that they showed.
func Row(t testing.TB, row int, format string, args ...any) {
	t.Helper()
	t.Logf("matrix row %02d: "+format, append([]any{row}, args...)...)
}
