package resptest

import "math/rand/v2"

// generator generates random scripts. They have few keys and members, so that commands work on the results of others. Most arguments are valid,
// and some are invalid in many ways.
type generator struct {
	*rand.Rand
	members int  // number of different members of sets; 0: the few of the vocabulary
	waits   bool // clients may be blocked for long; see tameWaiting
}

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }
