package wire

import (
	"errors"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// outcome reads a stream to its end, and returns the requests and the protocol error.
func outcome(r *Reader, src io.Reader) (requests [][]string, wrong error) {
	for {
		for {
			args, ok, err := r.Next()
			if err != nil {
				return requests, err
			}
			if !ok {
				break
			}
			words := make([]string, len(args))
			for i, arg := range args {
				words[i] = string(arg)
			}
			requests = append(requests, words)
		}
		if _, err := r.Fill(src); err != nil {
			return requests, nil
		}
	}
}

// expected returns the requests and the protocol error of a stream by the oracle.
func expected(text string, limits Limits, restricted bool) (requests [][]string, wrong error) {
	o := oracle{text, limits.withDefaults(), restricted}
	requests, errText := o.requests()
	if errText != "" {
		wrong = refused(errText)
	}
	return requests, wrong
}

// cut is a source that returns its bytes in pieces of the given sizes, in turn.
type cut struct {
	text  string
	sizes []int
	turn  int
}

func (c *cut) Read(b []byte) (int, error) {
	if c.text == "" {
		return 0, io.EOF
	}
	n := min(c.sizes[c.turn%len(c.sizes)], len(b), len(c.text))
	c.turn++
	copy(b, c.text[:n])
	c.text = c.text[n:]
	return n, nil
}

// answer writes the replies of a real Redis to the few commands of the recorded rows.
func answer(w *Writer, words []string) {
	switch {
	case len(words) == 1 && words[0] == "PING":
		w.Status("PONG")
	case len(words) == 2 && words[0] == "ECHO":
		w.BulkString(words[1])
	case words[0] == "ECHO":
		w.Error("ERR wrong number of arguments for 'echo' command")
	default:
		w.Error("ERR unknown command '" + words[0] + "', with args beginning with: ")
	}
}

// TestRequestsAsRedis reads the streams that a real Redis was sent, cut at every byte, and compares replies and errors with the recorded ones.
func TestRequestsAsRedis(t *testing.T) {
	rows := recorded(t, "requests-7.0.15.txt")
	cuts := 0
	for _, row := range rows {
		text, err := strconv.Unquote(row[0])
		require.NoError(t, err)
		for at := range len(text) {
			var w Writer
			r := NewReader(Limits{}, nil)
			requests, wrong := outcome(r, io.MultiReader(strings.NewReader(text[:at]), strings.NewReader(text[at:])))
			for _, words := range requests {
				answer(&w, words)
			}
			closed := ""
			if wrong != nil {
				w.Error("ERR " + wrong.Error())
				closed = " closed"
			}
			want, err := strconv.Unquote(strings.TrimSuffix(row[1], " closed"))
			require.NoError(t, err)
			require.Equal(t, want, string(w.Buf), row[0])
			require.Equal(t, strings.HasSuffix(row[1], " closed"), closed != "", row[0])
			cuts++
		}
		bytewise, wrong := outcome(NewReader(Limits{}, nil), iotest.OneByteReader(strings.NewReader(text)))
		requests, wrongToo := expected(text, Limits{}, false)
		require.Equal(t, requests, bytewise, row[0])
		require.Equal(t, wrongToo, wrong, row[0])
	}
	t.Logf("%d streams, cut at %d places", len(rows), cuts)
	require.Greater(t, len(rows), 60)
}

// TestZeroBytesInLines: Redis ignores the part of a line after a zero byte, and waits for more. This reader treats a zero byte as any other.
func TestZeroBytesInLines(t *testing.T) {
	requests, wrong := outcome(NewReader(Limits{}, nil), strings.NewReader("ECHO a\x00b\r\n"))
	require.NoError(t, wrong)
	require.Equal(t, [][]string{{"ECHO", "a\x00b"}}, requests)
	_, wrong = outcome(NewReader(Limits{}, nil), strings.NewReader("*1\x00\r\n"))
	require.EqualError(t, wrong, "Protocol error: invalid multibulk length")
	_, wrong = outcome(NewReader(Limits{}, nil), strings.NewReader("*1\r\n$4\x00\r\nPING\r\n"))
	require.EqualError(t, wrong, "Protocol error: invalid bulk length")
}

// TestLimits reads a request at each limit, and one just above it.
func TestLimits(t *testing.T) {
	limits := Limits{Args: 12, Bulk: 20000, Request: 40000, Inline: 70}
	bulk := func(n int) string { return "$" + strconv.Itoa(n) + "\r\n" + strings.Repeat("x", n) + "\r\n" }
	for _, row := range []struct {
		name, fits, over, wrong string
		restricted              bool
	}{
		{"words", "*12\r\n" + strings.Repeat(bulk(1), 12), "*13\r\n", "invalid multibulk length", false},
		{"bytes of a word", "*1\r\n" + bulk(20000), "*1\r\n$20001\r\n", "invalid bulk length", false},
		{"bytes", "*2\r\n" + bulk(20000) + bulk(40000-4-20010-10), "*2\r\n" + bulk(20000) + "$19977\r\n", "too big request", false},
		{"line", "PING " + strings.Repeat("x", 65) + "\n", "PING " + strings.Repeat("x", 66) + "\n", "too big inline request", false},
		{"open line", "PING\n", "PING " + strings.Repeat("x", 66), "too big inline request", false},
		{"count", "*0\r\n*1\r\n$1\r\nx\r\n", "*" + strings.Repeat("1", 70), "too big mbulk count string", false},
		{"length", "*1\r\n$1\r\nx\r\n", "*1\r\n$" + strings.Repeat("1", 70), "too big bulk count string", false},
		{"words, unauthenticated", "*10\r\n" + strings.Repeat(bulk(1), 10), "*11\r\n", "unauthenticated multibulk length", true},
		{"bytes of a word, unauthenticated", "*1\r\n" + bulk(16384), "*1\r\n$16385\r\n", "unauthenticated bulk length", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := NewReader(limits, nil)
			r.Restrict(row.restricted)
			requests, wrong := outcome(r, iotest.OneByteReader(strings.NewReader(row.fits+row.over)))
			require.EqualError(t, wrong, "Protocol error: "+row.wrong)
			require.Len(t, requests, 1)
			_, _, again := r.Next()
			require.Equal(t, wrong, again)
			fromOracle, wrongToo := expected(row.fits+row.over, limits, row.restricted)
			require.Equal(t, wrongToo, wrong)
			require.Equal(t, fromOracle, requests)
		})
	}
}

