package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// proveCopyAll copies two sets while, between their pages, transactions add 1 to a member of one and take 1 from it in the other. The copies must be
// of one instant: the two scores of each member add up to 0.
func proveCopyAll() (err error) {
	const members = 600
	e, err := New(Options{})
	if err != nil {
		return err
	}
	e.ops.pageWork = 2 << 10
	keys, forms, commits := []string{"plus", "minus"}, make([]Form, 2), 0
	move := func() error {
		commits++
		return e.Update(context.Background(), func(tx *Tx) error {
			for i, key := range keys {
				s, err := tx.IntSet(key, Form{})
				if err != nil {
					return err
				}
				if _, err := s.IncrBy(fmt.Append(nil, commits*7%members), int64(1-2*i)); err != nil {
					return err
				}
			}
			return nil
		}, keys...)
	}
	for range members {
		if err := move(); err != nil {
			return err
		}
	}
	var bad error
	e.ops.copied = func() {
		if err := move(); err != nil {
			bad = err
		}
	}
	for range 3 {
		all, _, err := e.ops.copyAll(context.Background(), keys, forms)
		if err != nil || bad != nil {
			return fmt.Errorf("%w, %w", err, bad)
		}
		for i := range members {
			member := fmt.Append(nil, i)
			plus, _ := all[0].Score(member)
			if minus, _ := all[1].Score(member); plus+minus != 0 {
				return fmt.Errorf("member %d has %d and %d after %d commits", i, plus, minus, commits)
			}
		}
	}
	if commits < members+10 {
		return fmt.Errorf("%d commits during the copies", commits-members)
	}
	return e.Close()
}

// TestCopyAllAtOneInstant: a commit that changes two sets is in the copies of both or of neither.
func TestCopyAllAtOneInstant(t *testing.T) { require.NoError(t, proveCopyAll()) }
