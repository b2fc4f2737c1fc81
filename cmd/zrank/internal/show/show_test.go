package show

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// columns is those of most boards.
var columns = Layout{Columns: []string{"score"}}

func row(rank int, member string, score float64) Row {
	return Row{Board: "FIFA World Cup", Window: "year", Period: "2010", Row: board.Row{Rank: rank, Member: member, Score: scoreOf(score)}}
}

// scoreOf is an int64 where it can be.
func scoreOf(v float64) board.Score {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return board.Ints(int64(v))
	}
	return board.Floats(v)
}

func render(t *testing.T, f Format, tables ...[]Row) string {
	t.Helper()
	var b bytes.Buffer
	s := New(&b, f, columns)
	for _, rows := range tables {
		require.NoError(t, s.Write(Title("FIFA World Cup", "year", "2010"), columns.Columns, rows))
	}
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	require.ErrorIs(t, s.Write("", nil, nil), ErrClosed)
	return b.String()
}

func TestTable(t *testing.T) {
	got := render(t, Table, []Row{row(9, "Diego Forlán (Uruguay)", 5), row(10, "大谷 翔平", 1234.5)}, nil)
	require.Equal(t, `FIFA World Cup · year · 2010
 RANK  MEMBER                   SCORE
──────────────────────────────────────
    9  Diego Forlán (Uruguay)       5
   10  大谷 翔平               1234.5

FIFA World Cup · year · 2010
 nobody is ranked here
`, got)
}

// TestTableKeepsItsShape: whatever bytes a member has, its row is one line of the table and as wide as the others.
func TestTableKeepsItsShape(t *testing.T) {
	names := []string{
		"plain", "tab\tbed", "line\nbreak", "\r", "\x1b[31mred\x1b[0m", "del\x7f", "c1\u009b31m", "\u202eturned", "sep\u2028\u2029",
		"bad\xff\xfe", "e\u0301 combining", "Ярослав", "한국어", "ｆｕｌｌ", "\x00", "", "a|b", "%s %d", "<b>", "\u2066iso\u2069",
	}
	rows := []Row{}
	for i, name := range names {
		rows = append(rows, row(i+1, name, float64(i)))
	}
	got := render(t, Table, rows)
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	require.Len(t, lines, len(names)+3)
	for _, line := range append(lines[1:2], lines[3:]...) {
		require.Equal(t, text.StringWidthWithoutEscSequences(lines[1]), text.StringWidthWithoutEscSequences(line), "%q", line)
	}
	require.Equal(t, -1, strings.IndexFunc(strings.ReplaceAll(got, "\n", ""), func(r rune) bool {
		return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
	}))
	require.Contains(t, got, `\x1b[31mred\x1b[0m`)
	require.Contains(t, got, `bad\xff\xfe`)
	require.Contains(t, got, `line\nbreak`)
	require.Contains(t, got, `\u202eturned`)
}

func TestCSV(t *testing.T) {
	got := render(t, CSV, []Row{row(1, `Bo "B", Jr`, 5)}, nil, []Row{row(1, "<é>", -0.001)})
	require.Equal(t, `board,window,period,rank,member,score
FIFA World Cup,year,2010,1,"Bo ""B"", Jr",5
FIFA World Cup,year,2010,1,<é>,-0.001
`, got)
	require.Equal(t, "board,window,period,rank,member,score\n", render(t, CSV))
}

func TestJSON(t *testing.T) {
	got := render(t, JSON, []Row{row(1, "<b>&é", 22), row(2, "\n", 1e21)}, nil, []Row{row(3, "", math.Copysign(0, -1))})
	require.Equal(t, `{"board":"FIFA World Cup","window":"year","period":"2010","rank":1,"member":"<b>&é","score":[22]}
{"board":"FIFA World Cup","window":"year","period":"2010","rank":2,"member":"\n","score":[1e+21]}
{"board":"FIFA World Cup","window":"year","period":"2010","rank":3,"member":"","score":[0]}
`, got)
	require.Empty(t, render(t, JSON))
}

