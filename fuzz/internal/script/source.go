package script

import (
	"math/rand/v2"
)

// A source makes the random choices of the generator.
type source interface {
	draw(n int) int // 0 to n-1
	more() bool     // whether to make another operation
}

// random is a source from a seed, for a number of operations.
type random struct {
	rng  *rand.Rand
	left int
}

func (r *random) draw(n int) int { return r.rng.IntN(n) }

func (r *random) more() bool { r.left--; return r.left >= 0 }

// tape is a source from bytes: a fuzzer that changes a byte changes a choice.
type tape struct {
	bytes []byte
	left  int
}

func (t *tape) draw(n int) int {
	if len(t.bytes) == 0 {
		return 0
	}
	b := t.bytes[0]
	t.bytes = t.bytes[1:]
	return int(b) % n
}

func (t *tape) more() bool { t.left--; return t.left >= 0 && len(t.bytes) > 0 }
