package resp

import (
	"math/rand/v2"
	"sync"
)

// chance is a server's one source of chance. The same seed draws the same for the same commands.
type chance struct {
	mu sync.Mutex
	r  *rand.Rand
}

func newChance(seed uint64) chance { return chance{r: rand.New(rand.NewPCG(seed, 0))} }

// draw returns a source for one command, which so holds up no other.
func (c *chance) draw() *rand.Rand {
	c.mu.Lock()
	defer c.mu.Unlock()
	return rand.New(rand.NewPCG(c.r.Uint64(), c.r.Uint64()))
}
