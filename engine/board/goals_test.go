package board

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

const worldCup = "FIFA World Cup"

// goals are the boards of the goals: one for each tournament, and one over all of them. Where structures check themselves
// after every mutation, which costs O(members), only the World Cup's.
func goals(t *testing.T) map[string]*Board {
	rows := readData(t, "goals/goals.csv.gz", "[time board member delta]")
	require.Len(t, rows, 46_934)
	e := newMemory(t)
	boards := map[string]*Board{}
	var subs []scored
	for _, row := range rows {
		if invariants.Enabled && row[1] != worldCup {
			continue
		}
		for _, name := range []string{row[1], "everything"} {
			if boards[name] == nil {
				boards[name] = mustOpen(t, e, Spec{Name: name, Op: Sum, Windows: []Window{All, Year}})
			}
			subs = append(subs, scored{boards[name], Submission{row[2], parseScore(t, row[3]), parseTime(t, row[0])}})
		}
	}
	submitAll(t, e, subs)
	return boards
}

// TestGoals asserts what the README of the goals states. Who stands first among equals was read off the file with awk.
func TestGoals(t *testing.T) {
	boards := goals(t)
	t.Run("cups", func(t *testing.T) { checkCups(t, boards[worldCup]) })
	t.Run("years", func(t *testing.T) { checkYears(t, boards[worldCup]) })
	if !invariants.Enabled {
		assert.Len(t, boards, 20+1)
		t.Run("everything", func(t *testing.T) { checkEverything(t, boards["everything"]) })
	}
}

func checkEverything(t *testing.T, everything *Board) {
	r := all(t, everything)
	n, err := r.Len()
	require.NoError(t, err)
	assert.Equal(t, 14_900, n)
	for member, want := range map[string]float64{
		"Cristiano Ronaldo (Portugal)": 124, "Harry Kane (England)": 75, "Lionel Messi (Argentina)": 71,
	} {
		score, ok, err := r.Score(member)
		require.NoError(t, err)
		require.True(t, ok, member)
		assert.Equal(t, want, score, member)
	}
	assert.Equal(t, "Cristiano Ronaldo (Portugal)124", top(t, r, 1))
	rows, err := r.Top(n)
	require.NoError(t, err)
	once := slices.IndexFunc(rows, func(row Row) bool { return row.Score == 1 })
	assert.Equal(t, 6_934, n-once, "members with one goal")
}

func checkCups(t *testing.T, cup *Board) {
	assert.Equal(t, "Kylian Mbappé (France)22 Lionel Messi (Argentina)21 Miroslav Klose (Germany)16 Ronaldo (Brazil)15 "+
		"Gerd Müller (Germany)14 Harry Kane (England)14 Just Fontaine (France)13", top(t, all(t, cup), 7))
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
		r, err := cup.Period(Year, row.year)
		require.NoError(t, err)
		assert.Equal(t, row.want, top(t, r, row.n), row.year)
	}
}

// checkYears: the years of the World Cup's goals, and their sums, are those of the file.
func checkYears(t *testing.T, cup *Board) {
	want, sum := map[string]float64{}, 0.0
	for _, row := range readData(t, "goals/goals.csv.gz", "[time board member delta]") {
		if row[1] == worldCup {
			want[row[0][:4]]++
			sum++
		}
	}
	periods, err := cup.Periods(Year)
	require.NoError(t, err)
	assert.Len(t, periods, len(want))
	assert.Equal(t, 2960.0, sum)
	for _, period := range append(periods, "all") {
		w := Year
		if period == "all" {
			w, want[period] = All, sum
		}
		r, err := cup.Period(w, period)
		require.NoError(t, err)
		rows, err := r.Top(1 << 20)
		require.NoError(t, err)
		got := 0.0
		for _, row := range rows {
			got += row.Score
		}
		assert.Equal(t, want[period], got, period)
	}
}
