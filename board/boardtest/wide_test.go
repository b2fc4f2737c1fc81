package boardtest

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// problems are those of the contests that are recorded to the millisecond.
const problems = "ABCDEFGHIJKLM"

// wideColumns are those of a contest with two columns for each problem: whether a team has solved it, and its minutes and penalties. Both are absent
// until then. The number of solved problems and the penalty are computed of them.
func wideColumns() []board.Column {
	bound := func(n int64) *board.Value { v := board.Int(n); return &v }
	solved, penalty := map[string]board.Value{}, map[string]board.Value{}
	columns := []board.Column{
		{Name: "solved", Of: solved, Min: bound(0), Max: bound(int64(len(problems)))},
		{Name: "penalty", Order: board.Asc, Of: penalty, Min: bound(0), Max: bound(1 << 15)},
		{Name: "last", Order: board.Asc, Op: board.Max, Absent: board.AbsentFirst},
	}
	for _, p := range problems {
		ok, minutes := "solved"+string(p), "minutes"+string(p)
		solved[ok], penalty[minutes] = board.Int(1), board.Int(1)
		columns = append(columns,
			board.Column{Name: ok, Min: bound(1), Max: bound(1), Absent: board.AbsentLast},
			board.Column{Name: minutes, Order: board.Asc, Min: bound(0), Max: bound(1 << 11), Absent: board.AbsentLast})
	}
	return columns
}

// wideScore is the score of an accepted run; that of problem -1 has no values.
func wideScore(problem int, minutes int64, at time.Time) board.Score {
	values := make([]board.Value, 1+2*len(problems))
	for i := range values {
		values[i] = board.Absent
	}
	if problem >= 0 {
		values[0], values[1+2*problem], values[2+2*problem] = board.Int(at.UnixMilli()), board.Int(1), board.Int(minutes)
	}
	return board.Values(values...)
}

// TestWideContest plays two contests into boards of 29 columns, and compares every rank and both computed columns with a scoreboard that is computed
// from all runs.
func TestWideContest(t *testing.T) {
	all := readData(t, "icpcwf/runs.csv.gz", "[time board member problem verdict]")
	final := readFinal(t)
	for name, start := range contestStarts {
		var teams []string
		for _, row := range final {
			if row[0] == name {
				teams = append(teams, row[1])
			}
		}
		runs := runsOf(t, all, name)
		t.Run(name, func(t *testing.T) {
			onEachStore(t, func(t *testing.T, boards board.Store, now *clock) {
				now.set(start.Add(24 * time.Hour))
				playWide(t, mustDefine(t, boards, board.Spec{Name: "icpc/" + name, Op: board.Sum, Columns: wideColumns(), Ties: board.ByMember}), teams, runs, start)
			})
		})
	}
}

// playWide submits the accepted runs of a contest to a board, and compares it now and then.
func playWide(t *testing.T, b board.Board, teams []string, runs []run, start time.Time) {
	submit := func(team string, s board.Score, at time.Time) {
		_, err := b.Submit(t.Context(), board.Submission{Member: team, Score: s, At: at})
		require.NoError(t, err)
	}
	for _, team := range teams {
		submit(team, wideScore(-1, 0, start), start)
	}
	before := scoreboard(teams, nil, start)
	for i, r := range runs {
		if r.verdict != "OK" {
			continue
		}
		after := scoreboard(teams, runs[:i+1], start)
		was, is := standingOf(before, r.team), standingOf(after, r.team)
		if is.solved > was.solved {
			submit(r.team, wideScore(slices.Index([]rune(problems), rune(r.problem[0])), is.penalty-was.penalty, r.at), r.at)
		}
		if before = after; i%100 == 0 {
			compareWide(t, b, after)
		}
	}
	compareWide(t, b, scoreboard(teams, runs, start))
}

func standingOf(rows []standing, team string) standing {
	return rows[slices.IndexFunc(rows, func(s standing) bool { return s.team == team })]
}

// compareWide compares a board with a scoreboard: equals by solved problems, penalty and last run are in the order of the team's columns, which the
// scoreboard does not have, so their ranks are compared as equals.
func compareWide(t *testing.T, b board.Board, want []standing) {
	key := func(s standing) [3]int64 { return [3]int64{-s.solved, s.penalty, s.last} }
	byKey := func(a, b standing) int {
		x, y := key(a), key(b)
		return slices.Compare(x[:], y[:])
	}
	want = slices.SortedFunc(slices.Values(want), func(a, b standing) int { return cmp.Or(byKey(a, b), cmp.Compare(a.team, b.team)) })
	rows := mustTop(t, mustLive(t, b, "all"))
	require.Len(t, rows, len(want))
	for i, row := range rows {
		w := standingOf(want, row.Member)
		require.Zero(t, byKey(w, want[i]), "place %d: %q", i+1, row.Member)
		require.Equal(t, []board.Value{board.Int(w.solved), board.Int(w.penalty)}, []board.Value{row.Score.At(0), row.Score.At(1)}, row.Member)
		require.Equal(t, w.solved == 0, row.Score.At(2).IsAbsent(), row.Member)
	}
}
