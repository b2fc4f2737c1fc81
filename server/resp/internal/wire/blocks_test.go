package wire

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/server/resp/internal/budget"
)

// text returns all bytes written.
func (w *Writer) text() string {
	var all strings.Builder
	for _, b := range w.full {
		all.Write(b.Bytes())
	}
	all.Write(w.Buf)
	return all.String()
}

// bounded returns a writer whose replies have at most reply bytes, and the budget that counts its memory.
func bounded(protocol, reply int) (*Writer, *budget.Budget) {
	all := budget.New(1 << 30)
	return &Writer{Protocol: protocol, Bounds: &Bounds{Account: all.Account(nil), Reply: reply}}, all
}

// TestBlocksAsOnePiece: a writer with blocks has the same bytes as a writer without bounds, wherever blocks end, and after each Truncate. Its
// account counts every block but the last.
func TestBlocksAsOnePiece(t *testing.T) {
	for _, protocol := range []int{2, 3} {
		w, all := bounded(protocol, 1<<30)
		plain := &Writer{Protocol: protocol}
		var marks []int
		for i := range 3000 {
			word := strings.Repeat("x", []int{0, 9, 700, 1 << 10, 3000, 40_000, 100_000}[i%7*(i%13)/12])
			operations[i%len(operations)](w, i, word)
			operations[i%len(operations)](plain, i, word)
			require.NoError(t, w.Over())
			require.Equal(t, plain.Len(), w.Len())
			if i%50 == 0 {
				marks = append(marks, w.Len())
			}
			if i%401 == 400 {
				mark := marks[len(marks)-4]
				w.Truncate(mark)
				plain.Truncate(mark)
			}
		}
		require.Equal(t, string(plain.Buf), w.text())
		require.Equal(t, int64(len(w.full)*budget.BlockBytes), all.Used())
		require.LessOrEqual(t, all.Used(), int64(w.Len()*11/10))
		t.Logf("%d bytes, %d counted", w.Len(), all.Used())
		for _, b := range w.Detach() {
			b.Free()
		}
		require.Equal(t, len(w.Buf), w.Len())
		w.Reset()
		require.Zero(t, w.Len())
		require.Zero(t, all.Used())
	}
}

// TestReplyLimit: a reply is never larger than Bounds.Reply. After the first item that would exceed the limit nothing more is written. A text
// that is too large is refused before any of it is written.
func TestReplyLimit(t *testing.T) {
	for _, protocol := range []int{2, 3} {
		for most := range 400 {
			w, _ := bounded(protocol, most)
			for i := range 50 {
				operations[i%len(operations)](w, i, "hello")
				require.LessOrEqual(t, w.Len(), most)
			}
			require.Equal(t, ErrTooLarge, w.Over())
			before := w.Len()
			w.OK()
			require.Equal(t, before, w.Len())
			w.Truncate(0)
			require.NoError(t, w.Over())
			w.OK()
			require.Equal(t, most < 5, w.Over() != nil)
		}
	}
	w, all := bounded(2, 1<<20)
	w.Begin()
	w.Bulk(make([]byte, 1<<20-lineBytes))
	require.NoError(t, w.Over())
	w.Begin()
	at, used := w.Len(), all.Used()
	w.Bulk(make([]byte, 1<<20))
	require.Equal(t, ErrTooLarge, w.Over())
	require.Equal(t, at, w.Len())
	require.Equal(t, used, all.Used())
	w.Truncate(at)
	for _, n := range []int{1<<18 + 1, 1 << 30, math.MaxInt} {
		require.False(t, w.Expect(n, 4))
		require.Equal(t, ErrTooLarge, w.Over())
		w.Truncate(at)
	}
	require.True(t, w.Expect(1<<18, 4))
	require.True(t, w.Expect(0, 1<<20))
	require.NoError(t, w.Over())
	w.Reset()
	require.True(t, (&Writer{}).Expect(math.MaxInt, 10))
}

// TestWriterWithoutMemory: a writer stops when the account or Bounds.Grow refuses a block, and keeps the bytes written before.
func TestWriterWithoutMemory(t *testing.T) {
	all := budget.New(2 * budget.BlockBytes)
	w := &Writer{Bounds: &Bounds{Account: all.Account(nil), Reply: 1 << 30}}
	w.Bulk(make([]byte, 10*budget.BlockSize))
	require.Equal(t, ErrMemory, w.Over())
	require.Equal(t, 3*budget.BlockSize, w.Len())
	require.Equal(t, int64(2*budget.BlockBytes), all.Used())
	w.Truncate(0)
	require.Zero(t, all.Used())

	refusal := errors.New("not now")
	w.Bounds.Grow = func(bytes int) error {
		if bytes > budget.BlockSize {
			return refusal
		}
		return nil
	}
	w.Bulk(make([]byte, 10*budget.BlockSize))
	require.Equal(t, refusal, w.Over())
	require.Equal(t, 2*budget.BlockSize, w.Len())
	w.Reset()
}

// TestLongError: an error may be longer than a block, and has no ends of lines.
func TestLongError(t *testing.T) {
	w, _ := bounded(2, 1<<30)
	w.Error("ERR " + strings.Repeat("a\r\n", 50_000))
	require.Equal(t, "-ERR "+strings.TrimRight(strings.Repeat("a  ", 50_000), " ")+"\r\n", w.text())
}

