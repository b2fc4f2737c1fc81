package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
	"github.com/zrankdb/zrank/internal/testclock"
)

// anyText returns a text of random pieces that are hard on keys.
func anyText(rng *rand.Rand, longest int) string {
	pieces := []string{"{", "}", "{}", "}{", "{/0}", "/", "//", "%", "%7B", ":", " ", "0", "ö", "日本", "🏆", "a", "board", "\x00", "\xff", "\n", strings.Repeat("x", 300)}
	var text strings.Builder
	for range rng.IntN(6) {
		text.WriteString(pieces[rng.IntN(len(pieces))])
	}
	return text.String()[:min(text.Len(), longest)]
}

// scriptKeys returns the keys of each script and pipeline of a partition that need one slot.
func (b *clusterBoard) scriptKeys(t *testing.T, rng *rand.Rand, member string) (all [][]string) {
	for len(all) < 20 {
		p, err := b.newPlan(board.Submission{Member: member, Score: board.Ints(1), Once: anyText(rng, 100)}, nil)
		if err != nil {
			return all
		}
		p.outcomes = make([]outcome, len(p.slots))
		keys := b.writer.KeysOf(p.commit())
		k := b.keys.PartitionOf([]byte(member))
		all = append(all, append(keys, b.keys.Fence(k), b.keys.Once(k)), []string{b.keys.Fence(0), b.keys.Records(), b.keys.Audit(0)})
		member = anyText(rng, board.MaxMember)
	}
	return all
}

// TestOneSlot: the keys of every script are in one slot, as a server computes it, for names of boards, members and prefixes of any kind.
func TestOneSlot(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: start(t, 1, "--cluster-enabled", "yes").one()})
	t.Cleanup(func() { _ = client.Close() })
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(23, 1))
	var groups [][]string
	boards, refused := 0, 0
	for boards < 300 {
		spec := board.Spec{Name: anyText(rng, board.MaxName), Op: board.Sum, Windows: []board.Window{
			board.All, board.Hour, {Kind: board.Week.Kind, Name: "w-_" + strings.Repeat("9", rng.IntN(20))}}}.WithDefaults()
		o, err := Options{Prefix: anyText(rng, 1<<10), Partitions: 1 + rng.IntN(64), Clock: testclock.New().Now}.complete()
		if spec.Validate() != nil || err != nil {
			refused++
			continue
		}
		boards++
		b, err := newBoard(new(servers.Servers), o, layout.Board{ID: "ID", Partitions: o.Partitions, Spec: spec})
		require.NoError(t, err)
		groups = append(groups, b.scriptKeys(t, rng, fmt.Sprint("m", boards))...)
	}
	pipe := client.Pipeline()
	var slots [][]*redis.IntCmd
	for _, keys := range groups {
		var group []*redis.IntCmd
		for _, key := range keys {
			group = append(group, pipe.ClusterKeySlot(ctx, key))
		}
		slots = append(slots, group)
	}
	_, err := pipe.Exec(ctx)
	require.NoError(t, err)
	for i, group := range slots {
		for j, slot := range group {
			require.Equal(t, group[0].Val(), slot.Val(), "%q and %q", groups[i][0], groups[i][j])
		}
	}
	t.Logf("%d boards, %d scripts; %d specs and prefixes were refused", boards, len(groups), refused)
}

// TestNamesOnCluster: boards and members with such names work on a cluster.
func TestNamesOnCluster(t *testing.T) {
	client := startCluster(t, 3, 0).client(t)
	rng := rand.New(rand.NewPCG(23, 2))
	for made := 0; made < 30; {
		boards, err := Open(client, Options{Prefix: strings.NewReplacer("{", "", "}", "").Replace(anyText(rng, 1<<10)), Partitions: 1 + rng.IntN(5)})
		require.NoError(t, err)
		spec := board.Spec{Name: anyText(rng, board.MaxName), Op: board.Sum, Windows: []board.Window{board.All, board.Day}}
		if spec.Validate() != nil {
			continue
		}
		made++
		b, err := concrete(boards.Define(t.Context(), spec))
		require.NoError(t, err)
		want := map[string]int64{}
		for range 20 {
			member := anyText(rng, board.MaxMember)
			change, err := b.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(1), Once: anyText(rng, 100)})
			if member == "" {
				require.Error(t, err)
				continue
			}
			require.NoError(t, err)
			if !change.Duplicate {
				want[member]++
			}
		}
		require.NoError(t, b.same(want, "all"))
		require.NoError(t, b.same(want, "day"))
		require.Equal(t, 2*len(want), b.checkStored(t))
		require.NoError(t, boards.Drop(t.Context(), spec.Name))
	}
}
