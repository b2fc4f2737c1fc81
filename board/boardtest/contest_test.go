package boardtest

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/invariants"
)

// contest is one World Finals as two boards. By the contest's last rule the team with the earlier last accepted run wins a tie. byTime
// implements this rule by its tie rule, byColumn by a third column: the milliseconds from 1970 to the last accepted run.
type contest struct {
	name             string
	byTime, byColumn board.Board
	teams            []string // in the order of the final table, in which they enter the boards
}

func (c *contest) boards() []board.Board { return []board.Board{c.byTime, c.byColumn} }

// submit adds an accepted run to both boards, or enters a team that has solved nothing.
func (c *contest) submit(t *testing.T, team string, solved, penalty int64, at time.Time) {
	_, err := c.byTime.Submit(t.Context(), board.Submission{Member: team, Score: board.Ints(solved, penalty), At: at})
	require.NoError(t, err)
	last := at.UnixMilli()
	if solved == 0 {
		last = 0
	}
	_, err = c.byColumn.Submit(t.Context(), board.Submission{Member: team, Score: board.Ints(solved, penalty, last), At: at})
	require.NoError(t, err)
}

// openContests defines the boards of the contests in a final table, in which every team starts with nothing.
func openContests(t *testing.T, boards board.Store, final [][]string) map[string]*contest {
	all := map[string]*contest{}
	columns := []board.Column{{Name: "solved"}, {Name: "penalty", Order: board.Asc}, {Name: "last", Order: board.Asc, Op: board.Max}}
	for _, row := range final {
		c := all[row[0]]
		if c == nil {
			c = &contest{name: row[0]}
			c.byTime = mustDefine(t, boards, board.Spec{Name: "icpc/" + c.name + "/time", Op: board.Sum, Columns: columns[:2]})
			c.byColumn = mustDefine(t, boards, board.Spec{Name: "icpc/" + c.name + "/column", Op: board.Sum, Columns: columns, Ties: board.ByMember})
			all[c.name] = c
		}
		c.teams = append(c.teams, row[1])
		c.submit(t, row[1], 0, 0, time.UnixMicro(int64(len(c.teams))))
	}
	return all
}

func readFinal(t *testing.T) [][]string {
	return readData(t, "icpcwf/final.csv.gz", "[board member solved penalty_min last_ac_time rank rank_last_ac]")
}

// readEvents returns the official score events.
func readEvents(t *testing.T) [][]string {
	return readData(t, "icpcwf/events.csv.gz", "[time board member delta_solved delta_penalty_min]")
}

// TestFinalTables plays all score events, and compares the rank of every team with the seven official tables.
func TestFinalTables(t *testing.T) {
	final, events := readFinal(t), readEvents(t)
	onEachStore(t, func(t *testing.T, boards board.Store, now *clock) { playFinals(t, boards, now, final, events) })
}

func playFinals(t *testing.T, boards board.Store, now *clock, final, events [][]string) {
	now.set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	all := openContests(t, boards, final)
	for _, e := range events {
		all[e[1]].submit(t, e[2], parseInt(t, e[3]), parseInt(t, e[4]), parseTime(t, e[0]))
	}
	equals := map[[2]string]int{} // the number of teams by contest and rank_last_ac: more than 1 if they tie in the last accepted run too
	for _, row := range final {
		equals[[2]string{row[0], row[6]}]++
	}
	for _, row := range final {
		c := all[row[0]]
		rank, rankLast := int(parseInt(t, row[5])), int(parseInt(t, row[6])) // by score; by score and last accepted run
		got, ok, err := mustLive(t, c.byTime, "all").By(board.Competition).Rank(t.Context(), row[1])
		require.NoError(t, err)
		require.True(t, ok, row)
		require.Equal(t, board.Ints(parseInt(t, row[2]), parseInt(t, row[3])), got.Score, row)
		require.Equal(t, rank, got.Rank, row)
		got, _, err = mustLive(t, c.byTime, "all").Rank(t.Context(), row[1])
		require.NoError(t, err)
		require.True(t, rankLast <= got.Rank && got.Rank < rankLast+equals[[2]string{row[0], row[6]}], "%v: is number %d", row, got.Rank)
		got, _, err = mustLive(t, c.byColumn, "all").By(board.Competition).Rank(t.Context(), row[1])
		require.NoError(t, err)
		require.Equal(t, rankLast, got.Rank, row)
	}
	for _, c := range all {
		for _, b := range c.boards() {
			require.Len(t, mustTop(t, mustLive(t, b, "all")), len(c.teams))
		}
	}
	t.Logf("%d final tables: %d teams, each rank by score, by place and by the third column as in final.csv, from %d events", len(all), len(final), len(events))
}

// standing is a row of the naive scoreboard.
type standing struct {
	team            string
	solved, penalty int64
	last            int64 // time of the last accepted run in milliseconds after 1970, 0 for none
	run             int   // index of the last accepted run among all runs; -1 for none
	rank            int   // by solved and penalty; equals share the best rank
}

// run is a submitted solution.
type run struct {
	team, problem, verdict string
	at                     time.Time
}

