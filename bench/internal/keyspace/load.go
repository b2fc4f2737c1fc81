package keyspace

import (
	"fmt"
	"math/rand/v2"

	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/listpack"
)

const (
	members              = 20    // of each set
	minMember, maxMember = 8, 16 // bytes
	letters              = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"
)

// sample is one set. Drawing another one takes its place: the load takes no memory, and a microsecond a set.
type sample struct {
	key    string
	names  [members][]byte
	scores [members]float64
	text   [members * maxMember]byte
}

// draw makes the i-th set: the same one at every call.
func (s *sample) draw(seed uint64, i int) {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	s.key = fmt.Sprintf("board:%08d", i)
	for m := range members {
		n := minMember + r.IntN(maxMember-minMember+1)
		text := s.text[m*maxMember : m*maxMember : (m+1)*maxMember]
		text = append(text, letters[m]) // no two of a set are equal
		for bits := r.Uint64(); len(text) < n; bits >>= 4 {
			text = append(text, letters[bits%uint64(len(letters))])
		}
		s.names[m], s.scores[m] = text, float64(r.Int64N(workload.ScoreSpan))
	}
}

// own returns the bytes of the key and of the entries in a listpack.
func (s *sample) own() int {
	l := listpack.New(0)
	for m := range members {
		l.Insert(uint64(s.scores[m]), nil, s.names[m])
	}
	return len(s.key) + len(l.AppendTo(nil))
}
