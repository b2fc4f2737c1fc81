package served

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

const (
	// maxRequests is how many requests are drawn for a turn, and sent again from the first if they do not last.
	maxRequests = 1 << 19
	// scores are whole numbers below scoreSpan.
	scoreSpan = 1 << 40
)

// requests are the bytes that go over the wire, cut where a connection waits for the replies.
type requests struct {
	depth int
	bytes []byte
	ends  []int // of each cut
	at    int   // the next
}

// draw draws requests of a spot on a set of n members. The same seed draws the same.
func draw(s Spot, n int, seed uint64) *requests {
	r := rand.New(rand.NewPCG(seed, 0x736572766564))
	count := min(maxRequests, 4*n) / s.Depth * s.Depth
	stream := workload.NewStream(count, func(int) int { return r.IntN(n) }, func() float64 { return float64(r.Int64N(scoreSpan)) })
	l := &requests{depth: s.Depth}
	var args []string
	for i := range count {
		name := stream.Key(i).Name
		switch s.Command.Name {
		case "ZADD":
			args = append(args, strconv.FormatFloat(stream.Score(i), 'f', -1, 64), name)
		case "ZINCRBY":
			args = append(args, "1", name)
		case "ZRANGE":
			first := r.IntN(max(1, n-workload.PageLen))
			args = append(args, strconv.Itoa(first), strconv.Itoa(first+workload.PageLen-1))
		default:
			args = append(args, name)
		}
		l.bytes = appendRequest(l.bytes, s.Command.Name, args)
		args = args[:0]
		if (i+1)%s.Depth == 0 {
			l.ends = append(l.ends, len(l.bytes))
		}
	}
	return l
}

func appendRequest(b []byte, name string, args []string) []byte {
	b = fmt.Appendf(b, "*%d\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n", len(args)+2, len(name), name, len(board), board)
	for _, a := range args {
		b = fmt.Appendf(b, "$%d\r\n%s\r\n", len(a), a)
	}
	return b
}

// next returns what a connection sends next.
func (l *requests) next() []byte {
	if l.at == len(l.ends) {
		l.at = 0
	}
	from := 0
	if l.at > 0 {
		from = l.ends[l.at-1]
	}
	l.at++
	return l.bytes[from:l.ends[l.at-1]]
}
