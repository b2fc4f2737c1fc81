package board

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

// BenchmarkClaim claims awards one after the other, with a private key of the program in each transaction, in memory.
func BenchmarkClaim(b *testing.B) {
	g := newGame(b, false)
	x := g.define(daily(AwardPlan{Claim: true, Tiers: medals}, 0))
	subs := make([]Submission, 1000)
	for lo := 0; lo < b.N; lo += len(subs) {
		for i := range subs {
			subs[i] = Submission{Member: fmt.Sprintf("player:%013d", lo+i), Score: Ints(int64(i))}
		}
		_, err := x.SubmitAll(subs)
		require.NoError(b, err)
	}
	g.clock.Add(24 * time.Hour)
	g.settleDue()
	var ids, members []string
	for a, err := range x.Awards("day", "2026-11-20") {
		require.NoError(b, err)
		ids, members = append(ids, a.ID), append(members, a.Member)
	}
	b.ReportAllocs()
	b.ResetTimer()
	var keys []string
	for i := range b.N {
		var err error
		if keys, err = x.ClaimKeys(keys[:0], ids[i]); err != nil {
			b.Fatal(err)
		}
		err = g.e.Update(keys, func(tx *engine.Tx) error {
			a, err := x.In(tx).Claim(members[i], ids[i])
			if err != nil {
				return err
			}
			return tx.Put("coins "+a.Member, []byte(a.Payload))
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSettle settles a day of a million members who all win something, in memory.
func BenchmarkSettle(b *testing.B) {
	const members = 1_000_000
	for range b.N {
		b.StopTimer()
		g := newGame(b, false)
		x := g.define(daily(AwardPlan{Tiers: medals}, 0))
		subs := make([]Submission, 10_000)
		for lo := 0; lo < members; lo += len(subs) {
			for i := range subs {
				subs[i] = Submission{Member: fmt.Sprintf("player:%013d", lo+i), Score: Ints(int64(lo + i*7919%len(subs)))}
			}
			_, err := x.SubmitAll(subs)
			require.NoError(b, err)
		}
		g.clock.Add(24 * time.Hour)
		_, err := g.bs.CloseDue()
		require.NoError(b, err)
		b.StartTimer()
		_, err = g.bs.SettleDue(context.Background())
		require.NoError(b, err)
		b.StopTimer()
		require.NoError(b, g.e.Close())
	}
	b.ReportMetric(members*float64(b.N)/b.Elapsed().Seconds(), "winners/s")
}