// TestRestrictIsLifted: Restrict takes effect between two requests that arrived in one read.
func TestRestrictIsLifted(t *testing.T) {
	r := NewReader(Limits{}, nil)
	r.Restrict(true)
	_, err := r.Fill(strings.NewReader("AUTH x\r\n*11\r\n" + strings.Repeat("$1\r\nx\r\n", 11)))
	require.NoError(t, err)
	args, ok, err := r.Next()
	require.NoError(t, err)
	require.True(t, ok)
	require.Len(t, args, 2)
	r.Restrict(false)
	args, ok, err = r.Next()
	require.NoError(t, err)
	require.True(t, ok)
	require.Len(t, args, 11)
}

// TestWordsStay: the words of all requests of one Fill are valid together, and an append to one does not overwrite another.
func TestWordsStay(t *testing.T) {
	text := strings.Repeat("*3\r\n$4\r\nZADD\r\n$1\r\nk\r\n$2\r\n42\r\nECHO \"a\\x62c\" d\r\n", 50)
	r := NewReader(Limits{}, nil)
	_, err := r.Fill(strings.NewReader(text))
	require.NoError(t, err)
	var all [][][]byte
	for {
		args, ok, err := r.Next()
		require.NoError(t, err)
		if !ok {
			break
		}
		for _, arg := range args {
			require.Equal(t, len(arg), cap(arg))
		}
		require.Equal(t, len(args), cap(args))
		all = append(all, args)
	}
	require.Len(t, all, 100)
	for i, args := range all {
		want := "ZADD k 42"
		if i%2 == 1 {
			want = "ECHO abc d"
		}
		words := make([]string, len(args))
		for i, arg := range args {
			words[i] = string(arg)
		}
		require.Equal(t, want, strings.Join(words, " "))
	}
}

