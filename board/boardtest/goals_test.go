package boardtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
)

const (
	worldCup   = "FIFA World Cup"
	everything = "everything"
)

// scorers are the boards of the goals: one for each tournament and one for all of them. The clock follows the goals, and years close as they
// end.
type scorers struct {
	boards board.Store
	clock  *clock
	rows   [][]string // the goals that are submitted: time, board, member, delta
	board  map[string]board.Board
	closed int // the number of closed years, of all boards
}

// playGoals submits all goals, or only those of the World Cup.
func playGoals(t *testing.T, boards board.Store, now *clock, isCupOnly bool) *scorers {
	rows := readData(t, "goals/goals.csv.gz", "[time board member delta]")
	require.Len(t, rows, 46_934)
	s := &scorers{boards: boards, clock: now, board: map[string]board.Board{}}
	for _, row := range rows {
		if !isCupOnly || row[1] == worldCup {
			s.rows = append(s.rows, row)
		}
	}
	for _, row := range s.rows {
		at := parseTime(t, row[0])
		s.advance(t, at)
		for _, name := range []string{row[1], everything} {
			if s.board[name] == nil {
				s.board[name] = mustDefine(t, s.boards, board.Spec{Name: "goals/" + name, Op: board.Sum, Windows: []board.Window{board.All, board.Year}})
			}
			_, err := s.board[name].Submit(t.Context(), board.Submission{Member: row[2], Score: board.Ints(parseInt(t, row[3]))})
			require.NoError(t, err)
		}
	}
	s.advance(t, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
	return s
}

// advance moves the clock. If a year has ended, it closes the year and requires that every board refuses a late result.
func (s *scorers) advance(t *testing.T, at time.Time) {
	before := s.clock.now()
	s.clock.set(at)
	if before.Year() == at.Year() {
		return
	}
	_, err := s.boards.CloseDue(t.Context())
	require.NoError(t, err)
	for _, b := range s.board {
		_, err := b.Submit(t.Context(), board.Submission{Member: "late", Score: board.Ints(1), At: before})
		var late *board.PeriodClosedError
		require.ErrorAs(t, err, &late)
		require.Equal(t, []string{fmt.Sprint(before.Year()), fmt.Sprint(at.Year())}, []string{late.Period, late.Live})
	}
}

// text writes the first rows as "ada15 bob7".
func text(rows []board.Row, n int) string {
	words := make([]string, n)
	for i, row := range rows[:n] {
		words[i] = fmt.Sprintf("%s%v", row.Member, row.Score)
	}
	return strings.Join(words, " ")
}

// TestGoals asserts the statements in the README of the goals. The order of equals was read from the file with awk.
// With invariants.Enabled, where each mutation costs O(members), and on servers, but for -long, it plays the goals of the World Cup only.
func TestGoals(t *testing.T) {
	onEachStore(t, func(t *testing.T, boards board.Store, now *clock) {
		isCupOnly := invariants.Enabled || !strings.HasSuffix(t.Name(), "engine") && matrix.Pick(0, 1) == 0
		s := playGoals(t, boards, now, isCupOnly)
		t.Run("cups", s.cups)
		t.Run("years", s.years)
		if !isCupOnly {
			assert.Len(t, s.board, 20+1)
			t.Run("everything", s.everything)
		}
		t.Logf("%d goals, %d boards, %d years closed as time passed", len(s.rows), len(s.board), s.closed)
	})
}

// everything checks the board of all tournaments.
func (s *scorers) everything(t *testing.T) {
	r := mustLive(t, s.board[everything], "all")
	rows := mustTop(t, r)
	assert.Len(t, rows, 14_900)
	for member, want := range map[string]int64{
		"Cristiano Ronaldo (Portugal)": 124, "Harry Kane (England)": 75, "Lionel Messi (Argentina)": 71,
	} {
		score, ok, err := r.Score(t.Context(), member)
		require.NoError(t, err)
		require.True(t, ok, member)
		assert.Equal(t, board.Ints(want), score, member)
	}
	assert.Equal(t, "Cristiano Ronaldo (Portugal)124", text(rows, 1))
	one := board.Ints(1)
	n, err := r.Count(t.Context(), &one, &one)
	require.NoError(t, err)
	assert.Equal(t, 6_934, n, "members with one goal")
	last, ok, err := r.By(board.Competition).At(t.Context(), -1)
	require.NoError(t, err)
	require.True(t, ok)
	assert.Equal(t, 14_900-6_934+1, last.Rank, "all of them share the last rank")
}

// cups checks the board of the World Cup: of all time and of some years.
func (s *scorers) cups(t *testing.T) {
	cup := s.board[worldCup]
	all := mustTop(t, mustLive(t, cup, "all").By(board.Competition))
	assert.Equal(t, "Kylian Mbappé (France)22 Lionel Messi (Argentina)21 Miroslav Klose (Germany)16 Ronaldo (Brazil)15 "+
		"Gerd Müller (Germany)14 Harry Kane (England)14 Just Fontaine (France)13", text(all, 7))
	assert.Equal(t, []int{5, 5, 7}, []int{all[4].Rank, all[5].Rank, all[6].Rank})
	for _, row := range []struct {
		year string
		n    int
		want string
	}{
		{"2010", 8, "David Villa (Spain)5 Wesley Sneijder (Netherlands)5 Thomas Müller (Germany)5 Diego Forlán (Uruguay)5 " +
			"Gonzalo Higuaín (Argentina)4 Róbert Vittek (Slovakia)4 Miroslav Klose (Germany)4 Landon Donovan (United States)3"},
		{"1994", 3, "Oleg Salenko (Russia)6 Hristo Stoichkov (Bulgaria)6 Jürgen Klinsmann (Germany)5"},
		{"2018", 7, "Harry Kane (England)6 Cristiano Ronaldo (Portugal)4 Romelu Lukaku (Belgium)4 Denis Cheryshev (Russia)4 " +
			"Antoine Griezmann (France)4 Kylian Mbappé (France)4 Diego Costa (Spain)3"},
		{"2022", 5, "Kylian Mbappé (France)8 Lionel Messi (Argentina)7 Olivier Giroud (France)4 Julián Álvarez (Argentina)4 " +
			"Enner Valencia (Ecuador)3"},
	} {
		r, err := cup.Period(t.Context(), "year", row.year)
		require.NoError(t, err)
		info, err := r.Info(t.Context())
		require.NoError(t, err)
		assert.True(t, info.Closed, row.year)
		assert.Equal(t, row.want, text(mustTop(t, r), row.n), row.year)
	}
}

// years checks that every board has the years of the file, that each was closed after its end, and that it has every member's goals of
// that year.
func (s *scorers) years(t *testing.T) {
	type key struct{ board, year, member string }
	want, years := map[key]int64{}, map[string]map[string]bool{}
	for _, row := range s.rows {
		for _, name := range []string{row[1], everything} {
			want[key{name, row[0][:4], row[2]}] += parseInt(t, row[3])
			if years[name] == nil {
				years[name] = map[string]bool{}
			}
			years[name][row[0][:4]] = true
		}
	}
	entries := 0
	for name, b := range s.board {
		periods, err := b.Periods(t.Context(), "year")
		require.NoError(t, err)
		require.Len(t, periods, len(years[name]), name)
		require.True(t, slices.IsSortedFunc(periods, func(a, b board.Usage) int { return a.ClosedAt.Compare(b.ClosedAt) }), name)
		for _, p := range periods {
			require.True(t, p.Closed && !p.ClosedAt.Before(p.End), "%s %s", name, p.Period)
			r, err := b.Period(t.Context(), "year", p.Period)
			require.NoError(t, err)
			rows := mustTop(t, r)
			require.Len(t, rows, p.Members)
			for _, row := range rows {
				require.Equal(t, board.Ints(want[key{name, p.Period, row.Member}]), row.Score, "%s %s %s", name, p.Period, row.Member)
			}
			entries += len(rows)
			s.closed++
		}
	}
	require.Equal(t, len(want), entries)
}
