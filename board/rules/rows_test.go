package rules_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/rules"
)

// row is a list of submissions and the resulting ranking, both written as member:columns@time. A submission that is refused has ! and
// the reason at its end.
type row struct {
	name    string
	columns string // name-order-kind-op for each column; trailing parts may be missing
	op      rules.Op
	ties    rules.Ties
	subs    string
	want    string
}

const (
	first  = rules.FirstToReach
	last   = rules.LastToReach
	member = rules.ByMember
)

var reasons = map[string]error{"bounds": rules.ErrBounds, "overflow": rules.ErrOverflow, "kind": rules.ErrKind,
	"columns": rules.ErrColumns, "finite": rules.ErrNotFinite}

// rows are tests of the rules. Most of them are defects of other leaderboards.
var rows = []row{
	{"Nakama: best mixes columns", "score x", rules.Best, first, "b:100,5@1 b:50,99@2 a:100,6@3", "a:100,6@3 b:100,5@1"},
	{"Nakama: best mixes columns, ascending", "score-asc x-asc", rules.Best, first, "b:5,100@1 b:99,50@2 b:5,99@3", "b:5,99@3"},
	{"Nakama: score adds while time replaces", "score time-asc-int64-last", rules.Sum, first,
		"b:5,90@1 a:9,70@2 b:4,80@3", "a:9,70@2 b:9,80@3"},
	{"ICPC: solved adds, penalty adds, last accept is the latest", "solved penalty-asc last-asc-int64-max", rules.Sum, first,
		"b:1,20,20@20 a:1,30,30@30 b:1,60,60@60 a:1,50,50@50", "a:2,80,50@50 b:2,80,60@60"},
	{"FDB 776: MinInt64, descending", "score", rules.Best, first,
		"a:-9223372036854775808@1 b:9223372036854775807@2 c:0@3 d:-9223372036854775807@4",
		"b:9223372036854775807@2 c:0@3 d:-9223372036854775807@4 a:-9223372036854775808@1"},
	{"FDB 776: MinInt64 in a further column", "score x", rules.Best, first,
		"a:1,-9223372036854775808@1 b:1,9223372036854775807@2 c:1,0@3",
		"b:1,9223372036854775807@2 c:1,0@3 a:1,-9223372036854775808@1"},
	{"MinInt64, ascending", "score-asc", rules.Best, first,
		"a:9223372036854775807@1 b:-9223372036854775808@2 c:-1@3", "b:-9223372036854775808@2 c:-1@3 a:9223372036854775807@1"},
	{"seed 4, Nakama 384: adding 0", "score", rules.Sum, first, "b:10@1 a:10@2 b:0@3", "b:10@1 a:10@2"},
	{"seed 4: adding 0, last to reach", "score", rules.Sum, last, "b:10@2 a:10@1 a:0@3", "b:10@2 a:10@1"},
	{"agoragames 53: a first score of 0", "score", rules.Sum, first, "b:0@1 a:-1@2", "b:0@1 a:-1@2"},
	{"Nakama: negative scores", "score", rules.Sum, first, "b:-2@1 a:-1@2 b:-1@3", "a:-1@2 b:-3@3"},
	{"Nakama: taking away undoes giving", "score", rules.Sum, first, "b:3@1 b:-5@2 b:5@3", "b:3@3"},
	{"seeds 1 and 4: no time in the score, 2^33", "score", rules.Best, first,
		"b:8589934593@9 a:8589934593@8 c:8589934592@1", "a:8589934593@8 b:8589934593@9 c:8589934592@1"},
	{"2^53: every int64 is exact", "score", rules.Best, first,
		"a:9007199254740992@1 b:9007199254740993@2 c:-9007199254740993@3 d:-9007199254740992@4",
		"b:9007199254740993@2 a:9007199254740992@1 d:-9007199254740992@4 c:-9007199254740993@3"},
	{"2^53: sums too", "score", rules.Sum, first, "a:9007199254740992@1 a:1@2 b:9007199254740992@3", "a:9007199254740993@2 b:9007199254740992@3"},
	{"2^53: a float64 column takes no int64 that it would round", "score-desc-float64", rules.Best, first,
		"a:9007199254740993@1!kind a:9007199254740992@2 a:9223372036854775807@3!kind b:-9223372036854775808@4",
		"a:9007199254740992.0@2 b:-9223372036854776000.0@4"},
	{"an int64 column takes a float64 that is whole and exact", "score", rules.Best, first, "a:5.5@1!kind a:9007199254740992e0@1!kind a:5.0@2 b:-4e0@3", "a:5@2 b:-4@3"},
	{"0 and -0 are equal", "score-desc-float64", rules.Best, first, "b:0.0@1 a:-0.0@2 b:-0.0@3", "b:0.0@1 a:0.0@2"},
	{"denormals", "score-asc-float64", rules.Best, first, "a:5e-324@1 b:-5e-324@2 c:0@3 d:1e-323@4", "b:-5e-324@2 c:0.0@3 a:5e-324@1 d:1e-323@4"},
	{"a sum overflows", "score", rules.Sum, first, "a:9223372036854775807@1 a:1@2!overflow a:-1@3", "a:9223372036854775806@3"},
	{"a sum overflows below", "score", rules.Sum, first, "a:-9223372036854775808@1 a:-1@2!overflow", "a:-9223372036854775808@1"},
	{"a sum of float64 overflows", "score-desc-float64", rules.Sum, first, "a:1.5e308@1 a:1.5e308@2!overflow", "a:1.5e+308@1"},
	{"a float64 sum that rounding leaves alone", "score-desc-float64", rules.Sum, first, "b:1e16@1 a:1e16@2 b:1.0@3",
		"b:10000000000000000.0@1 a:10000000000000000.0@2"},
	{"wrong columns", "score x", rules.Sum, first, "a:1@1!columns a:1,2,3@2!columns a:1,2,3,4,5@3!columns a:1,2@4", "a:1,2@4"},

	{"late: an equal result that happened earlier counts from then", "score", rules.Best, first, "b:5@5 a:5@4 b:5@3", "b:5@3 a:5@4"},
	{"late: a lower result that happened earlier does not", "score", rules.Best, first, "b:5@5 a:5@4 b:4@3", "a:5@4 b:5@5"},
	{"later: an equal result changes nothing", "score", rules.Best, first, "b:5@1 a:5@2 b:5@3", "b:5@1 a:5@2"},
	{"later: an equal result changes nothing, last to reach", "score", rules.Best, last, "b:5@1 a:5@2 b:5@3", "a:5@2 b:5@1"},
	{"late: an equal result changes nothing, last to reach", "score", rules.Best, last, "b:5@5 a:5@4 b:5@3", "b:5@5 a:5@4"},
	{"late: last keeps the newer", "score", rules.Last, first, "b:9@5 a:5@6 b:5@2", "b:9@5 a:5@6"},
	{"late: last keeps the newer, which repeated the score", "score", rules.Last, first, "b:5@1 b:5@4 b:9@3 a:5@2", "b:5@1 a:5@2"},
	{"late: last, by member too", "score", rules.Last, member, "b:5@4 b:9@3 b:7@4", "b:7@0"},
	{"late: last, equal", "score", rules.Last, first, "b:5@5 a:5@4 b:5@3", "a:5@4 b:5@5"},
	{"the same moment: last takes what arrives last", "score", rules.Last, first, "b:5@1 b:4@1", "b:4@1"},
	{"late: first takes the older", "score", rules.First, first, "b:5@5 a:5@4 b:5@3 b:9@1 b:7@2", "b:9@1 a:5@4"},
	{"late: first takes the older, last to reach: an equal one does not move it", "score", rules.First, last, "b:5@5 a:5@4 b:5@3 b:9@4", "b:5@5 a:5@4"},
	{"the same moment: first keeps what arrived first", "score", rules.First, first, "b:5@1 b:4@1", "b:5@1"},
	{"late: a column of the last, beside a sum", "score level-desc-int64-last", rules.Sum, first, "b:1,7@1 b:0,7@5 b:2,9@3 a:3,7@2", "a:3,7@2 b:3,7@3"},
	{"late: a column of the first, beside a sum", "score level-desc-int64-first", rules.Sum, first, "b:1,7@5 b:1,8@6 b:1,9@4", "b:3,9@6"},
	{"late: a sum is not made older", "score", rules.Sum, first, "b:5@7 a:10@6 b:5@2", "a:10@6 b:10@7"},
	{"late: a sum is reached when the latest part happened", "score", rules.Sum, first, "b:5@5 a:10@6 b:5@2", "b:10@5 a:10@6"},
	{"late: the maximum of one submission", "score x", rules.Max, first, "b:5,5@9 a:5,5@4 b:5,5@3", "b:5,5@3 a:5,5@4"},
	{"late: the maximum of two submissions", "score x", rules.Max, first, "b:5,1@9 a:5,5@4 b:1,5@3", "a:5,5@4 b:5,5@9"},
	{"late: the minimum of one submission after those of two", "score x", rules.Min, first, "b:1,5@9 b:5,1@2 a:1,1@4 b:1,1@3", "b:1,1@3 a:1,1@4"},
	{"the same moment: who arrived earlier", "score", rules.Best, first, "b:5@1 a:5@1", "b:5@1 a:5@1"},
	{"the same moment: who arrived later", "score", rules.Best, last, "a:5@1 b:5@1", "b:5@1 a:5@1"},
	{"by member no time counts", "score", rules.Best, member, "b:5@1 a:5@2", "a:5@0 b:5@0"},
	{"before 1970", "score", rules.Best, first, "b:5@-1 a:5@-2 c:5@0", "a:5@-2 b:5@-1 c:5@0"},
	{"minimum and maximum, whatever the order", "low-desc-int64-min high-asc-int64-max", rules.Max, first, "a:5,5@1 a:3,3@2 a:9,9@3", "a:3,9@3"},
	{"down and up again: the place is lost", "score", rules.Last, first, "b:5@1 a:5@2 b:4@3 b:5@4", "a:5@2 b:5@4"},
}

