package board

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// contests are the boards of the seven contests. Every team of the final tables starts with nothing.
func contests(t *testing.T, final [][]string) map[string]*Board {
	e := newMemory(t)
	boards := map[string]*Board{}
	var subs []scored
	for _, row := range final {
		if boards[row[0]] == nil {
			boards[row[0]] = mustOpen(t, e, Spec{Name: row[0], Op: Sum})
		}
		subs = append(subs, scored{boards[row[0]], Submission{Member: row[1], At: time.Unix(0, 0)}})
	}
	events := readData(t, "icpcwf/events.csv.gz", "[time board member delta_solved delta_penalty_min]")
	require.Len(t, events, 4573)
	for _, row := range events {
		score := parseScore(t, row[3])*100_000 - parseScore(t, row[4])
		subs = append(subs, scored{boards[row[1]], Submission{row[2], score, parseTime(t, row[0])}})
	}
	submitAll(t, e, subs)
	return boards
}

// TestContests compares every place of the official tables. Their last tie goes to the earlier last accepted solution, which
// is FirstToReach over a sum.
func TestContests(t *testing.T) {
	final := readData(t, "icpcwf/final.csv.gz", "[board member solved penalty_min last_ac_time rank rank_last_ac]")
	require.Len(t, final, 926)
	boards := contests(t, final)
	assert.Len(t, boards, 7)
	equals := map[[2]string]int{} // by board and place: teams that even the last tie leaves equal share one, 1224
	for _, row := range final {
		equals[[2]string{row[0], row[6]}]++
	}
	for _, row := range final {
		got, ok, err := all(t, boards[row[0]]).Rank(row[1])
		require.NoError(t, err)
		require.True(t, ok, row)
		assert.Equal(t, parseScore(t, row[2])*100_000-parseScore(t, row[3]), got.Score, row)
		want, shared := int(parseScore(t, row[6])), equals[[2]string{row[0], row[6]}]
		assert.True(t, want <= got.Rank && got.Rank < want+shared, "%v: is number %d", row, got.Rank)
	}
	places := 0
	for _, b := range boards {
		n, err := all(t, b).Len()
		require.NoError(t, err)
		places += n
	}
	assert.Equal(t, len(final), places)
	for name, winner := range map[string]string{
		"wf2018": "Moscow State University", "wf2022": "Peking University", "wf2024": "Peking University",
	} {
		rows, err := all(t, boards[name]).Top(1)
		require.NoError(t, err)
		assert.Equal(t, winner, rows[0].Member, name)
	}
}
