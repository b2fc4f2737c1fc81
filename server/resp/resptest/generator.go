package resptest

import "math/rand/v2"

// generator writes random scripts: few keys and few members, so that commands meet what others have left; most
// arguments right, some wrong in every way there is.
type generator struct {
	*rand.Rand
	members int  // that sets may have; 0: the few of the vocabulary
	waits   bool // clients may be blocked for long; see tameWaiting
}

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }
