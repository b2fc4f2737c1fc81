package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/rdb"
)

// dailyMember is a member of a daily key.
type dailyMember struct {
	name   string
	points int64
	at     time.Time
}

// dailies are the members of some days, among them equals in points, and in points and time.
func dailies(today time.Time, days int) map[string][]dailyMember {
	all := map[string][]dailyMember{}
	for d := range days {
		day := today.AddDate(0, 0, -d)
		var list []dailyMember
		for i := range 30 {
			list = append(list, dailyMember{fmt.Sprintf("p%02d", i), int64(i * 7 % 5), day.Add(time.Duration(i*31%11) * time.Second)})
		}
		all[day.Format(time.DateOnly)] = list
	}
	return all
}

// pack is the score of the usual trick: more points are better, and of equals the earlier time.
func (m dailyMember) pack() float64 { return float64(m.points)*(1<<32) + float64(1<<32-1-m.at.Unix()) }

// writeSets writes a file with sorted sets, whose members are in any order.
func writeSets(t *testing.T, path string, sets map[string]map[string]float64) string {
	t.Helper()
	var b bytes.Buffer
	f, err := rdb.NewWriter(&b, rdb.WriteOptions{})
	require.NoError(t, err)
	for _, key := range slices.Sorted(func(yield func(string) bool) {
		for key := range sets {
			if !yield(key) {
				return
			}
		}
	}) {
		var names []string
		for m := range sets[key] {
			names = append(names, m)
		}
		slices.SortFunc(names, func(a, b string) int {
			return cmp.Or(cmp.Compare(sets[key][b], sets[key][a]), cmp.Compare(b, a))
		})
		require.NoError(t, f.SortedSet([]byte(key), time.Time{}, len(names), func(yield func([]byte, float64) bool) {
			for _, m := range names {
				if !yield([]byte(m), sets[key][m]) {
					return
				}
			}
		}))
	}
	require.NoError(t, f.String([]byte("config"), time.Time{}, []byte("x")))
	require.NoError(t, f.Close())
	return write(t, path, b.String())
}

const arenaMap = `[{"key": "lb:daily:{period}", "board": "arena", "window": "day", "score": "points * 2^32 + (2^32 - 1 - time)"},
	{"key": "lb:week:{week}", "board": "arena", "window": "week"}, {"key": "lb:all", "board": "arena", "window": "all"}]`

