package show

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"
)

func row(rank int, member string, score float64) Row {
	return Row{Board: "FIFA World Cup", Window: "year", Period: "2010", Rank: rank, Member: member, Score: score}
}

func render(t *testing.T, f Format, tables ...[]Row) string {
	t.Helper()
	var b bytes.Buffer
	s := New(&b, f)
	for _, rows := range tables {
		require.NoError(t, s.Write(Title("FIFA World Cup", "year", "2010"), rows))
	}
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	require.ErrorIs(t, s.Write("", nil), ErrClosed)
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
 nobody is ranked here yet
`, got)
}

// Whatever a member is called, its line is one line of the table and as wide as the others.
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
	require.Equal(t, -1, strings.IndexFunc(strings.ReplaceAll(got, "\n", ""), harmful))
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
	require.Equal(t, `{"board":"FIFA World Cup","window":"year","period":"2010","rank":1,"member":"<b>&é","score":22}
{"board":"FIFA World Cup","window":"year","period":"2010","rank":2,"member":"\n","score":1e+21}
{"board":"FIFA World Cup","window":"year","period":"2010","rank":3,"member":"","score":0}
`, got)
	require.Empty(t, render(t, JSON))
	require.Error(t, New(&bytes.Buffer{}, JSON).Write("", []Row{row(1, "a", math.NaN())}))
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

func TestScore(t *testing.T) {
	for v, want := range map[float64]string{
		22: "22", -3.25: "-3.25", 83.417: "83.417", 1e20: "100000000000000000000", 1e21: "1e+21", 1e-6: "0.000001",
		1e-7: "1e-7", -2.5e-10: "-2.5e-10", 5e-324: "5e-324", math.MaxFloat64: "1.7976931348623157e+308",
		math.Copysign(0, -1): "0", 1 << 53: "9007199254740992",
	} {
		require.Equal(t, want, Score(v))
	}
}

// A score's text is what encoding/json writes.
func TestScoreIsJSON(t *testing.T) {
	properties := gopter.NewProperties(nil)
	properties.Property("same text", prop.ForAll(func(bits uint64) bool {
		v := math.Float64frombits(bits)
		want, err := json.Marshal(v)
		return err != nil || Score(v) == string(want)
	}, gen.UInt64()))
	properties.Property("programs read back what was written", prop.ForAll(func(member string, score float64) bool {
		var back Row
		line := render(t, JSON, []Row{row(1, member, score)})
		require.NoError(t, json.Unmarshal([]byte(line), &back))
		fields, err := csv.NewReader(strings.NewReader(render(t, CSV, []Row{row(1, member, score)}))).ReadAll()
		require.NoError(t, err)
		return back == row(1, member, score) && fields[1][4] == member && fields[1][5] == Score(score)
	}, gen.AnyString(), gen.Float64()))
	properties.TestingRun(t)
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	for _, f := range []Format{Table, CSV, JSON} {
		require.ErrorIs(t, New(fullDisk{}, f).Write("title", []Row{row(1, "a", 1)}), errFull, f)
	}
	require.ErrorIs(t, New(fullDisk{}, CSV).Close(), errFull)
}
