package events

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"
)

const threeRows = "time,member,delta\n1,anna,1\n2,bo,2\n3,cleo,3\n"

// at returns the position after n rows.
func at(t testing.TB, in *Input, n int) Position {
	t.Helper()
	for range n {
		_, err := next(in)
		require.NoError(t, err)
	}
	return in.Position()
}

// done returns the position at the end.
func done(t testing.TB, in *Input) Position {
	t.Helper()
	_, err := drain(in)
	require.NoError(t, err)
	return in.Position()
}

// TestResume: an input that is resumed after any row gives the remaining rows.
func TestResume(t *testing.T) {
	path := file(t, "in.csv", threeRows)
	all, err := drain(open(t, path))
	require.NoError(t, err)
	for n := range len(all) + 1 {
		in := open(t, path)
		p := at(t, open(t, path), n)
		require.Equal(t, int64(n), p.Rows)
		require.False(t, p.Done)
		require.NoError(t, in.Resume(p, false))
		require.Equal(t, p, in.Position())
		rest, err := drain(in)
		require.NoError(t, err)
		require.Equal(t, all[n:], append([]outcome{}, rest...))
	}
	in := open(t, path)
	require.NoError(t, in.Resume(done(t, open(t, path)), false))
	rest, err := drain(in)
	require.NoError(t, err)
	require.Empty(t, rest, "a finished input has nothing more to give")
	require.ErrorIs(t, in.Resume(Position{}, false), ErrStarted)
}

// TestResumeChanged edits an input after some rows: Resume accepts or refuses it, with and without allowEdited, as each row of the table says.
func TestResumeChanged(t *testing.T) {
	const before, after = "already replayed are not the same", "--resume-edited goes on"
	for _, c := range []struct {
		name, text string
		rows       int // replayed; 4 is to the end
		edited     string
		refusal    string // for a file
		stream     string // for a stream
		rest       int    // rows that follow when edits are allowed, -1 if they cannot be
	}{
		{"row before", threeRows, 2, strings.Replace(threeRows, "anna,1", "anna,9", 1), before, before, -1},
		{"header before", threeRows, 2, strings.Replace(threeRows, "delta", "score", 1), before, before, -1},
		{"shifted field", threeRows, 1, strings.Replace(threeRows, "1,anna", "1a,nna", 1), before, before, -1},
		{"row dropped", threeRows, 2, "time,member,delta\n2,bo,2\n3,cleo,3\n", before, before, -1},
		{"too few rows", threeRows, 3, "time,member,delta\n1,anna,1\n", "it has 1 rows, and 3 were replayed", "it has 1 rows", -1},
		{"row after", threeRows, 2, strings.Replace(threeRows, "cleo", "clea", 1), after, "", 1},
		{"cut after", threeRows, 2, strings.TrimSuffix(threeRows, "3,cleo,3\n"), after, "", 0},
		{"appended", threeRows, 2, threeRows + "4,dan,4\n", "", "", 2},
		{"appended and edited", threeRows, 2, strings.Replace(threeRows, "cleo", "clea", 1) + "4,dan,4\n", after, "", 2},
		{"appended to the end", threeRows, 4, threeRows + "4,dan,4\n", "", "", 1},
		{"appended bad row", threeRows, 4, threeRows + "4,dan\n", "", "", 1},
		{"appended without a line end", strings.TrimSpace(threeRows), 4, threeRows + "4,dan,4\n", "", "", 1},
		{"appended blank line", threeRows, 4, threeRows + "\n", "", "", 0},
		{"line ends", "time,member,delta\n1,anna,1\n", 1, "time,member,delta\n1,anna,1\r\n2,bo,2\n", after, "", 1},
		{"bad quote before", "time,member,delta\n1,a\"b,1\n", 1, "time,member,delta\n1,a\"c,1\n", before, before, -1},
	} {
		position := func(in *Input) Position {
			if c.rows == 4 {
				return done(t, in)
			}
			return at(t, in, c.rows)
		}
		t.Run(c.name+"/file", func(t *testing.T) {
			path := file(t, "in.csv", c.text)
			p := position(open(t, path))
			require.NoError(t, os.WriteFile(path, []byte(c.edited), 0o600))
			checkResume(t, p, c.refusal, c.rest, func() *Input { return open(t, path) })
		})
		t.Run(c.name+"/stream", func(t *testing.T) {
			p := position(stream(t, c.text))
			checkResume(t, p, c.stream, c.rest, func() *Input { return stream(t, c.edited) })
		})
	}
}

// checkResume resumes an edited input at p twice. The first time edits are not allowed: the reason of the error must contain refusal, or
// there is none if refusal is "". The second time they are allowed: rest rows follow, or there is an error if rest is negative.
func checkResume(t *testing.T, p Position, refusal string, rest int, again func() *Input) {
	t.Helper()
	err := again().Resume(p, false)
	var changed *ChangedError
	if refusal == "" {
		require.NoError(t, err)
	} else {
		require.ErrorAs(t, err, &changed)
		require.Contains(t, changed.Reason, refusal)
	}
	in := again()
	err = in.Resume(p, true)
	if rest < 0 {
		require.ErrorAs(t, err, &changed)
		return
	}
	require.NoError(t, err)
	left, err := drain(in)
	require.NoError(t, err)
	require.Len(t, left, rest)
}

