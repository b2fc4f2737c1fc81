package served

import (
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
	l := &requests{depth: s.Depth}
	var first, second []byte // words after the key
	for i := range count {
		first, second = first[:0], second[:0]
		switch s.Command.Name {
		case "ZADD":
			first, second = strconv.AppendInt(first, r.Int64N(scoreSpan), 10), workload.AppendMember(second, r.IntN(n))
		case "ZINCRBY":
			first, second = append(first, '1'), workload.AppendMember(second, r.IntN(n))
		case "ZRANGE":
			lo := r.IntN(max(1, n-workload.PageLen))
			first, second = strconv.AppendInt(first, int64(lo), 10), strconv.AppendInt(second, int64(lo+workload.PageLen-1), 10)
		default:
			first = workload.AppendMember(first, r.IntN(n))
		}
		l.add(s.Command.Name, first, second)
		if (i+1)%s.Depth == 0 {
			l.ends = append(l.ends, len(l.bytes))
		}
	}
	return l
}

// add appends a request on the set, of one word more or two.
func (l *requests) add(name string, first, second []byte) {
	words := int64(3)
	if len(second) > 0 {
		words++
	}
	l.bytes = line(l.bytes, '*', words)
	l.bytes = word(word(word(l.bytes, []byte(name)), []byte(board)), first)
	if len(second) > 0 {
		l.bytes = word(l.bytes, second)
	}
}

func word(b, text []byte) []byte {
	return append(append(line(b, '$', int64(len(text))), text...), "\r\n"...)
}

func line(b []byte, kind byte, n int64) []byte {
	return append(strconv.AppendInt(append(b, kind), n, 10), "\r\n"...)
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
