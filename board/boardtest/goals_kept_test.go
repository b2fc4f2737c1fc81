package boardtest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/invariants"
)

// seasonOf is the key of a table of goals: those of a tournament in a year.
type seasonOf struct{ year, board string }

// goalTables counts the goals of each tournament in each year, from the file. The members of a table are in its order: by goals, and equals by
// who has reached them first.
func goalTables(rows [][]string) (tables map[seasonOf][]string, goals map[seasonOf]map[string]int64) {
	last := map[seasonOf]map[string]int{}
	tables, goals = map[seasonOf][]string{}, map[seasonOf]map[string]int64{}
	for i, row := range rows {
		at, member := seasonOf{row[0][:4], row[1]}, row[2]
		if goals[at] == nil {
			goals[at], last[at] = map[string]int64{}, map[string]int{}
		}
		if goals[at][member] == 0 {
			tables[at] = append(tables[at], member)
		}
		goals[at][member]++
		last[at][member] = i
	}
	for at, members := range tables {
		slices.SortFunc(members, func(a, b string) int {
			return cmp.Or(-cmp.Compare(goals[at][a], goals[at][b]), cmp.Compare(last[at][a], last[at][b]))
		})
	}
	return tables, goals
}

// medalPoints are what the first places of a table are worth.
var medalPoints = []int64{12, 6, 4, 3, 2}

// countBack is a spec whose scores are numbers of first places, second places and so on. Points, which decide first, are computed of them.
func countBack() board.Spec {
	none, many := board.Int(0), board.Int(127)
	points := board.Column{Name: "points", Of: map[string]board.Value{}}
	columns := []board.Column{points}
	for i, worth := range medalPoints {
		name := fmt.Sprint("place", i+1)
		points.Of[name] = board.Int(worth)
		columns = append(columns, board.Column{Name: name, Min: &none, Max: &many})
	}
	return board.Spec{Name: "countback", Op: board.Sum, Ties: board.ByMember, Columns: columns}
}

// TestGoalsCountBack ranks scorers by the places they had in the years of the tournaments, with places from closed periods, and compares the
// ranking with one that is computed from the file alone.
func TestGoalsCountBack(t *testing.T) {
	if invariants.Enabled {
		t.Skip("takes long with invariants")
	}
	boards, now := openMemory(t)
	s := playGoals(t, boards, now, false)
	b := mustDefine(t, s.boards, countBack())
	for name, tournament := range s.board {
		if name == everything {
			continue
		}
		periods, err := tournament.Periods(t.Context(), "year")
		require.NoError(t, err)
		for _, p := range periods {
			year, err := tournament.Period(t.Context(), "year", p.Period)
			require.NoError(t, err)
			rows, err := year.Top(t.Context(), len(medalPoints))
			require.NoError(t, err)
			for i, row := range rows {
				values := make([]int64, len(medalPoints))
				values[i] = 1
				_, err := b.Submit(t.Context(), board.Submission{Member: row.Member, Score: board.Ints(values...), At: p.End})
				require.NoError(t, err)
			}
		}
	}

	type total struct {
		member string
		places []int64 // the points first
	}
	places := map[string][]int64{}
	tables, _ := goalTables(s.rows)
	for _, members := range tables {
		for i, member := range members[:min(len(medalPoints), len(members))] {
			if places[member] == nil {
				places[member] = make([]int64, 1+len(medalPoints))
			}
			places[member][0] += medalPoints[i]
			places[member][1+i]++
		}
	}
	var want []total
	for member, p := range places {
		want = append(want, total{member, p})
	}
	slices.SortFunc(want, func(a, b total) int {
		return cmp.Or(-slices.Compare(a.places, b.places), cmp.Compare(a.member, b.member))
	})
	rows := mustTop(t, mustLive(t, b, "all"))
	require.Len(t, rows, len(want))
	for i, row := range rows {
		require.Equal(t, want[i].member, row.Member, "place %d", i+1)
		require.Equal(t, board.Ints(want[i].places...), row.Score, row.Member)
	}
	t.Logf("%d members, %s first with %v", len(rows), rows[0].Member, rows[0].Score)
}

// keptOf are the sums of a member's yearly results that the operators which keep results should give, computed from all of them.
var keptOf = map[board.Op]func(results []int64, k int) int64{
	board.BestOf: func(results []int64, k int) int64 {
		slices.SortFunc(results, func(a, b int64) int { return cmp.Compare(b, a) })
		return sum(results[:min(k, len(results))])
	},
	board.LastOf: func(results []int64, k int) int64 { return sum(results[max(0, len(results)-k):]) },
	board.DropWorst: func(results []int64, k int) int64 {
		slices.Sort(results)
		return sum(results[min(k, len(results)):])
	},
}

