package session

import (
	"math/rand/v2"
	"sync"
)

// randomness is the random source of a server. A seed gives the same draws for the same commands.
type randomness struct {
	mu sync.Mutex
	r  *rand.Rand
}

// NewRandomness returns the source of a seed.
func NewRandomness(seed uint64) *randomness {
	return &randomness{r: rand.New(rand.NewPCG(seed, 0))}
}

// Fork returns a source for one command, so that a long command does not hold the lock.
func (s *randomness) Fork() *rand.Rand {
	s.mu.Lock()
	defer s.mu.Unlock()
	return rand.New(rand.NewPCG(s.r.Uint64(), s.r.Uint64()))
}
