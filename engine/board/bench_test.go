package board

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

func BenchmarkSubmit(b *testing.B) {
	e, err := engine.New(engine.Options{})
	require.NoError(b, err)
	defer e.Close()
	bs, err := Open(e, Options{})
	require.NoError(b, err)
	defer bs.Close()
	arena, err := bs.Define(Spec{Name: "arena", Op: Sum, Windows: []Window{All, Day, Week}})
	require.NoError(b, err)
	const n = 100_000
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf("player-%012d", i)
		_, err := arena.Submit(Submission{Member: members[i], Score: Ints(int64(i))})
		require.NoError(b, err)
	}
	b.ReportAllocs()
	for b.Loop() {
		_, err := arena.Submit(Submission{Member: members[rand.IntN(n)], Score: Ints(rand.Int64N(1000))})
		if err != nil {
			b.Fatal(err)
		}
	}
}
