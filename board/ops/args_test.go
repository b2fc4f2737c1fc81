package ops

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// every has an argument of each type.
type every struct {
	Name   string       `path:"name"`
	Text   string       `query:"text,text"`
	N      int          `query:"n" default:"10" minimum:"-5"`
	Big    int64        `query:"big"`
	Number uint64       `query:"number"`
	Row    *uint64      `query:"row"`
	Share  float64      `query:"share"`
	Wait   bool         `query:"wait" default:"true"`
	At     time.Time    `query:"at"`
	Score  board.Score  `query:"score"`
	Best   *board.Score `query:"best"`
	Mode   board.Mode   `query:"mode"`
	After  board.Cursor `query:"after"`
	Which  string       `query:"which" enum:"closed,latest"`
	Digits string       `query:"digits" pattern:"^[0-9]+$"`
	List   []string     `query:"list"`
	Key    string       `header:"X-Key"`
}

func paramOf(t testing.TB, name string) *Param {
	all := ParamsOf(reflect.TypeFor[every]())
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	t.Fatalf("no argument %s", name)
	return nil
}

// TestSet: one text means one thing, whatever way a number or a time is written.
func TestSet(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	zero, seven := uint64(0), uint64(7)
	score := board.Values(board.Int(3), board.Int(120))
	for _, x := range []struct {
		name, text string
		want       any
	}{
		{"name", "a/b", "a/b"}, {"text", "base64:_w", "\xff"}, {"text", "ada", "ada"},
		{"n", "", 10}, {"n", "5", 5}, {"n", "5.0", 5}, {"n", "5e0", 5}, {"n", "1e+3", 1000}, {"n", "-1", -1}, {"n", "-0", 0}, {"n", "0e999999999", 0},
		{"big", "1e+14", int64(1e14)}, {"big", "9223372036854775807", int64(1<<63 - 1)}, {"big", "-9223372036854775808.0", int64(-1 << 63)},
		{"number", "18446744073709551615", uint64(1<<64 - 1)}, {"number", "7.0", seven},
		{"row", "", (*uint64)(nil)}, {"row", "0", &zero}, {"row", "7", &seven},
		{"share", "2.5", 2.5}, {"wait", "", true}, {"wait", "false", false},
		{"at", "", time.Time{}}, {"at", "2026-03-01T12:00:00Z", at}, {"at", "2026-03-01T13:00:00+01:00", at}, {"at", "2026-03-01 12:00:00", at},
		{"at", "1772366400", at}, {"at", "1772366400.000001", at.Add(time.Microsecond)}, {"at", "1772366400000ms", at}, {"at", "-1", time.Unix(-1, 0).UTC()},
		{"at", "2026-03-01", at.Add(-12 * time.Hour)},
		{"score", "3,120", score}, {"best", "3,120", &score}, {"best", "", (*board.Score)(nil)},
		{"mode", "dense", board.Dense}, {"mode", "", board.Ordinal}, {"after", "", board.Cursor{}},
		{"which", "closed", "closed"}, {"digits", "12", "12"}, {"list", "a,b", []string{"a", "b"}}, {"X-Key", "k", "k"},
	} {
		var args every
		p := paramOf(t, x.name)
		require.NoError(t, p.Set(&args, x.text), "%s %q", x.name, x.text)
		got := p.Value(&args)
		if is, ok := x.want.(time.Time); ok {
			require.True(t, is.Equal(got.(time.Time)), "%s %q: %v", x.name, x.text, got)
		} else {
			require.Equal(t, x.want, got, "%s %q", x.name, x.text)
		}
		var again every
		require.NoError(t, p.Set(&again, p.Text(&args)))
		if x.name != "at" {
			require.Equal(t, got, p.Value(&again), "%s %q", x.name, x.text)
		}
	}
}

// TestSetRefuses: what is none of the argument's type or of its bounds is an error.
func TestSetRefuses(t *testing.T) {
	for name, texts := range map[string][]string{
		"n": {"5.5", "1e-3", "1e30", "NaN", "Inf", "0x5", "1_000", "", " 5", "five", "-6", "9223372036854775808"}, "number": {"-1", "1.5"}, "row": {"-1", "x"},
		"share": {"x"}, "wait": {"maybe"}, "at": {"yesterday", "1e9", "1772366400.0000001", "99999999999999", "2026-13-01", "+5", ".", "ms"}, "which": {"open"},
		"digits": {"x"}, "score": {"x", "1,,2"}, "mode": {"best"}, "after": {"?"}, "text": {"base64:*"},
	} {
		for _, text := range texts {
			if text == "" {
				continue
			}
			var args every
			err := paramOf(t, name).Set(&args, text)
			require.Error(t, err, "%s %q", name, text)
			switch name {
			case "mode":
				require.ErrorIs(t, err, board.ErrMode)
			case "after":
				require.ErrorIs(t, err, board.ErrCursor)
			case "score":
				require.ErrorIs(t, err, boardjson.ErrScore)
			case "text":
				require.ErrorIs(t, err, boardjson.ErrText)
			default:
				require.ErrorIs(t, err, ErrArgument, "%s %q", name, text)
			}
		}
	}
}

// FuzzSet: what an argument takes, it writes so that it takes the same again.
func FuzzSet(f *testing.F) {
	for _, text := range []string{"5.0", "1e+14", "2026-03-01 12:00:00", "1772366400000ms", "base64:_w", "3,120", "-1", "dense"} {
		for i := range len(ParamsOf(reflect.TypeFor[every]())) {
			f.Add(i, text)
		}
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		all := ParamsOf(reflect.TypeFor[every]())
		p := &all[uint(i)%uint(len(all))]
		var args, again every
		if p.Set(&args, text) != nil {
			return
		}
		require.NoError(t, p.Set(&again, p.Text(&args)), "%s %q", p.Name, text)
		require.Equal(t, p.Text(&args), p.Text(&again), "%s %q", p.Name, text)
	})
}