// scoreboard computes the contest's table from all runs so far, by the rules of the contest: solved problems, then penalty, then the earlier
// last accepted run. The penalty is, for each solved problem, the minutes to the accepted run and 20 for each wrong run before it.
func scoreboard(teams []string, runs []run, start time.Time) []standing {
	rows := make([]standing, len(teams))
	index := map[string]int{}
	for i, team := range teams {
		rows[i] = standing{team: team, run: -1}
		index[team] = i
	}
	type attempt struct{ team, problem string }
	wrong, solved := map[attempt]int64{}, map[attempt]bool{}
	for i, r := range runs {
		a := attempt{r.team, r.problem}
		switch {
		case solved[a] || r.verdict == "CE":
		case r.verdict == "WRONG":
			wrong[a]++
		case r.verdict == "OK":
			solved[a] = true
			row := &rows[index[r.team]]
			row.solved++
			row.penalty += int64(r.at.Sub(start)/time.Minute) + 20*wrong[a]
			row.last, row.run = r.at.UnixMilli(), i
		}
	}
	byScore := func(a, b standing) int {
		return cmp.Or(cmp.Compare(b.solved, a.solved), cmp.Compare(a.penalty, b.penalty))
	}
	slices.SortStableFunc(rows, func(a, b standing) int {
		return cmp.Or(byScore(a, b), cmp.Compare(a.last, b.last), cmp.Compare(a.run, b.run))
	})
	for i := range rows {
		rows[i].rank = i + 1
		if i > 0 && byScore(rows[i-1], rows[i]) == 0 {
			rows[i].rank = rows[i-1].rank
		}
	}
	return rows
}

// contestStarts are the starts of the contests that are recorded to the millisecond: those that agree with the minutes of all accepted runs.
var contestStarts = map[string]time.Time{
	"wf2024": time.Date(2024, 9, 19, 5, 51, 19, 0, time.UTC),
	"wf2025": time.Date(2025, 9, 4, 6, 48, 46, 0, time.UTC),
}

// runsOf returns the runs of one contest.
func runsOf(t *testing.T, all [][]string, name string) (runs []run) {
	for _, row := range all {
		if row[1] == name {
			runs = append(runs, run{row[2], row[3], row[4], parseTime(t, row[0])})
		}
	}
	return runs
}

// TestEveryMoment plays the official score events of the two contests that are recorded to the millisecond. After every run it compares both
// boards with a scoreboard that is computed from the runs alone.
func TestEveryMoment(t *testing.T) {
	final, events := readFinal(t), readEvents(t)
	all := readData(t, "icpcwf/runs.csv.gz", "[time board member problem verdict]")
	for name, start := range contestStarts {
		t.Run(name, func(t *testing.T) {
			isOther := func(column int) func(row []string) bool { // whether a row is of another contest
				return func(row []string) bool { return row[column] != name }
			}
			onEachStore(t, func(t *testing.T, boards board.Store, now *clock) {
				m := &moments{start: start, events: slices.DeleteFunc(slices.Clone(events), isOther(1))}
				now.set(start.Add(24 * time.Hour))
				m.contest = openContests(t, boards, slices.DeleteFunc(slices.Clone(final), isOther(0)))[name]
				m.runs = runsOf(t, all, name)
				m.play(t)
				t.Logf("%s: %d moments, %d rows of two boards compared with the runs", name, m.compared, m.rows)
			})
		})
	}
}

// moments is a contest that is being played.
type moments struct {
	*contest
	start          time.Time
	events         [][]string // those that are not submitted yet
	runs           []run
	compared, rows int
}

// play submits the events in order of time, and compares the boards after every run, or after every 20th in short tests.
func (m *moments) play(t *testing.T) {
	step := 1
	if invariants.Enabled || testing.Short() {
		step = 20
	}
	for i, r := range m.runs {
		for len(m.events) > 0 && !parseTime(t, m.events[0][0]).After(r.at) {
			e := m.events[0]
			m.submit(t, e[2], parseInt(t, e[3]), parseInt(t, e[4]), parseTime(t, e[0]))
			m.events = m.events[1:]
		}
		if last := i == len(m.runs)-1; last || i%step == 0 && !m.runs[i+1].at.Equal(r.at) {
			m.compare(t, scoreboard(m.teams, m.runs[:i+1], m.start), r.at)
		}
	}
	require.Empty(t, m.events)
}

// compare compares both boards with a scoreboard, ranks and order.
func (m *moments) compare(t *testing.T, want []standing, at time.Time) {
	m.compared++
	byTime := mustTop(t, mustLive(t, m.byTime, "all").By(board.Competition))
	byColumn := mustTop(t, mustLive(t, m.byColumn, "all"))
	require.Len(t, byTime, len(want))
	require.Len(t, byColumn, len(want))
	for i, w := range want {
		got := byTime[i]
		if got.Member != w.team || got.Rank != w.rank || got.Score != board.Ints(w.solved, w.penalty) {
			t.Fatalf("%s, at %s: place %d: %+v, want %+v", m.name, at, i+1, got, w)
		}
	}
	slices.SortStableFunc(want, func(a, b standing) int { // byColumn orders full ties by the team's name
		return cmp.Or(cmp.Compare(b.solved, a.solved), cmp.Compare(a.penalty, b.penalty), cmp.Compare(a.last, b.last), cmp.Compare(a.team, b.team))
	})
	for i, w := range want {
		got := byColumn[i]
		if got.Member != w.team || got.Rank != i+1 || got.Score != board.Ints(w.solved, w.penalty, w.last) {
			t.Fatalf("%s, at %s: place %d by the column: %+v, want %+v", m.name, at, i+1, got, w)
		}
	}
	m.rows += len(byTime) + len(byColumn)
}
