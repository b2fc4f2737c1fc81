package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// addition is a call on one member: it adds to its score, or with 0 reads it.
type addition struct {
	member string
	by     int64
}

// sumModel is a board of op Sum, member by member: each call returns the score after it.
var sumModel = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byMember := map[string][]porcupine.Operation{}
		for _, op := range history {
			m := op.Input.(addition).member
			byMember[m] = append(byMember[m], op)
		}
		var parts [][]porcupine.Operation
		for _, part := range byMember {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return int64(0) },
	Step: func(state, input, output any) (bool, any) {
		next := state.(int64) + input.(addition).by
		return output.(int64) == next, next
	},
}

// TestLinearizable: the calls of several callers on a member, submissions and reads, have an order that explains their answers, while other members share its partition.
func TestLinearizable(t *testing.T) {
	client := startCluster(t, 3, 0).client(t)
	for _, partitions := range []int{1, 4} {
		c := newCounter(t, client, Options{Partitions: partitions})
		live, err := c.Live(t.Context(), "all")
		require.NoError(t, err)
		var mu sync.Mutex
		var history []porcupine.Operation
		begin := time.Now()
		var callers sync.WaitGroup
		for id := range 8 {
			callers.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(id), uint64(partitions)))
				for range 60 {
					op := porcupine.Operation{ClientId: id, Input: addition{fmt.Sprint("m", rng.IntN(3)), rng.Int64N(3)}, Call: int64(time.Since(begin))}
					total, err := c.call(live, op.Input.(addition))
					if err != nil {
						t.Error(err)
						return
					}
					op.Output, op.Return = total, int64(time.Since(begin))
					mu.Lock()
					history = append(history, op)
					mu.Unlock()
				}
			})
		}
		callers.Wait()
		require.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(sumModel, history, time.Minute), "%d partitions", partitions)
		require.Len(t, history, 480)
	}
}

// call makes a call on the board, and returns the member's score after it.
func (c *counter) call(live board.Ranking, a addition) (int64, error) {
	if a.by == 0 {
		score, ok, err := live.Score(context.Background(), a.member)
		if err != nil || !ok {
			return 0, err
		}
		return int64(score.At(0).Float()), nil
	}
	change, err := c.Submit(context.Background(), board.Submission{Member: a.member, Score: board.Ints(a.by)})
	if err != nil {
		return 0, err
	}
	return int64(change.After.Score.At(0).Float()), nil
}
