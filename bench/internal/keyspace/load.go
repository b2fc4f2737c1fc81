package keyspace

import (
	"fmt"
	"math/rand/v2"

	"github.com/zrankdb/zrank/listpack"
)

// Members is how many each set has.
const Members = 20

const (
	minMember, maxMember = 8, 16 // bytes
	letters              = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"
	// scoreSpan is where scores come from: whole numbers in [0, 2^40).
	scoreSpan = 1 << 40
)

// sample is one set, as it is put in. Drawing another one takes its place.
type sample struct {
	key     string
	members [Members][]byte
	scores  [Members]float64
	text    [Members * maxMember]byte
}

// draw makes the i-th set: the same one at every call.
func (s *sample) draw(seed uint64, i int) {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	s.key = fmt.Sprintf("board:%08d", i)
	for m := range Members {
		n := minMember + r.IntN(maxMember-minMember+1)
		text := s.text[m*maxMember : m*maxMember : (m+1)*maxMember]
		text = append(text, letters[m]) // no two of a set are equal
		for bits := r.Uint64(); len(text) < n; bits >>= 4 {
			text = append(text, letters[bits%uint64(len(letters))])
		}
		s.members[m], s.scores[m] = text, float64(r.Int64N(scoreSpan))
	}
}

// own returns the bytes of the key and of the entries in a listpack.
func (s *sample) own() int {
	l := listpack.New(0)
	for m := range Members {
		l.Insert(uint64(s.scores[m]), nil, s.members[m])
	}
	return len(s.key) + len(l.AppendTo(nil))
}
