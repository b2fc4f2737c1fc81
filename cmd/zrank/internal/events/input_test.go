package events

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// TestHeader: the header names the columns in any order, and a wrong one gives a *HeaderError.
func TestHeader(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "is empty",
		"\n\r\n\n":                    "is empty",
		"\xef\xbb\xbf":                "is empty",
		"time,member":                 `exactly one of the columns "delta" and "score", has neither`,
		"time,member,delta,score":     `exactly one of the columns "delta" and "score", has both`,
		"time,delta":                  `column "member" is missing`,
		"member,score":                `column "time" is missing`,
		"time,member,delta,member":    `column "member" is named twice`,
		"time,member,delta,nation":    `unknown column "nation": the columns are time, member, one of delta or score, and optionally board and op; --rename`,
		"time, member,delta":          `unknown column " member"`,
		"time,member,delta,":          `unknown column ""`,
		"Time,member,delta":           `unknown column "Time"`,
		"time,mem\"ber,delta":         "not CSV",
		"2026-01-01T00:00:00Z,anna,1": "unknown column",
	} {
		t.Run(text, func(t *testing.T) {
			path := file(t, "in.csv", text)
			_, err := Open(t.Context(), path, Options{})
			var header *HeaderError
			require.ErrorAs(t, err, &header)
			require.Equal(t, path, header.File)
			require.Contains(t, err.Error(), path+": ")
			require.Contains(t, err.Error(), want)
		})
	}
}

// TestLeftOut: a row leaves out columns of Options.Absent and no others, and a row that removes its member leaves out all.
func TestLeftOut(t *testing.T) {
	text := "time,member,a,b,op\n1,anna,1,,\n2,anna,1,-,submit\n3,anna,,2,\n4,anna,,,remove\n5,anna,,2,remove\n6,anna,1,2,undo\n7,anna,1,2,\n"
	in, err := OpenStream(t.Context(), strings.NewReader(text), Options{Columns: []string{"a", "b"}, Absent: []string{"b"}})
	require.NoError(t, err)
	require.Equal(t, []string{"time=time", "member=member", "op=op", "a=a", "b=b"}, in.Columns())
	all, err := drain(in)
	require.NoError(t, err)
	require.Len(t, all, 7)
	for i, want := range []struct {
		remove bool
		score  board.Score
		bad    string
	}{{score: board.Values(board.Int(1), board.Absent)}, {score: board.Values(board.Int(1), board.Absent)}, {bad: "a is missing"}, {remove: true},
		{bad: `has no score, but here b is "2"`}, {bad: `op is "undo"`}, {score: board.Ints(1, 2)}} {
		require.Equal(t, want.remove, all[i].event.Remove, "row %d", i+1)
		require.Equal(t, want.score, all[i].event.Score, "row %d", i+1)
		require.Contains(t, all[i].bad, want.bad)
		require.Equal(t, want.bad == "", all[i].bad == "")
	}
	in, err = OpenStream(t.Context(), strings.NewReader("time,member,delta\n1,anna,\n"), Options{Absent: []string{Single}})
	require.NoError(t, err)
	e, err := in.Next()
	require.NoError(t, err)
	require.Equal(t, board.Values(board.Absent), e.Score, "a file may call the only column delta")
	require.ErrorContains(t, Options{Columns: []string{"op"}}.Validate(), `called "op"`)
}

// TestSeveralColumns: a score has its columns in the order of Options.Columns, whatever their order in the file.
func TestSeveralColumns(t *testing.T) {
	values := []string{"solved", "penalty"}
	in, err := OpenStream(t.Context(), strings.NewReader("penalty,time,solved,member\n-935,5,9,anna\n1.5,6,8,bo\n,7,1,cid\n"), Options{Columns: values})
	require.NoError(t, err)
	all, err := drain(in)
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Equal(t, board.Ints(9, -935), all[0].event.Score)
	require.Equal(t, board.Values(board.Int(8), board.Float(1.5)), all[1].event.Score)
	require.Contains(t, all[2].bad, "penalty is missing")
	for text, want := range map[string]string{
		"time,member,solved":               `column "penalty" is missing: the columns are time, member, solved, penalty, and optionally board and op`,
		"time,member,solved,penalty,delta": `unknown column "delta"`,
		"time,member,score":                `unknown column "score"`,
	} {
		_, err := OpenStream(t.Context(), strings.NewReader(text), Options{Columns: values})
		require.ErrorContains(t, err, want)
	}
}

