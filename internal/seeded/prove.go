//go:build seeded

package seeded

import "testing"

// Proof is a seeded bug and a fast test that must notice it.
type Proof struct {
	Bug   string       // as asked for with Bug
	Check func() error // returns an error when the contract is violated
}

// Proofs returns proofs of several bugs by one test.
func Proofs(check func() error, bugs ...string) []Proof {
	list := make([]Proof, len(bugs))
	for i, bug := range bugs {
		list[i] = Proof{bug, check}
	}
	return list
}

// Seeds returns a test that is run with the seeds from 0 to n-1, up to an error.
func Seeds(n uint64, check func(seed uint64) error) func() error {
	return func() error {
		for seed := range n {
			if err := check(seed); err != nil {
				return err
			}
		}
		return nil
	}
}

// Prove switches each bug on in turn: its proof must fail with the bug, and pass without it. So it shows that a zero in the fault
// matrix means no bug, not a blind test.
func Prove(t *testing.T, proofs []Proof) {
	caught := 0
	for _, p := range proofs {
		t.Run(p.Bug, func(t *testing.T) {
			defer Set("")
			Set(p.Bug)
			err := p.Check()
			if err == nil {
				t.Fatal("nobody noticed")
			}
			t.Logf("noticed: %.200v", err)
			Set("")
			if err := p.Check(); err != nil {
				t.Fatalf("the proof fails without the bug too: %v", err)
			}
			caught++
		})
	}
	t.Logf("seeded bugs caught %d/%d", caught, len(proofs))
}