// TestResumeGrown: a finished file that has grown goes on where it ended, also if it was gzipped again.
func TestResumeGrown(t *testing.T) {
	for name, packed := range map[string]func(string) string{"plain": func(s string) string { return s }, "gzip": func(s string) string { return zip(t, s) }} {
		t.Run(name, func(t *testing.T) {
			path := file(t, "in.csv", packed(threeRows))
			p := done(t, open(t, path))
			require.NoError(t, os.WriteFile(path, []byte(packed(threeRows+"4,dan,4\n5,eve,5\n")), 0o600))
			in := open(t, path)
			require.NoError(t, in.Resume(p, false))
			require.Equal(t, p.Rows, in.Position().Rows)
			rest, err := drain(in)
			require.NoError(t, err)
			require.Len(t, rest, 2)
			require.Equal(t, "dan", rest[0].event.Member)
		})
	}
}

func TestChangedWhileRead(t *testing.T) {
	path := file(t, "in.csv", threeRows)
	in := open(t, path)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString(strings.Repeat("4,dan,4\n", 100_000))
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = drain(in)
	var changed *ChangedError
	require.ErrorAs(t, err, &changed)
	require.False(t, in.Position().Done)
}

func TestName(t *testing.T) {
	path := file(t, "in.csv", threeRows)
	t.Chdir(filepath.Dir(path))
	here, err := os.Getwd()
	require.NoError(t, err)
	require.NoError(t, os.Mkdir("sub", 0o700))
	in := open(t, "./sub/../in.csv")
	require.Equal(t, filepath.Join(here, "in.csv"), in.Name())
	_, err = in.Next()
	require.NoError(t, err)
}

// TestPositionEncoding: a position decodes to itself, and bytes with any impossible value are refused.
func TestPositionEncoding(t *testing.T) {
	for _, in := range []*Input{stream(t, threeRows), open(t, file(t, "in.csv", threeRows))} {
		for _, p := range []Position{at(t, in, 0), at(t, in, 2), done(t, in)} {
			b, err := p.MarshalBinary()
			require.NoError(t, err)
			var q Position
			require.NoError(t, q.UnmarshalBinary(b))
			require.Equal(t, p, q)
		}
	}
	b, err := Position{Rows: 7}.MarshalBinary()
	require.NoError(t, err)
	require.Len(t, b, positionLen)
	for name, spoil := range map[string]func([]byte) []byte{
		"empty":              func([]byte) []byte { return nil },
		"short":              func(b []byte) []byte { return b[:positionLen-1] },
		"long":               func(b []byte) []byte { return append(b, 0) },
		"version":            func(b []byte) []byte { b[0] = 3; return b },
		"done":               func(b []byte) []byte { b[1] = 2; return b },
		"negative rows":      func(b []byte) []byte { b[2] = 0x80; return b },
		"negative size":      func(b []byte) []byte { b[42] = 0x80; return b },
		"stream with digest": func(b []byte) []byte { b[positionLen1-1] = 1; return b },
		"unit":               func(b []byte) []byte { b[positionLen1] = 6; return b },
		"given unit":         func(b []byte) []byte { b[positionLen1] = givenBit; return b },
		"latest":             func(b []byte) []byte { b[positionLen1+1] = 0x40; return b },
		"short version 1":    func(b []byte) []byte { b[0] = 1; return b[:positionLen1-1] },
		"long version 1":     func(b []byte) []byte { b[0] = 1; return b },
	} {
		t.Run(name, func(t *testing.T) {
			q := Position{Rows: 1}
			require.ErrorIs(t, q.UnmarshalBinary(spoil(append([]byte{}, b...))), ErrPosition)
			require.Equal(t, Position{Rows: 1}, q)
		})
	}
}

// TestResumeAnywhere: whatever the fields of the rows are, Resume after any row gives the same rest.
func TestResumeAnywhere(t *testing.T) {
	properties := gopter.NewProperties(nil)
	field := gen.OneGenOf(gen.AnyString(), gen.OneConstOf("", "1", "a", ",", "\"", "\n", "\r\n", "2026-01-01T00:00:00Z"))
	properties.Property("resume", prop.ForAll(func(rows [][]string, at int) bool {
		var text strings.Builder
		w := csv.NewWriter(&text)
		require.NoError(t, w.Write([]string{"time", "member", "delta"}))
		for i, fields := range rows {
			require.NoError(t, w.Write(append([]string{fmt.Sprint(i)}, fields...)))
		}
		w.Flush()
		return sameRest(t, text.String(), at%(len(rows)+1))
	}, gen.SliceOfN(8, gen.SliceOf(field)), gen.IntRange(0, 1000)))
	properties.TestingRun(t)
}

// A position of version 1 knows neither unit nor latest: the next row decides.
func TestPositionVersion1(t *testing.T) {
	p := at(t, stream(t, threeRows), 2)
	b, err := p.MarshalBinary()
	require.NoError(t, err)
	b = b[:positionLen1]
	b[0] = 1
	var q Position
	require.NoError(t, q.UnmarshalBinary(b))
	p.Unit, p.Latest = Auto, time.Time{}
	require.Equal(t, p, q)
	in := stream(t, threeRows)
	require.NoError(t, in.Resume(q, false))
	e, err := in.Next()
	require.NoError(t, err)
	require.Equal(t, "cleo", e.Member)
}

// A position goes through JSON, as the replay stores it.
func TestPositionText(t *testing.T) {
	in := stream(t, threeRows)
	at(t, in, 2)
	p := in.Position()
	text, err := json.Marshal(p)
	require.NoError(t, err)
	var q Position
	require.NoError(t, json.Unmarshal(text, &q))
	require.Equal(t, p, q)
	for _, bad := range []string{"", "xy", "00", string(text[1:9])} {
		require.ErrorIs(t, q.UnmarshalText([]byte(bad)), ErrPosition)
	}
	require.Equal(t, p, q)
}