// TestRows reads the same rows from streams and files, plain and gzipped: fields in quotes, a byte order mark, blank lines, both ends of lines.
func TestRows(t *testing.T) {
	text := "\xef\xbb\xbfscore,\"member\",board,time\r\n" +
		"1.5,anna,arena,2026-01-02T03:04:05Z\r\n" +
		"\r\n" +
		"-2,\"Döner, \"\"Ali\"\"\",\"two\r\nlines\",1970-01-01T00:00:00Z\r\n" +
		"3,\xff\xfe,\"a,b\",2017-07-14T02:40:00.123Z"
	at := func(s string) time.Time { v, _ := time.Parse(time.RFC3339Nano, s); return v }
	want := []outcome{
		{event: Event{at("2026-01-02T03:04:05Z"), "arena", "anna", false, board.Floats(1.5), 2}},
		{event: Event{at("1970-01-01T00:00:00Z"), "two\nlines", `Döner, "Ali"`, false, board.Ints(-2), 4}},
		{event: Event{at("2017-07-14T02:40:00.123Z"), "a,b", "\xff\xfe", false, board.Ints(3), 6}},
	}
	check := func(t *testing.T, in *Input) {
		require.Equal(t, Score, in.Kind())
		got, err := drain(in)
		require.NoError(t, err)
		require.Equal(t, want, got)
		_, err = in.Next()
		require.Equal(t, io.EOF, err)
		require.Equal(t, int64(3), in.Position().Rows)
		require.True(t, in.Position().Done)
		require.NoError(t, in.Close())
		require.NoError(t, in.Close())
	}
	t.Run("stream", func(t *testing.T) {
		in := stream(t, text)
		check(t, in)
		require.Equal(t, "-", in.Name())
		require.Zero(t, in.Size())
		require.Equal(t, int64(len(text)), in.BytesRead())
	})
	t.Run("gzip stream", func(t *testing.T) { check(t, stream(t, zip(t, text))) })
	t.Run("byte by byte", func(t *testing.T) {
		in, err := OpenStream(t.Context(), &slowReader{[]byte(text)}, Options{})
		require.NoError(t, err)
		check(t, in)
	})
	t.Run("misnamed gzip file", func(t *testing.T) {
		raw := zip(t, text)
		in := open(t, file(t, "in.csv", raw))
		check(t, in)
		require.Equal(t, int64(len(raw)), in.Size())
		require.Equal(t, in.Size(), in.BytesRead())
	})
	t.Run("misnamed plain file", func(t *testing.T) { check(t, open(t, file(t, "in.csv.gz", text))) })
}

// slowReader hands out one byte a call.
type slowReader struct{ rest []byte }

func (r *slowReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:1], r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// badRows are rows that are not events, with a part of the reason.
var badRows = map[string]string{
	"5,anna":          "2 fields where the header has 3",
	"5,anna,1,1":      "4 fields where the header has 3",
	"then,anna,1":     `time "then"`,
	",anna,1":         "time is missing",
	"5,,1":            "member is empty",
	"5,anna,":         "delta is missing",
	"5,anna,NaN":      `delta "NaN" is not finite`,
	"5,anna,-Inf":     "not finite",
	"5,anna,9e999":    "9e999\" is out of range",
	"5,anna,lots":     "not a number",
	"5,an\"na,1":      `not CSV: bare " in non-quoted-field in column 5`,
	"5,\"an\"na,1":    `not CSV: extraneous or missing " in quoted-field`,
	"5,\"a\nb\"c\",1": "of line 4",
	"5," + strings.Repeat("x", maxMember+1) + ",1": "1025 bytes long",
}