func TestParseFormat(t *testing.T) {
	for _, f := range []Format{Table, CSV, JSON} {
		got, err := ParseFormat(f.String())
		require.NoError(t, err)
		require.Equal(t, f, got)
	}
	_, err := ParseFormat("xml")
	require.EqualError(t, err, `unknown format "xml": choose table, csv or json`)
	require.Equal(t, "Format(9)", Format(9).String())
}

func TestTitle(t *testing.T) {
	require.Equal(t, "arena · all", Title("arena", "all", "all"))
	require.Equal(t, "arena · week · 2026-W47", Title("arena", "week", "2026-W47"))
}

// TestSeveralColumns writes two boards with different columns, and earlier ranks, in each format.
func TestSeveralColumns(t *testing.T) {
	layout := Layout{Columns: []string{"solved", "penalty", "time"}, Was: true}
	contest := []Row{
		{"c", "all", "all", board.Row{Rank: 1, Member: "ann", Score: board.Ints(9, 935)}, 0, 3},
		{"c", "all", "all", board.Row{Rank: 2, Member: "bo", Score: board.Ints(9, 940)}, 0, 2},
		{"c", "all", "all", board.Row{Rank: 3, Member: "cy", Score: board.Ints(8, math.MinInt64)}, 0, 1},
	}
	race := []Row{{Board: "r", Window: "day", Period: "2026-11-21", Row: board.Row{Rank: 1, Member: "dan", Score: board.Floats(61.5)}}}
	write := func(f Format) string {
		var b bytes.Buffer
		s := New(&b, f, layout)
		require.NoError(t, s.Write("contest", []string{"solved", "penalty"}, contest))
		require.NoError(t, s.Write("race", []string{"time"}, race))
		require.NoError(t, s.Close())
		return b.String()
	}
	require.Equal(t, `contest
 RANK  MEMBER  SOLVED               PENALTY  UP
────────────────────────────────────────────────
    1  ann          9                   935  ↑2
    2  bo           9                   940   =
    3  cy           8  -9223372036854775808  ↓2

race
 RANK  MEMBER  TIME   UP
─────────────────────────
    1  dan     61.5  new
`, write(Table))
	require.Equal(t, `board,window,period,rank,member,solved,penalty,time,was
c,all,all,1,ann,9,935,,3
c,all,all,2,bo,9,940,,2
c,all,all,3,cy,8,-9223372036854775808,,1
r,day,2026-11-21,1,dan,,,61.5,
`, write(CSV))
	require.Equal(t, `{"board":"c","window":"all","period":"all","rank":1,"member":"ann","score":[9,935],"was":3}
{"board":"c","window":"all","period":"all","rank":2,"member":"bo","score":[9,940],"was":2}
{"board":"c","window":"all","period":"all","rank":3,"member":"cy","score":[8,-9223372036854775808],"scoreText":["8","-9223372036854775808"],"was":1}
{"board":"r","window":"day","period":"2026-11-21","rank":1,"member":"dan","score":[61.5]}
`, write(JSON))
}

