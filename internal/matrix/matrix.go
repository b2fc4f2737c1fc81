// Package matrix is what the tests of the fault matrix share: the figure each row prints, and how much of a row to run.
//
// A test of a row ends with a call of Row, which has the number of the row. In persist its name says what it proves, and
// internal/matrix/report lists it; elsewhere it is called TestRow05 and something. `go run ./internal/matrix/report` shows the
// figures of all rows; with -args -long behind go test every row runs as long as it takes to be sure.
package matrix

import (
	"flag"
	"testing"
)

var long = flag.Bool("long", false, "run the fault matrix at length")

// Pick returns how much of something to do: fast in go test ./..., a quarter of it with -short, slow with -args -long.
func Pick(fast, slow int) int {
	switch {
	case *long:
		return slow
	case testing.Short():
		return (fast + 3) / 4
	}
	return fast
}

// Row prints the figure of a row: what was done how often, and what was found.
func Row(t testing.TB, row int, format string, args ...any) {
	t.Helper()
	t.Logf("matrix row %02d: "+format, append([]any{row}, args...)...)
}