// TestBadRows: Next repeats the error of a bad row until Skip, and then goes on with the row after it.
func TestBadRows(t *testing.T) {
	const good = "5,anna,1\n"
	for row, want := range badRows {
		t.Run(want, func(t *testing.T) {
			in := stream(t, "time,member,delta\n"+good+row+"\n"+good)
			_, err := in.Next()
			require.NoError(t, err)
			_, err = in.Next()
			var bad *BadRowError
			require.ErrorAs(t, err, &bad)
			require.Equal(t, "standard input", bad.File)
			require.Equal(t, 3, bad.Line)
			require.Contains(t, bad.Reason, want)
			require.Equal(t, int64(1), in.Position().Rows, "a bad row is not consumed")
			_, again := in.Next()
			require.Equal(t, err, again)
			in.Skip()
			e, err := in.Next()
			require.NoError(t, err)
			require.Equal(t, 4+strings.Count(row, "\n"), e.Line)
			require.Equal(t, int64(3), in.Position().Rows)
			_, err = in.Next()
			require.Equal(t, io.EOF, err)
		})
	}
	t.Run("board", func(t *testing.T) {
		_, err := stream(t, "time,member,delta,board\n5,anna,1,\xc3\n").Next()
		require.ErrorContains(t, err, `board "\xc3" is not valid UTF-8`)
		_, err = stream(t, "time,member,delta,board\n5,anna,1,\n").Next()
		require.ErrorContains(t, err, "board is empty")
		_, err = stream(t, "time,member,delta,board\n5,anna,1,"+strings.Repeat("b", maxBoard+1)+"\n").Next()
		require.ErrorContains(t, err, "board is 1025 bytes long")
	})
	t.Run("longest member", func(t *testing.T) {
		e, err := stream(t, "time,member,delta\n5,"+strings.Repeat("x", maxMember)+",1\n").Next()
		require.NoError(t, err)
		require.Len(t, e.Member, maxMember)
	})
	t.Run("quote open to the end", func(t *testing.T) {
		in := stream(t, "time,member,delta\n5,\"anna,1\n5,bo,2\n")
		all, err := drain(in)
		require.NoError(t, err)
		require.Len(t, all, 1)
		require.Contains(t, all[0].bad, "standard input:2: not CSV")
	})
}

// TestBrokenSource: a damaged source ends the input with an error, and a row that it cuts is no bad row.
func TestBrokenSource(t *testing.T) {
	const header = "time,member,delta\n"
	text := header + strings.Repeat("5,anna,1\n", 20_000)
	whole := zip(t, text)
	t.Run("cut short", func(t *testing.T) {
		for _, cut := range []int{2, 5, 12, len(whole) / 2, len(whole) - 8, len(whole) - 1} {
			path := file(t, "in.csv.gz", whole[:cut])
			in, err := Open(t.Context(), path, Options{})
			if err == nil {
				_, err = drain(in)
			}
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
			require.ErrorContains(t, err, path+": ")
			require.ErrorContains(t, err, "the gzip data is cut short")
		}
	})
	t.Run("cut inside a quoted field", func(t *testing.T) {
		long := zip(t, header+"5,\"an\"\"na,"+strings.Repeat("\n", 1<<20))
		in := stream(t, long[:len(long)-8])
		_, err := in.Next()
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "a piece of a row is not a bad row")
		require.Zero(t, in.Position().Rows)
	})
	t.Run("damaged", func(t *testing.T) {
		flipped := []byte(whole)
		flipped[len(flipped)-6] ^= 1
		in := stream(t, string(flipped))
		_, err := drain(in)
		require.ErrorContains(t, err, "the gzip data is damaged")
		_, again := in.Next()
		require.Equal(t, err, again)
		_, err = drain(stream(t, whole+"junk after the end"))
		require.ErrorContains(t, err, "the gzip data is damaged")
	})
	t.Run("two gzip members", func(t *testing.T) {
		all, err := drain(stream(t, whole+zip(t, "6,bo,2\n")))
		require.NoError(t, err)
		require.Len(t, all, 20_001)
	})
	t.Run("endless row", func(t *testing.T) {
		endless := io.MultiReader(strings.NewReader(header+"5,anna,1\n5,\""), &endlessReader{})
		in, err := OpenStream(t.Context(), endless, Options{})
		require.NoError(t, err)
		all, err := drain(in)
		require.Len(t, all, 1)
		require.ErrorContains(t, err, "after line 2: a row over 16 MiB")
	})
	t.Run("not there", func(t *testing.T) {
		_, err := Open(t.Context(), filepath.Join(t.TempDir(), "none.csv"), Options{})
		require.ErrorIs(t, err, os.ErrNotExist)
	})
	t.Run("directory", func(t *testing.T) {
		_, err := Open(t.Context(), t.TempDir(), Options{})
		require.ErrorContains(t, err, "is a directory")
	})
}

