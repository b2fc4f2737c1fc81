package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/board"
)

// benchMembers is the number of members of a board of a benchmark.
const benchMembers = 20_000

// BenchmarkCluster measures calls on a cluster of three masters on one machine, with several numbers of partitions, from 16 callers; naive is ZADD and ZREVRANK of one sorted
// set for each window, with scores that are rounded to doubles and ties by name.
func BenchmarkCluster(b *testing.B) {
	client := startCluster(b, 3, 0).client(b)
	for _, partitions := range []int{1, 4, 16} {
		boards, err := Open(client, Options{Prefix: fmt.Sprint("bench", partitions, ":"), Partitions: partitions})
		require.NoError(b, err)
		arena, err := boards.Define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day, board.Week}})
		require.NoError(b, err)
		var callers sync.WaitGroup
		for first := range 16 {
			callers.Go(func() {
				for i := first; i < benchMembers; i += 16 {
					if _, err := arena.Apply(board.Submission{Member: member(i), Score: board.Ints(rand.Int64N(1000))}); err != nil {
						b.Error(err)
					}
				}
			})
		}
		callers.Wait()
		live, err := arena.Live("all")
		require.NoError(b, err)
		for name, call := range map[string]func() error{
			"apply": func() error {
				_, err := arena.Apply(board.Submission{Member: member(rand.IntN(benchMembers)), Score: board.Ints(1)})
				return err
			},
			"submit": func() error {
				_, err := arena.Submit(board.Submission{Member: member(rand.IntN(benchMembers)), Score: board.Ints(1)})
				return err
			},
			"rank":   func() error { _, _, err := live.Rank(member(rand.IntN(benchMembers))); return err },
			"top10":  func() error { _, err := live.Top(10); return err },
			"around": func() error { _, _, err := live.Around(member(rand.IntN(benchMembers)), 5); return err },
		} {
			parallel(b, fmt.Sprint(name, "/", partitions), call)
		}
	}
	parallel(b, "submit/naive", func() error {
		pipe := client.Pipeline()
		m := member(rand.IntN(benchMembers))
		for _, window := range []string{"all", "day", "week"} {
			pipe.ZIncrBy(context.Background(), "naive{"+window+"}", 1, m)
			pipe.ZRevRank(context.Background(), "naive{"+window+"}", m)
		}
		_, err := pipe.Exec(context.Background())
		return err
	})
}

func member(i int) string { return fmt.Sprintf("player-%013d", i) }

// parallel measures a call from 16 goroutines.
func parallel(b *testing.B, name string, call func() error) {
	b.Run(name, func(b *testing.B) {
		b.SetParallelism(8)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := call(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	})
}
