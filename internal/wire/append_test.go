package wire

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// plain is types whose JSON is that of package encoding/json.
func plain(t *testing.T, v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(v))
	return strings.TrimSuffix(b.String(), "\n")
}

func randomText(r *rand.Rand) string {
	runes := []string{"a", "B", "7", " ", "\"", "\\", "\n", "\x00", "\x1f", "\x7f", "<", "&", "ä", "🏆", "\u2028", "\u2029", "\xff", "\xe2\x80", "\u202e", "base64:", "/"}
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(runes[r.IntN(len(runes))])
	}
	return b.String()
}

func randomRow(r *rand.Rand) board.Row {
	values := []rules.Value{rules.Int(r.Int64()), rules.Int(-3), rules.Float(r.NormFloat64()), rules.Float(3), rules.Float(1e300), rules.Decimal(r.Int64N(1000), 2), rules.Absent}
	row := board.Row{Rank: r.IntN(5), Member: randomText(r)}
	var columns []rules.Value
	for range 1 + r.IntN(4) {
		columns = append(columns, values[r.IntN(len(values))])
	}
	row.Score = board.Values(columns...)
	if r.IntN(2) == 0 {
		row.Reached = time.UnixMicro(r.Int64N(1 << 50)).UTC()
	}
	if r.IntN(2) == 0 {
		row.Meta = []byte(randomText(r))
	}
	if row.Beyond = r.IntN(4) == 0; row.Beyond {
		row.Within = []int{0, 20, board.Unknown}[r.IntN(3)]
	}
	return row
}

func randomRows(r *rand.Rand) []board.Row {
	if r.IntN(3) == 0 {
		return nil
	}
	rows := make([]board.Row, r.IntN(3))
	for i := range rows {
		rows[i] = randomRow(r)
	}
	return rows
}

func randomChange(r *rand.Rand) board.Change {
	move := func() board.Move {
		m := board.Move{Window: "week", Period: randomText(r), Ranked: r.IntN(2) == 0, Hidden: r.IntN(2) == 0, Changed: r.IntN(2) == 0, Improved: r.IntN(2) == 0,
			Passed: r.IntN(3), Len: r.IntN(9), Near: randomRows(r), Overtaken: randomRows(r)}
		if r.IntN(2) == 0 {
			m.Before, m.After = randomRow(r), randomRow(r)
			m.Before.Rank, m.After.Rank = 3, 2
		}
		return m
	}
	c := board.Change{Move: move(), Duplicate: r.IntN(2) == 0, Skipped: r.IntN(2) == 0}
	for range r.IntN(3) {
		c.Others = append(c.Others, move())
	}
	return c
}

// TestAppend: what rows and changes append is what package encoding/json writes, and reads as what it was.
func TestAppend(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		row := randomRow(r)
		x := RowOf(row)
		text, err := x.AppendJSON(nil)
		require.NoError(t, err)
		require.Equal(t, plain(t, x), string(text))
		var back Row
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, row.Member, string(back.Member))
		require.Equal(t, row.Score.String(), back.Board().Score.String())
		require.Equal(t, row.Meta, back.Board().Meta)
		require.True(t, row.Reached.Equal(back.Board().Reached))
		require.Equal(t, row.Within, back.Board().Within)

		c := ChangeOf(randomChange(r))
		text, err = c.AppendFields([]byte("{"))
		require.NoError(t, err)
		require.Equal(t, plain(t, c), string(text)+"}")
	}
}

// FuzzText: any bytes come back from their text, as JSON and as a parameter, and any text is bytes or an error.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "ada", "base64:", "base64:YWRh", "base64:*", "\xff", "ä\u2028", "base64:YQ\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, err := json.Marshal(Text(s))
		require.NoError(t, err)
		var back Text
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, s, string(back))
		require.NoError(t, back.UnmarshalText([]byte(Text(s).String())))
		require.Equal(t, s, string(back))
		var read Text
		if read.UnmarshalText([]byte(s)) == nil && Text(s).String() == s {
			require.Equal(t, s, read.String())
		}
	})
}

// FuzzScore: what is read as a score is written as a text that reads as the same score.
func FuzzScore(f *testing.F) {
	for _, s := range []string{`[1,2.50,null]`, `7`, `"9007199254740993"`, `[]`, `["NaN","-Inf"]`, `[1e400]`, `[0.1,1e-7,-0.0,-0]`, `{}`, `[[1]]`, `"-"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var score Score
		if json.Unmarshal([]byte(s), &score) != nil || score == nil {
			return
		}
		require.LessOrEqual(t, len(score), rules.MaxColumns)
		text, err := json.Marshal(score)
		require.NoError(t, err)
		var back Score
		require.NoError(t, json.Unmarshal(text, &back), "%s", text)
		require.Equal(t, score.Board().String(), back.Board().String())
		if len(score) > 0 {
			text, err = score.MarshalText()
			require.NoError(t, err)
			require.NoError(t, back.UnmarshalText(text), "%s", text)
			require.Equal(t, score.Board().String(), back.Board().String())
		}
	})
}