type endlessReader struct{}

func (endlessReader) Read(p []byte) (int, error) {
	return copy(p, bytes.Repeat([]byte("x\n"), 100)), nil
}

func TestRealData(t *testing.T) {
	t.Run("goals", func(t *testing.T) {
		in := open(t, sharedData(t, "goals/goals.csv.gz"))
		all, err := drain(in)
		require.NoError(t, err)
		require.Len(t, all, 46_934)
		require.Equal(t, in.Size(), in.BytesRead())
		members, boards, klose := map[string]bool{}, map[string]bool{}, int64(0)
		for i, o := range all {
			require.Empty(t, o.bad)
			require.Equal(t, i+2, o.event.Line)
			members[o.event.Member], boards[o.event.Board] = true, true
			if o.event.Board == "FIFA World Cup" && o.event.Member == "Miroslav Klose (Germany)" {
				klose += int64(o.event.Score.At(0).Float())
			}
		}
		require.Len(t, members, 14_900)
		require.Len(t, boards, 20)
		require.EqualValues(t, 16, klose)
	})
	t.Run("icpcwf", func(t *testing.T) {
		_, err := Open(t.Context(), sharedData(t, "icpcwf/events.csv.gz"), Options{})
		require.ErrorContains(t, err, `unknown column "delta_solved"`)
	})
}

// TestNextAllocates: Next allocates once a row, for its text.
func TestNextAllocates(t *testing.T) {
	in := stream(t, "time,member,delta\n"+strings.Repeat("2026-10-05T00:00:00Z,brave-otter-0417,3\n", 2000))
	require.LessOrEqual(t, testing.AllocsPerRun(1000, func() {
		if _, err := in.Next(); err != nil {
			t.Fatal(err)
		}
	}), 1.0)
}

// A pipe has a path but can only be read once: it is a stream.
func TestPipe(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	path := filepath.Join("/dev/fd", strconv.Itoa(int(r.Fd())))
	if _, err := os.Stat(path); err != nil {
		t.Skip("no /dev/fd here: pipes with a path not tested")
	}
	_, err = w.WriteString(threeRows)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	in := open(t, path)
	all, err := drain(in)
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Equal(t, path, in.Name())
	require.Zero(t, in.Position().File)
	require.NoError(t, r.Close())
}

// TestCheck: Check returns the errors that Open would return.
func TestCheck(t *testing.T) {
	require.NoError(t, Check(file(t, "in.csv", threeRows), Options{}))
	require.ErrorContains(t, Check(file(t, "in.csv", "colour\n"), Options{}), "unknown column")
	require.ErrorContains(t, Check(t.TempDir(), Options{}), "is a directory")
	require.ErrorIs(t, Check(filepath.Join(t.TempDir(), "none"), Options{}), os.ErrNotExist)
	require.Error(t, Check(file(t, "in.csv", threeRows), Options{MaxAhead: -1}))
}