// TestHalfRequests: an unfinished request takes memory only for the bytes that have arrived, whatever the sizes of its words, and the account
// counts that memory.
func TestHalfRequests(t *testing.T) {
	for name, text := range map[string]string{
		"one word":   "*2\r\n$4\r\nPING\r\n$4000000\r\n" + strings.Repeat("x", 3_999_000),
		"tiny words": "*1000000\r\n" + strings.Repeat("$0\r\n\r\n", 600_000),
		"words":      "*1000000\r\n" + strings.Repeat("$3000\r\n"+strings.Repeat("x", 3000)+"\r\n", 1300),
	} {
		t.Run(name, func(t *testing.T) {
			all := budget.New(1 << 30)
			r := NewReader(Limits{}, all.Account(nil))
			src := strings.NewReader(text)
			for err := error(nil); err != io.EOF; {
				_, err = r.Fill(src)
				_, ok, wrong := r.Next()
				require.False(t, ok)
				require.NoError(t, wrong)
				require.LessOrEqual(t, r.Held(), 3*smallest)
			}
			require.Equal(t, len(text), r.Buffered())
			require.LessOrEqual(t, all.Stats().Peak, int64(len(text)+len(text)/100+4*smallest+budget.BlockBytes))
			r.Free()
			require.Zero(t, all.Used())
		})
	}
}

// TestWholeRequestIsCounted: when a large request is whole, the account counts its bytes and its words before they are allocated. The next Fill
// gives them back.
func TestWholeRequestIsCounted(t *testing.T) {
	const words = 100_000
	text := "*" + strconv.Itoa(words) + "\r\n" + strings.Repeat("$1\r\nx\r\n", words)
	all := budget.New(1 << 30)
	r := NewReader(Limits{}, all.Account(nil))
	src := strings.NewReader(text)
	for {
		args, ok, err := r.Next()
		require.NoError(t, err)
		if ok {
			require.Len(t, args, words)
			require.Equal(t, "x", string(args[words-1]))
			break
		}
		_, err = r.Fill(src)
		require.NoError(t, err)
	}
	require.Equal(t, int64(r.Held()), all.Used())
	require.GreaterOrEqual(t, r.Held(), len(text)+words*sliceBytes)
	require.LessOrEqual(t, all.Stats().Peak, int64(r.Held()+2*budget.BlockBytes), "the bytes do not count twice")
	_, err := r.Fill(strings.NewReader("PING\r\n"))
	require.NoError(t, err)
	require.LessOrEqual(t, all.Used(), int64(2*smallest))

	small := budget.New(int64(len(text) + words*sliceBytes/2))
	r = NewReader(Limits{}, small.Account(nil))
	src = strings.NewReader(text)
	for err = nil; err == nil; {
		if _, err = r.Fill(src); err == nil {
			_, _, err = r.Next()
		}
	}
	require.Equal(t, ErrMemory, err)
	_, _, err = r.Next()
	require.Equal(t, ErrMemory, err)
	r.Free()
	require.Zero(t, small.Used())
}

// TestLargeRequestsCut reads streams of small and large requests, some of them wrong, in random pieces. The requests are those of the oracle,
// which reads each stream in one piece, and all memory is given back.
func TestLargeRequestsCut(t *testing.T) {
	limits := Limits{Args: 4000, Bulk: 70_000, Request: 150_000, Inline: 40_000}
	larger := 0
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		var text strings.Builder
		for range 1 + rnd.IntN(8) {
			words := 1 + rnd.IntN(1+rnd.IntN(40))
			if rnd.IntN(9) == 0 {
				text.WriteString("PING " + strings.Repeat("y", rnd.IntN(41_000)) + "\r\n")
				continue
			}
			text.WriteString("*" + strconv.Itoa(words) + "\r\n")
			for range words {
				n := rnd.IntN(1 + rnd.IntN([]int{10, 5000, 60_000}[rnd.IntN(3)]))
				text.WriteString("$" + strings.Repeat("0", rnd.IntN(50)/49*rnd.IntN(30_000)) + strconv.Itoa(n) + "\r\n")
				text.WriteString(strings.Repeat(string(rune('a'+rnd.IntN(26))), n) + "\r\n")
			}
		}
		sizes := make([]int, 1+rnd.IntN(5))
		for i := range sizes {
			sizes[i] = 1 + rnd.IntN(1+rnd.IntN(30_000))
		}
		all := budget.New(1 << 30)
		r := NewReader(limits, all.Account(nil))
		got, gotErr := outcome(r, &cut{text: text.String(), sizes: sizes})
		want, wantErr := expected(text.String(), limits, false)
		require.Equal(t, len(want), len(got), "seed %d", seed)
		require.True(t, slices.EqualFunc(want, got, slices.Equal), "seed %d", seed)
		require.Equal(t, wantErr, gotErr, "seed %d", seed)
		for _, words := range got {
			if len(strings.Join(words, "")) > smallest {
				larger++
			}
		}
		r.Free()
		require.Zero(t, all.Used())
	}
	t.Logf("%d requests larger than the first memory", larger)
	require.Greater(t, larger, 100)
}
