package wire

import (
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bound returns the most memory that a reader may hold for this number of unread bytes.
func bound(unread int) int { return smallest + 3*unread + 1024 }

// TestMemoryFollowsTheBytes: if a client announces much and sends little, the reader holds memory for the bytes sent.
func TestMemoryFollowsTheBytes(t *testing.T) {
	r := NewReader(Limits{}, nil)
	for _, text := range []string{"*1048576\r\n", "$1\r\nx\r\n", "$67000000\r\n", strings.Repeat("y", 10000)} {
		_, err := r.Fill(strings.NewReader(text))
		require.NoError(t, err)
		_, ok, err := r.Next()
		require.NoError(t, err)
		require.False(t, ok)
		require.LessOrEqual(t, r.Held(), bound(r.Buffered()))
	}
	require.Equal(t, smallest, cap(r.mem))
}

// TestMemoryOfABigRequest: the memory of a reader grows with the bytes of a large request, is bounded, and is freed after the request.
func TestMemoryOfABigRequest(t *testing.T) {
	const size = 4 << 20
	text := "*1\r\n$" + strconv.Itoa(size) + "\r\n" + strings.Repeat("z", size) + "\r\n"
	src := &cut{text: text, sizes: []int{7, 5000, 900}}
	r := NewReader(Limits{Request: 5 << 20}, nil)
	most := 0
	for {
		_, ok, err := r.Next()
		require.NoError(t, err)
		if ok {
			break
		}
		_, err = r.Fill(src)
		require.NoError(t, err)
		require.LessOrEqual(t, r.Held(), bound(r.Buffered()))
		most = max(most, r.Held())
	}
	t.Logf("%d bytes, at most %d held", len(text), most)
	_, err := r.Fill(strings.NewReader("x"))
	require.NoError(t, err)
	require.Equal(t, smallest, cap(r.mem))
	for _, arg := range r.args[:cap(r.args)] {
		require.Nil(t, arg, "no word holds the memory any longer")
	}
}

// TestMemoryOfManyWords: empty words need the most memory per byte. It is bounded, and freed after the request.
func TestMemoryOfManyWords(t *testing.T) {
	const words = 100_000
	src := strings.NewReader("*" + strconv.Itoa(words) + "\r\n" + strings.Repeat("$0\r\n\r\n", words))
	r := NewReader(Limits{}, nil)
	for {
		args, ok, err := r.Next()
		require.NoError(t, err)
		if ok {
			require.Len(t, args, words)
			break
		}
		_, err = r.Fill(src)
		require.NoError(t, err)
	}
	require.LessOrEqual(t, r.Held(), 2*words*(6+sliceBytes+spanBytes))
	_, err := r.Fill(strings.NewReader("x"))
	require.NoError(t, err)
	require.LessOrEqual(t, r.Held(), 3*smallest)
}

// TestFull: Fill without Next returns ErrFull in the end, and no byte is lost.
func TestFull(t *testing.T) {
	text := strings.Repeat("PING\r\n", 20_000)
	src := strings.NewReader(text)
	r := NewReader(Limits{Request: 1000, Inline: 100}, nil)
	var err error
	for err == nil {
		_, err = r.Fill(src)
	}
	require.Equal(t, ErrFull, err)
	require.LessOrEqual(t, r.Held(), smallest)
	requests, wrong := outcome(r, src)
	require.NoError(t, wrong)
	require.Len(t, requests, 20_000)
}

// TestNoByteIsMovedOften: wherever reads cut the requests, the number of moved bytes is at most four times the number of bytes.
func TestNoByteIsMovedOften(t *testing.T) {
	for _, size := range []int{1, 100, 1000, 5000, 9000, 12000, 15000, 15500, 16300, 17000, 40000} {
		request := "*1\r\n$" + strconv.Itoa(size) + "\r\n" + strings.Repeat("z", size) + "\r\n"
		text := strings.Repeat(request, 300_000/len(request)+1)
		src := &cut{text: text, sizes: []int{1460, 1, 16000}}
		r := NewReader(Limits{}, nil)
		moved, done := 0, 0
		for err := error(nil); err != io.EOF; {
			unread, from := r.Buffered(), r.start
			before := cap(r.mem)
			_, err = r.Fill(src)
			if unread > 0 && (r.start != from || cap(r.mem) != before) {
				moved += unread
			}
			for ok := true; ok; {
				_, ok, _ = r.Next()
				if ok {
					done++
				}
			}
		}
		require.Equal(t, len(text)/len(request), done)
		require.LessOrEqual(t, moved, 4*len(text), "requests of %d bytes", len(request))
	}
}

const pipeline = "*4\r\n$4\r\nZADD\r\n$5\r\nboard\r\n$3\r\n123\r\n$8\r\nplayer:1\r\n" +
	"*3\r\n$5\r\nZRANK\r\n$5\r\nboard\r\n$8\r\nplayer:1\r\n"

// TestReaderAllocs: a reader does not allocate for requests of the same sizes as earlier ones.
func TestReaderAllocs(t *testing.T) {
	src := strings.NewReader("")
	r := NewReader(Limits{}, nil)
	text := strings.Repeat(pipeline, 8) + "ECHO \"a b\"\r\n"
	take := func() {
		src.Reset(text)
		for range 2 {
			_, _ = r.Fill(src)
			for ok := true; ok; {
				_, ok, _ = r.Next()
			}
		}
	}
	take()
	require.Zero(t, testing.AllocsPerRun(100, take))
}

func BenchmarkReader(b *testing.B) {
	for _, n := range []int{1, 16} {
		b.Run("pipeline="+strconv.Itoa(n), func(b *testing.B) {
			text := strings.Repeat(pipeline, (n+1)/2)
			src := strings.NewReader(text)
			r := NewReader(Limits{}, nil)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				src.Reset(text)
				_, _ = r.Fill(src)
				for ok := true; ok; {
					_, ok, _ = r.Next()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64((n+1)/2*2), "ns/request")
		})
	}
}