// rulesOf returns the rules of a row.
func rulesOf(t *testing.T, text string, op rules.Op, ties rules.Ties) *rules.Rules {
	var columns []rules.Column
	for _, word := range strings.Fields(text) {
		part := append(strings.Split(word, "-"), "", "", "")
		columns = append(columns, rules.Column{Name: part[0], Order: rules.Order(part[1]), Kind: rules.ColumnKind(part[2]), Op: rules.Op(part[3])})
	}
	r, err := rules.New(columns, op, ties)
	require.NoError(t, err)
	return r
}

// parse reads one submission of a row. reason is nil if the submission is accepted.
func parse(t *testing.T, word string) (member string, sub rules.Entry, reason error) {
	word, reasonText, _ := strings.Cut(word, "!")
	member, rest, _ := strings.Cut(word, ":")
	numbers, at, _ := strings.Cut(rest, "@")
	var values []rules.Value
	for _, number := range strings.Split(numbers, ",") {
		v, err := rules.ParseValue(number)
		require.NoError(t, err, word)
		values = append(values, v)
	}
	reached, err := strconv.ParseInt(at, 10, 64)
	require.NoError(t, err, word)
	return member, rules.Entry{Score: rules.Values(values...), Reached: reached}, reasons[reasonText]
}

// ranking applies a row's submissions and returns the members, best first. It sorts them by their forms, as a set does.
func ranking(t *testing.T, r *rules.Rules, subs string) string {
	entries, times := map[string]rules.Entry{}, map[string][]byte{}
	for i, word := range strings.Fields(subs) {
		member, sub, reason := parse(t, word)
		old, had := entries[member]
		sub.Arrival = uint64(i)
		next, changed, after, err := r.ApplyTimed(old, had, times[member], sub)
		require.ErrorIs(t, err, reason, word)
		times[member] = after
		if changed {
			entries[member] = next
		}
	}
	form := func(member string) []byte {
		score, tie := r.Encode(make([]byte, 8), entries[member])
		for i := range 8 {
			tie[i] = byte((uint64(score) ^ 1<<63) >> (56 - 8*i))
		}
		return append(tie, member...)
	}
	var members, texts []string
	for member := range entries {
		members = append(members, member)
	}
	slices.SortFunc(members, func(a, b string) int { return bytes.Compare(form(a), form(b)) })
	for _, member := range members {
		e := entries[member]
		texts = append(texts, fmt.Sprintf("%s:%s@%d", member, strings.ReplaceAll(e.Score.String(), " ", ","), e.Reached))
	}
	return strings.Join(texts, " ")
}

// TestRows checks the ranking of every row.
func TestRows(t *testing.T) {
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			require.Equal(t, row.want, ranking(t, rulesOf(t, row.columns, row.op, row.ties), row.subs))
		})
	}
	t.Logf("%d rows", len(rows))
}
