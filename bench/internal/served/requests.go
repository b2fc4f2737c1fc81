package served

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// maxRequests is how many requests are drawn for a turn, and sent again from the first if they do not last.
const maxRequests = 1 << 19

// requests are the bytes of requests, in parts of one pipeline.
type requests struct {
	depth int
	bytes []byte
	ends  []int // of each cut
	at    int   // the next
}

// draw draws requests of a spot on a set of n members. The same seed draws the same.
func draw(s spot, n int, seed uint64) *requests {
	r := rand.New(rand.NewPCG(seed, 0x736572766564))
	count := min(maxRequests, 4*n) / s.depth * s.depth
	l := &requests{depth: s.depth}
	member := func() string { return string(workload.AppendMember(nil, r.IntN(n))) }
	for i := range count {
		args := []string{s.command.name, subject.Arena}
		switch s.command.name {
		case "ZADD":
			args = append(args, strconv.FormatInt(r.Int64N(workload.ScoreSpan), 10), member())
		case "ZINCRBY":
			args = append(args, "1", member())
		case "ZRANGE":
			lo := r.IntN(max(1, n-workload.PageLen))
			args = append(args, strconv.Itoa(lo), strconv.Itoa(lo+workload.PageLen-1))
		default:
			args = append(args, member())
		}
		l.bytes = fmt.Appendf(l.bytes, "*%d\r\n", len(args))
		for _, a := range args {
			l.bytes = fmt.Appendf(l.bytes, "$%d\r\n%s\r\n", len(a), a)
		}
		if (i+1)%s.depth == 0 {
			l.ends = append(l.ends, len(l.bytes))
		}
	}
	return l
}

// next returns the next pipeline.
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

// skip returns the length of the first reply in b, or 0 if the reply is incomplete. It fails for an error reply.
func skip(b []byte) (int, error) {
	at := 0
	for parts := 1; parts > 0; parts-- { // an array has parts
		end := bytes.IndexByte(b[at:], '\n')
		if end < 0 {
			return 0, nil
		}
		line := b[at : at+end]
		if len(line) < 2 {
			return 0, fmt.Errorf("reply %q", line)
		}
		at += end + 1
		switch line[0] {
		case ':', '+':
		case '$':
			at += max(0, number(line)) + len("\r\n")
		case '*':
			parts += number(line)
		default:
			return 0, fmt.Errorf("reply %q", line)
		}
		if at > len(b) {
			return 0, nil
		}
	}
	return at, nil
}

// number parses the number of a line such as "$20\r". A null reply has no valid number; no command here has one.
func number(line []byte) (n int) {
	for _, c := range line[1 : len(line)-1] {
		n = 10*n + int(c-'0')
	}
	return n
}