// TestSourceFails: Fill returns the error of the source, and reads no byte twice.
func TestSourceFails(t *testing.T) {
	r := NewReader(Limits{}, nil)
	wrong := errors.New("cable")
	n, err := r.Fill(io.MultiReader(strings.NewReader("PI"), iotest.ErrReader(wrong)))
	require.NoError(t, err)
	require.Equal(t, 2, n)
	_, err = r.Fill(iotest.ErrReader(wrong))
	require.Equal(t, wrong, err)
	_, err = r.Fill(strings.NewReader("NG\r\n"))
	require.NoError(t, err)
	args, ok, err := r.Next()
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "PING", string(args[0]))
	_, err = r.Fill(nothing{})
	require.Equal(t, io.ErrNoProgress, err)
}

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, nil }

// randomStream returns bytes that are mostly valid requests.
func randomStream(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(8) {
		switch r.IntN(12) {
		case 0, 1, 2, 3, 4, 5:
			n := r.IntN(5)
			b.WriteString("*" + strconv.Itoa(n) + "\r\n")
			for range n {
				size := r.IntN(6) * r.IntN(20)
				b.WriteString("$" + strconv.Itoa(size) + "\r\n" + strings.Repeat(string("x\r\n$*\x00"[r.IntN(6)]), size) + "\r\n")
			}
		case 6, 7, 8:
			for range r.IntN(6) {
				b.WriteString([]string{"a", " ", `"b c"`, "'d'", `"\x41\n\q"`, `'\''`, "\t", "e\"f\"", "\v"}[r.IntN(9)])
			}
			b.WriteString([]string{"\r\n", "\n"}[r.IntN(2)])
		case 9:
			b.WriteString([]string{"\r\n", "*-1\r\n", "*0\r\n", "$1\r\n", "*", "*1\r\n$", `"`}[r.IntN(7)])
		case 10:
			b.WriteString("*1\r\n$300\r\n" + strings.Repeat("y", 300) + "\r\n")
		case 11:
			for range r.IntN(4) {
				b.WriteByte("*$\r\n 0123456789-+\"'\\x\x00"[r.IntN(21)])
			}
		}
	}
	return b.String()
}

// TestRandomStreams reads random streams in random pieces, and compares the requests with those of the oracle.
func TestRandomStreams(t *testing.T) {
	const seed = 11
	rnd := rand.New(rand.NewPCG(seed, 1))
	total, errs := 0, 0
	for range 3000 {
		text := randomStream(rnd)
		limits := Limits{Args: 3 + rnd.IntN(3), Bulk: 299 + rnd.IntN(5), Request: 308 + rnd.IntN(20), Inline: 30}
		restricted := rnd.IntN(4) == 0
		r := NewReader(limits, nil)
		r.Restrict(restricted)
		got, wrong := outcome(r, &cut{text: text, sizes: []int{1 + rnd.IntN(9), 1 + rnd.IntN(300), 1}})
		want, wrongToo := expected(text, limits, restricted)
		require.Equal(t, want, got, "seed %d: %q", seed, text)
		require.Equal(t, wrongToo, wrong, "seed %d: %q", seed, text)
		total += len(got)
		if wrong != nil {
			errs++
		}
	}
	t.Logf("seed %d: %d requests, %d streams that end in an error", seed, total, errs)
	require.Greater(t, min(total, errs), 500)
}