// TestList writes a list in each format.
func TestList(t *testing.T) {
	type thing struct {
		Name string `json:"name"`
		N    int    `json:"n"`
	}
	l := List[thing]{Columns: []string{"name", "n"}, Right: []int{2}, Empty: "no thing\x1b", Cells: func(x thing, people bool) []string {
		n := strconv.Itoa(x.N)
		if people {
			n += " B"
		}
		return []string{x.Name, n}
	}}
	for f, want := range map[Format]string{
		Table: " NAME        N\n───────────────\n a\\x1b,b   7 B\n <c>      10 B\n",
		CSV:   "name,n\n\"a\x1b,b\",7\n<c>,10\n",
		JSON:  `{"name":"a\u001b,b","n":7}` + "\n" + `{"name":"<c>","n":10}` + "\n",
	} {
		var b bytes.Buffer
		require.NoError(t, l.Write(&b, f, []thing{{"a\x1b,b", 7}, {"<c>", 10}}))
		require.Equal(t, want, b.String(), f)
		require.ErrorIs(t, l.Write(fullDisk{}, f, []thing{{"a", 1}}), errFull, f)
	}
	var sparse bytes.Buffer
	require.NoError(t, List[thing]{Columns: []string{"name", "none", "n"}, Right: []int{2, 3}, Sparse: true, Cells: func(x thing, _ bool) []string {
		return []string{x.Name, "", strconv.Itoa(x.N)}
	}}.Write(&sparse, Table, []thing{{"a", 7}, {"c", 10}}))
	require.Equal(t, " NAME   N\n──────────\n a      7\n c     10\n", sparse.String())
	for f, want := range map[Format]string{Table: "no thing\\x1b\n", CSV: "name,n\n", JSON: ""} {
		var b bytes.Buffer
		require.NoError(t, l.Write(&b, f, nil))
		require.Equal(t, want, b.String(), f)
	}
}

// TestNamesOfAnyBytes: the bytes of a member can be recovered from its name in a table, so two different members never look the same.
func TestNamesOfAnyBytes(t *testing.T) {
	properties := gopter.NewProperties(nil)
	properties.Property("the same", prop.ForAll(func(b []byte) bool {
		member := string(b)
		shown := Name(member)
		back, err := strconv.Unquote(`"` + strings.ReplaceAll(shown, `"`, `\"`) + `"`)
		return err == nil && back == member && utf8.ValidString(shown)
	}, gen.SliceOf(gen.OneGenOf(gen.UInt8(), gen.OneConstOf(byte('\\'), byte('x'), byte('f'), byte('"'), byte(0xff), byte(0x1b))))))
	properties.TestingRun(t)
}

// TestBytes: for a member that is not UTF-8, JSON has its bytes in base64url, and CSV the bytes.
func TestBytes(t *testing.T) {
	require.Equal(t, `{"board":"FIFA World Cup","window":"year","period":"2010","rank":1,"member":"base64:_2E","score":[5]}
`, render(t, JSON, []Row{row(1, "\xffa", 5)}))
	require.Equal(t, "board,window,period,rank,member,score\nFIFA World Cup,year,2010,1,\xffa,5\n", render(t, CSV, []Row{row(1, "\xffa", 5)}))
}

// TestReadBack: CSV and JSON can be read back to the same rows.
func TestReadBack(t *testing.T) {
	properties := gopter.NewProperties(nil)
	properties.Property("the same", prop.ForAll(func(member string, whole int64, score float64) bool {
		for _, s := range []board.Score{board.Ints(whole), board.Floats(score), board.Values(board.Int(whole), board.Float(score))} {
			want := Row{Board: "b", Window: "w", Period: "p", Row: board.Row{Rank: 1, Member: member, Score: s}}
			var back Row
			require.NoError(t, json.Unmarshal([]byte(render(t, JSON, []Row{want})), &back))
			fields, err := csv.NewReader(strings.NewReader(render(t, CSV, []Row{want}))).ReadAll()
			require.NoError(t, err)
			if back.Score.String() != s.String() || back.Member != member || back.Board != "b" || back.Rank != 1 || fields[1][4] != member || fields[1][5] != s.At(0).String() {
				return false
			}
		}
		return true
	}, gen.AnyString(), gen.Int64(), gen.Float64()))
	properties.TestingRun(t)
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	for _, f := range []Format{Table, CSV, JSON} {
		require.ErrorIs(t, New(fullDisk{}, f, columns).Write("title", nil, []Row{row(1, "a", 1)}), errFull, f)
	}
	require.ErrorIs(t, New(fullDisk{}, CSV, columns).Close(), errFull)
}