// TestImportMap takes a usual setup from Redis: daily keys of packed scores, a weekly union, and one of all time. The boards rank as Redis has ranked, and closed periods are closed.
func TestImportMap(t *testing.T) {
	tmp := t.TempDir()
	now := time.Now().UTC()
	today := now.Truncate(24 * time.Hour)
	if now.Sub(today) < time.Minute { // members of today are up to ten seconds old
		today = today.AddDate(0, 0, -1)
	}
	year, week := today.ISOWeek()
	sets := map[string]map[string]float64{"lb:all": {"ada": 10, "bea": 10, "cy": 3}, fmt.Sprintf("lb:week:%d%02d", year, week): {"ada": 4, "bea": 5}, "plain": {"x": 1.5}}
	days := dailies(today, 4)
	for day, list := range days {
		sets["lb:daily:"+day] = map[string]float64{}
		for _, m := range list {
			sets["lb:daily:"+day][m.name] = m.pack()
		}
	}
	file, dir := writeSets(t, filepath.Join(tmp, "dump.rdb"), sets), filepath.Join(tmp, "data")
	spec := write(t, filepath.Join(tmp, "spec.json"), `{"name": "arena", "windows": ["all", "day", "week"]}`)
	rules := write(t, filepath.Join(tmp, "map.json"), arenaMap)
	args := []string{"import", "--dir", dir, "--map", rules, "--spec", spec}
	dry := must(t, append(args, "--dry-run", file)...)
	require.Regexp(t, `would become 4 periods of arena/day, (3|4) closed +4 +120 +lb:daily:`, dry)
	require.Regexp(t, `would become 1 period of arena/week.* +1 +2`, dry)
	require.Regexp(t, `zset +would be imported +1 +1 +plain`, dry)
	require.NoDirExists(t, dir)
	require.Regexp(t, `became 4 periods of arena/day`, must(t, append(args, file)...))

	for day, list := range days {
		slices.SortFunc(list, func(a, b dailyMember) int { // ZREVRANGE
			return -cmp.Or(cmp.Compare(a.pack(), b.pack()), cmp.Compare(a.name, b.name))
		})
		var want []string
		for i, m := range list {
			want = append(want, fmt.Sprintf("%d,%s,%d", i+1, m.name, m.points))
		}
		top := must(t, "top", "--dir", dir, "--window", "day", "--period", day, "-n", "100", "--format", "csv", "arena")
		require.Equal(t, want, strings.Split(strings.TrimSpace(columns(top)), "\n")[1:], top)
	}
	periods := must(t, "periods", "--dir", dir, "--window", "day", "--format", "json", "arena")
	require.Equal(t, 3, strings.Count(periods, `"state":"closed"`)+strings.Count(periods, `"state":"late"`)-boolToInt(!today.Equal(now.Truncate(24*time.Hour))), periods)
	require.Contains(t, columns(must(t, "top", "--dir", dir, "--format", "csv", "arena")), "1,bea,10\n2,ada,10\n3,cy,3\n")
	require.Contains(t, must(t, "check", "--dir", dir), "none")
	require.Contains(t, must(t, "export", "--dir", dir, filepath.Join(tmp, "out.rdb")), "sets of boards")
	fails(t, 1, "there is a board of that name", append(args, file)...)
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestImportMapRefuses: what does not become an entry is named with its reason, and stops the import unless it is to be left out.
func TestImportMapRefuses(t *testing.T) {
	tmp := t.TempDir()
	old := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	good := dailyMember{"good", 5, old}.pack()
	sets := map[string]map[string]float64{
		"lb:daily:2026-11-20": {"good": good, "other day": dailyMember{"", 5, old.AddDate(0, 0, 1)}.pack(), "half": good + 0.5, "": good, "huge": math.Inf(1)},
		"lb:daily:2026-13-20": {"a": good}, "lb:daily:2999-11-20": {"a": dailyMember{"", 1, time.Date(2999, 11, 20, 1, 0, 0, 0, time.UTC)}.pack()}, "lb:week:202647": {"a": 1}, "lb:week:2026-47": {"a": 1},
		"lb:ever": {"a": good, "future": dailyMember{"", 1, time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)}.pack()},
	}
	file, dir := writeSets(t, filepath.Join(tmp, "dump.rdb"), sets), filepath.Join(tmp, "data")
	spec := write(t, filepath.Join(tmp, "spec.json"), `[{"name": "arena", "windows": ["all", "day", "week"]}, {"name": "ever"}]`)
	rules := write(t, filepath.Join(tmp, "map.json"), strings.Replace(arenaMap, "[", `[{"key": "lb:ever", "board": "ever", "score": "points * 2^32 + (2^32 - 1 - time)"},`, 1))
	args := []string{"import", "--dir", dir, "--map", rules, "--spec", spec}
	fails(t, 1, "are refused, such as", append(args, file)...)
	require.NoDirExists(t, dir)
	dry := zrank(nil, append(args, "--dry-run", file)...) // ends as the import does
	require.Equal(t, 1, dry.code)
	require.Contains(t, dry.out, "refused: the score is not an integer")
	require.Contains(t, dry.errs, "without --dry-run nothing would be stored")
	require.Contains(t, must(t, append(args, "--dry-run", "--partial", file)...), "refused: the score is not an integer")
	require.NoDirExists(t, dir)
	var lines []map[string]any
	for _, line := range strings.Split(strings.TrimSpace(must(t, append(args, "--partial", "--format", "json", file)...)), "\n") {
		var v map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &v))
		lines = append(lines, v)
	}
	text := fmt.Sprint(lines)
	for _, why := range []string{"the score is not an integer", "the score is beyond 2^53", "the time in the score has not come yet", "the time in the score is not in the period", "the key names no period of arena/day",
		"another key has become this period, or it has not begun", "board: member"} {
		require.Contains(t, text, "refused: "+why)
	}
	require.Equal(t, "rank,member,score\n1,good,5\n", columns(must(t, "top", "--dir", dir, "--window", "day", "--period", "2026-11-20", "--format", "csv", "arena")))
}

