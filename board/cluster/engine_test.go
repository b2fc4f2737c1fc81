package cluster

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/testclock"
)

// pair is the same board on an engine and on servers.
type pair struct {
	clock *testclock.Clock
	here  board.Board
	there *clusterBoard
	rng   *rand.Rand

	hereAll  *local.Boards
	thereAll *Boards
}

func newPair(t *testing.T, client redis.UniversalClient, partitions int, spec board.Spec) *pair {
	p := &pair{clock: testclock.New(), rng: rand.New(rand.NewPCG(uint64(partitions), 23))}
	e, err := engine.New(engine.Options{Clock: p.clock.Now})
	require.NoError(t, err)
	p.hereAll, err = local.Open(e, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.hereAll.Close()) })
	p.here, err = p.hereAll.Define(t.Context(), spec)
	require.NoError(t, err)
	p.thereAll, err = Open(client, Options{Prefix: fmt.Sprint("test", prefixes.Add(1), ":"), Partitions: partitions, Clock: p.clock.Now})
	require.NoError(t, err)
	p.there, err = concrete(p.thereAll.Define(t.Context(), spec))
	require.NoError(t, err)
	return p
}

// submit makes one submission to both, in a microsecond of its own.
func (p *pair) submit(t *testing.T, members int) {
	p.clock.Add(time.Microsecond)
	s := board.Submission{Member: fmt.Sprint("m", p.rng.IntN(members)), Score: board.Ints(p.rng.Int64N(1000)-200, p.rng.Int64N(3)), Near: p.rng.IntN(3),
		Overtaken: p.rng.IntN(4), If: board.Condition(p.rng.IntN(4))}
	if p.rng.IntN(5) == 0 {
		s.Meta = fmt.Append(nil, p.rng.IntN(100))
	}
	want, err := p.here.Submit(t.Context(), s)
	require.NoError(t, err)
	got, err := p.there.Submit(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, want, got, "%+v", s)
}

// compare makes one random read of both.
func (p *pair) compare(t *testing.T, here, there board.Ranking, members int) {
	n, member := p.rng.IntN(members+10)-5, fmt.Sprint("m", p.rng.IntN(members))
	score := board.Ints(p.rng.Int64N(1000)-200, p.rng.Int64N(3))
	reads := []func(board.Ranking) (any, error){
		func(r board.Ranking) (any, error) { return r.Len(t.Context()) },
		func(r board.Ranking) (any, error) { return all(r.Rank(t.Context(), member)) },
		func(r board.Ranking) (any, error) { return all(r.By(board.Competition).Rank(t.Context(), member)) },
		func(r board.Ranking) (any, error) { return all(r.By(board.Modified).Rank(t.Context(), member)) },
		func(r board.Ranking) (any, error) { return r.Top(t.Context(), max(n%30, 0)) },
		func(r board.Ranking) (any, error) { return r.Places(t.Context(), n, n+5) },
		func(r board.Ranking) (any, error) { return all(r.Around(t.Context(), member, 3)) },
		func(r board.Ranking) (any, error) { return r.AroundScore(t.Context(), score, 2) },
		func(r board.Ranking) (any, error) { return r.Count(t.Context(), &score, nil) },
		func(r board.Ranking) (any, error) { return all(r.Percentile(t.Context(), member)) },
		func(r board.Ranking) (any, error) { return all(r.AtPercentile(t.Context(), float64(p.rng.IntN(101)))) },
		func(r board.Ranking) (any, error) { return r.Histogram(t.Context(), 4) },
		func(r board.Ranking) (any, error) { return all(r.Gap(t.Context(), member, 10)) },
		func(r board.Ranking) (any, error) { return r.Card(t.Context(), member, 3, 2) },
		func(r board.Ranking) (any, error) { return r.Among(t.Context(), member, "m1", "m2", "nobody") },
	}
	i := p.rng.IntN(len(reads))
	seed := p.rng.Uint64()
	p.rng = rand.New(rand.NewPCG(seed, 1))
	want, err := reads[i](here)
	require.NoError(t, err)
	p.rng = rand.New(rand.NewPCG(seed, 1))
	got, err := reads[i](there)
	require.NoError(t, err)
	require.Equal(t, want, got, "read %d, n %d, %s", i, n, member)
}

func all[T any](v T, ok bool, err error) ([]any, error) { return []any{v, ok}, err }

// TestAsEngine: random submissions and reads have the same answers as on an engine, with many members, so that places lie deep in every partition.
func TestAsEngine(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: start(t, 1).one()})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	columns := []board.Column{{Name: "points"}, {Name: "deaths", Order: board.Asc}}
	for op, partitions := range map[board.Op]int{board.Best: 1, board.Sum: 3, board.Last: 2} {
		t.Run(fmt.Sprint(op, " ", partitions), func(t *testing.T) {
			p := newPair(t, client, partitions, board.Spec{Name: "a}b{", Columns: columns, Op: op, MaxMeta: 8, Windows: []board.Window{board.All, board.Day}})
			const members = 3000
			for i := range members + 1000 {
				p.submit(t, 1+i*members/(members+1000))
			}
			here, err := p.here.Live(t.Context(), "all")
			require.NoError(t, err)
			there, err := p.there.Live(t.Context(), "all")
			require.NoError(t, err)
			for range 1000 {
				p.compare(t, here, there, members)
			}
			pinned, err := there.Pin(t.Context())
			require.NoError(t, err)
			for range 100 {
				p.compare(t, here, pinned, members)
			}
		})
	}
}
