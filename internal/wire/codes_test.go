package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/feed"
)

// TestEveryErrorHasACode: the errors that package board exports have codes, but those that no request can meet.
func TestEveryErrorHasACode(t *testing.T) {
	names := func(file, pattern string) (found []string) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
			found = append(found, m[1])
		}
		return found
	}
	has := names("../codes/codes.go", `board\.(Err\w+)\}`)
	for _, name := range names("../../board/errors.go", `(?m)^\t(Err\w+) += `) {
		if name != "ErrOpen" && name != "ErrViewDone" { // of programs that have the boards
			require.True(t, slices.Contains(has, name), "%s has no code", name)
		}
	}
	codes := map[string]bool{}
	for _, x := range Codes() {
		require.Regexp(t, `^[a-z][a-z_]*$`, x.Code)
		require.True(t, x.Status >= 400 && x.Status < 600, "%s", x.Code)
		require.False(t, codes[x.Code], "%s", x.Code)
		codes[x.Code] = true
	}
}

// TestDetails: an error comes back from its code and its details with all that errors.Is and errors.As find in it.
func TestDetails(t *testing.T) {
	at := time.Date(2026, 11, 26, 12, 0, 0, 1000, time.UTC)
	least := board.Int(3)
	season := &board.Period{Name: "s1", Start: at, End: at.Add(time.Hour)}
	for _, err := range []error{
		&board.BatchError{Index: 2, Err: &board.ScoreError{Column: 1, Name: "points", Value: board.Decimal(150, 2), Min: &least, Reason: board.ErrBounds}},
		&board.PeriodClosedError{Board: "arena", Window: "week", Period: "2026-W47", At: at, Live: "2026-W48"},
		&board.OutsideError{Window: "season", Time: at, Before: season, After: season},
		&board.UnionError{Source: -1, Member: "ada\xff", Column: "points", Err: board.ErrOverflow},
		&board.JournalError{Board: "arena", Member: "ada", Row: 7, First: 3, Since: at},
		&board.BeforeJournalError{Board: "arena", At: at, First: 3, Since: at},
		&board.UndoError{Board: "arena", Window: "all", Period: "all", Row: 3, Arrived: at, Member: "ada", Reason: board.UndoMigrated},
		&board.RelocatedError{Board: "arena", To: "redis://x", Complete: true},
		&feed.BehindError{After: feed.Position{Store: 1, Commit: 2}, Oldest: feed.Position{Store: 1, Commit: 9, Index: 1}},
		fmt.Errorf("%w: %w", board.ErrSpec, awards.ErrPlan),
	} {
		code, _, ok := Code(err)
		require.True(t, ok, "%v", err)
		base := ErrorOf(code)
		text, bad := json.Marshal(DetailsOf(err))
		require.NoError(t, bad)
		read := new(Details)
		require.NoError(t, json.Unmarshal(text, read))
		back := errors.Join(append(read.Errors(base), base)...)
		for _, k := range known {
			require.Equal(t, errors.Is(err, k.Err), errors.Is(back, k.Err), "%v: %v", err, k.Err)
		}
		again, bad := json.Marshal(DetailsOf(back))
		require.NoError(t, bad)
		require.JSONEq(t, string(text), string(again), "%v", err)
	}
}