func sum(values []int64) (total int64) {
	for _, v := range values {
		total += v
	}
	return total
}

// TestGoalsKept submits each member's goals of each year, the years in any order, to boards that add up the best three years, the last three, and all
// but the worst two.
func TestGoalsKept(t *testing.T) {
	rows := readData(t, "goals/goals.csv.gz", "[time board member delta]")
	years := map[string]map[int]int64{}
	for _, row := range rows {
		if years[row[2]] == nil {
			years[row[2]] = map[int]int64{}
		}
		years[row[2]][int(parseInt(t, row[0][:4]))]++
	}
	var all []board.Submission
	results := map[string][]int64{} // by year
	for _, row := range rows {
		member := row[2]
		if invariants.Enabled && len(years[member]) < 6 || results[member] != nil {
			continue
		}
		for year := 1916; year <= 2026; year++ {
			if n := years[member][year]; n > 0 {
				results[member] = append(results[member], n)
				all = append(all, board.Submission{Member: member, Score: board.Ints(n), At: time.Date(year, 12, 31, 0, 0, 0, 0, time.UTC)})
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	boards, now := openMemory(t)
	now.set(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
	for op, of := range keptOf {
		k := map[board.Op]int{board.BestOf: 3, board.LastOf: 3, board.DropWorst: 2}[op]
		b := mustDefine(t, boards, board.Spec{Name: string(op), Op: op, K: k})
		for _, s := range all {
			_, err := b.Submit(t.Context(), s)
			require.NoError(t, err)
		}
		got := mustTop(t, mustLive(t, b, "all"))
		require.Len(t, got, len(results))
		for _, row := range got {
			require.Equal(t, board.Ints(of(slices.Clone(results[row.Member]), k)), row.Score, "%s of %s: %v", op, row.Member, results[row.Member])
		}
	}
}

// TestGoalsRolling plays all goals into a window of a rolling year. Now and then, and at the microsecond at which goals leave, its ranking is compared
// with one that is computed from the file.
func TestGoalsRolling(t *testing.T) {
	const span = 365 * 24 * time.Hour
	rows := readData(t, "goals/goals.csv.gz", "[time board member delta]")
	if invariants.Enabled {
		rows = rows[:2000]
	}
	times := make([]time.Time, len(rows))
	for i, row := range rows {
		times[i] = parseTime(t, row[0])
	}
	boards, now := openMemory(t)
	now.set(times[0])
	b := mustDefine(t, boards, board.Spec{Name: "rolling", Op: board.Sum, Windows: []board.Window{board.Rolling("year", span)}})
	rng := rand.New(rand.NewPCG(3, 4))
	compared := 0
	compare := func(next int, at time.Time) {
		now.set(at)
		want := map[string]int64{}
		for i := next - 1; i >= 0 && at.Sub(times[i]) < span; i-- {
			want[rows[i][2]]++
		}
		got := mustTop(t, mustLive(t, b, "year"))
		require.Len(t, got, len(want), "%s", at)
		for i, row := range got {
			require.Equal(t, board.Ints(want[row.Member]), row.Score, "%s at %s", row.Member, at)
			require.True(t, i == 0 || int64(row.Score.At(0).Float()) <= int64(got[i-1].Score.At(0).Float()), "place %d at %s", i+1, at)
		}
		compared++
	}
	first := 0 // the first goal that is in the window
	for i, row := range rows {
		if i > 0 && rng.IntN(100) == 0 {
			for first < i && !times[first].Add(span).After(times[i-1]) {
				first++
			}
			if leaves := times[first].Add(span); leaves.Before(times[i]) {
				compare(i, leaves.Add(-time.Microsecond))
				compare(i, leaves)
			}
			if before := times[i].Add(-time.Microsecond); before.After(now.now()) {
				compare(i, before)
			}
		}
		now.set(times[i])
		_, err := b.Submit(t.Context(), board.Submission{Member: row[2], Score: board.Ints(1)})
		require.NoError(t, err)
	}
	for i := len(rows) - 300; i < len(rows); i += 30 {
		if leaves := times[i].Add(span); leaves.After(now.now()) {
			compare(len(rows), leaves.Add(-time.Microsecond))
			compare(len(rows), leaves)
		}
	}
	assert.Greater(t, compared, 10)
	t.Logf("%d goals, compared %d times", len(rows), compared)
}