// TestImportMapNames: {name} of a key makes a board for each name, and a key without a period becomes the one period of an event or a single season.
func TestImportMapNames(t *testing.T) {
	tmp := t.TempDir()
	sets := map[string]map[string]float64{"star:a:2026-11-20": {"ada": 5}, "star:a:2026-11-21": {"ada": 6}, "star:b:2026-11-20": {"bea": 7}, "cup": {"cy": 3}, "one": {"dan": 4}}
	file, dir := writeSets(t, filepath.Join(tmp, "dump.rdb"), sets), filepath.Join(tmp, "data")
	spec := write(t, filepath.Join(tmp, "spec.json"), `[{"name": "stars/{name}", "windows": ["day"]}, {"name": "cup", "windows": [{"kind": "event", "seasons": [{"start": "2026-01-01", "end": "2026-02-01"}]}]},
		{"name": "one", "windows": [{"kind": "seasons", "seasons": [{"name": "s1", "start": "2026-01-01", "end": "2026-02-01"}]}]}]`)
	rules := write(t, filepath.Join(tmp, "map.json"), `[{"key": "star:{name}:{period}", "board": "stars/{name}"}, {"key": "cup", "board": "cup"}, {"key": "one", "board": "one"}]`)
	args := []string{"import", "--dir", dir, "--map", rules, "--spec", spec}
	require.Regexp(t, `would become 3 periods of stars/\{name\}/day, 2 boards, 3 closed +3 +3`, must(t, append(args, "--dry-run", file)...))
	must(t, append(args, file)...)
	top := func(args ...string) string {
		return columns(must(t, append([]string{"top", "--dir", dir, "--format", "csv"}, args...)...))
	}
	require.Equal(t, "rank,member,score\n1,ada,6\n", top("--period", "2026-11-21", "stars/a"))
	require.Equal(t, "rank,member,score\n1,bea,7\n", top("--period", "2026-11-20", "stars/b"))
	require.Equal(t, "rank,member,score\n1,cy,3\n", top("--period", "event", "cup"))
	require.Equal(t, "rank,member,score\n1,dan,4\n", top("--period", "s1", "one"))
	fails(t, 1, "no such board", "top", "--dir", dir, "stars/{name}")

	sets["star:\xff:2026-11-20"] = map[string]float64{"ada": 5}
	r := zrank(nil, "import", "--dir", dir+"2", "--map", rules, "--spec", spec, "--dry-run", writeSets(t, file, sets))
	require.Equal(t, 1, r.code)
	require.Contains(t, r.out, "refused: no board can be called so")
}

// TestImportMapWithoutTime: scores whose time has lost digits are refused with what they may be, or taken without the time, in the order in which Redis has them.
func TestImportMapWithoutTime(t *testing.T) {
	tmp := t.TempDir()
	sets := map[string]map[string]float64{"big": {"ada": 5e6*(1<<32) + 100, "bea": 5e6*(1<<32) + 10_000, "cy": 6e6*(1<<32) + 100}, "half": {"dan": 1073741823.17}}
	file, dir := writeSets(t, filepath.Join(tmp, "dump.rdb"), sets), filepath.Join(tmp, "data")
	spec := write(t, filepath.Join(tmp, "spec.json"), `[{"name": "big"}, {"name": "half"}]`)
	mapped := func(more string) []string {
		return []string{"import", "--dir", dir, "--map", write(t, filepath.Join(tmp, "map.json"), `[{"key": "big", "board": "big", "score": "points * 2^32 + time"`+more+`},
			{"key": "half", "board": "half", "score": "points + time / 10^10"`+more+`}]`), "--spec", spec, file}
	}
	r := zrank(nil, append(mapped(""), "--dry-run")...)
	require.Equal(t, 1, r.code)
	require.Contains(t, r.out, `refused: the score is beyond 2^53, where float64 has lost digits of it; "withoutTime": true in the rule takes the points only`)
	require.Contains(t, r.out, `"dan" has 1.07374182317e+09: 1073741823 points at `)
	require.NotContains(t, must(t, mapped(`, "withoutTime": true`)...), "reached")
	require.Equal(t, "rank,member,score\n1,cy,6000000\n2,bea,5000000\n3,ada,5000000\n", columns(must(t, "top", "--dir", dir, "--format", "csv", "big")))
	require.Equal(t, "rank,member,score\n1,dan,1073741823\n", columns(must(t, "top", "--dir", dir, "--format", "csv", "half")))
}

// columns returns rank, member and score of CSV.
func columns(text string) string {
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		b.WriteString(strings.Join(strings.Split(line, ",")[3:6], ",") + "\n")
	}
	return b.String()
}

func TestImportMapMistakes(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	file := writeSets(t, filepath.Join(tmp, "dump.rdb"), map[string]map[string]float64{"k": {"a": 1}})
	spec := write(t, filepath.Join(tmp, "spec.json"), `[{"name": "arena", "windows": ["day"]}, {"name": "two", "columns": [{"name": "a"}, {"name": "b"}]}, {"name": "j", "journal": 5}]`)
	rule := func(text string) string { return write(t, filepath.Join(tmp, "map.json"), "["+text+"]") }
	fails(t, 2, "--map and --spec belong together", "import", "--dir", dir, "--map", rule(`{}`), file)
	fails(t, 2, "--map reads the file twice", "import", "--dir", dir, "--map", rule(`{}`), "--spec", spec, "-")
	for text, why := range map[string]string{
		`{}`: "board is missing", `{"key": "k", "board": "none"}`: `no spec of the board "none"`, `{"key": "k", "board": "two"}`: "has 2 columns", `{"key": "k", "board": "arena", "window": "all"}`: "no such window",
		`{"key": "k", "board": "arena"}`: "names no period", `{"key": "k", "board": "j"}`: "journal", `{"key": "k{unix}", "board": "arena", "score": "x"}`: "want points first",
	} {
		fails(t, 1, why, "import", "--dir", dir, "--map", rule(text), "--spec", spec, file)
	}
	require.NoDirExists(t, dir)
}
