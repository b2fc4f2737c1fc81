package local

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/engine"
)

// BenchmarkClaim claims awards one after the other, with a private key of the program in each transaction, in memory.
func BenchmarkClaim(b *testing.B) {
	g := newGame(b, false)
	x := g.define(daily(awards.Plan{Claim: true, Tiers: medals}, 0))
	subs := make([]board.Submission, 1000)
	for lo := 0; lo < b.N; lo += len(subs) {
		for i := range subs {
			subs[i] = board.Submission{Member: fmt.Sprintf("player:%013d", lo+i), Score: board.Ints(int64(i))}
		}
		_, err := x.SubmitAll(b.Context(), subs)
		require.NoError(b, err)
	}
	g.clock.Add(24 * time.Hour)
	g.settleDue()
	var ids, members []string
	for a, err := range x.Awards(b.Context(), "day", "2026-11-20") {
		require.NoError(b, err)
		ids, members = append(ids, a.ID), append(members, a.Member)
	}
	b.ReportAllocs()
	b.ResetTimer()
	var keys []string
	for i := range b.N {
		var err error
		if keys, err = hintsOf(x).Claim(keys[:0], ids[i]); err != nil {
			b.Fatal(err)
		}
		err = g.e.Update(b.Context(), func(tx *engine.Tx) error {
			a, err := in(x, tx).Claim(members[i], ids[i])
			if err != nil {
				return err
			}
			return tx.Put("coins "+a.Member, []byte(a.Payload))
		}, keys...)
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
		x := g.define(daily(awards.Plan{Tiers: medals}, 0))
		subs := make([]board.Submission, 10_000)
		for lo := 0; lo < members; lo += len(subs) {
			for i := range subs {
				subs[i] = board.Submission{Member: fmt.Sprintf("player:%013d", lo+i), Score: board.Ints(int64(lo + i*7919%len(subs)))}
			}
			_, err := x.SubmitAll(b.Context(), subs)
			require.NoError(b, err)
		}
		g.clock.Add(24 * time.Hour)
		_, err := g.bs.CloseDue(b.Context())
		require.NoError(b, err)
		b.StartTimer()
		_, err = g.bs.SettleDue(context.Background())
		require.NoError(b, err)
		b.StopTimer()
		require.NoError(b, g.e.Close())
	}
	b.ReportMetric(members*float64(b.N)/b.Elapsed().Seconds(), "winners/s")
}

// BenchmarkClaimSync claims awards from 64 goroutines on a disk at Sync, beside an update of a private key and a set alone.
func BenchmarkClaimSync(b *testing.B) {
	const most = 200_000
	e, err := engine.Open(b.TempDir(), engine.Options{})
	require.NoError(b, err)
	defer e.Close()
	bs, err := Open(e, Options{})
	require.NoError(b, err)
	defer bs.Close()
	x, ids, members := claimableBoard(b, bs, most)
	claim := func(i int) error {
		keys, err := hintsOf(x).Claim(nil, ids[i])
		if err != nil {
			return err
		}
		return e.Update(b.Context(), func(tx *engine.Tx) error {
			a, err := in(x, tx).Claim(members[i], ids[i])
			if err != nil {
				return err
			}
			return tx.Put("coins "+a.Member, []byte(a.Payload))
		}, keys...)
	}
	alone := func(i int) error {
		return e.Update(b.Context(), func(tx *engine.Tx) error {
			set, err := tx.IntSet("set", engine.Form{TieWidth: 8})
			if err == nil {
				_, err = set.Put([]byte(members[i]), make([]byte, 8), int64(i))
			}
			if err == nil {
				err = tx.Put("coins "+members[i], []byte("1"))
			}
			return err
		}, "set")
	}
	for name, call := range map[string]func(i int) error{"claim": claim, "alone": alone} {
		var next atomic.Int64
		b.Run(name, func(b *testing.B) { together(b, call, &next, most) })
	}
}

// claimableBoard returns a board with a closed day on which members have won something, and their awards.
func claimableBoard(b *testing.B, bs *Boards, n int) (x board.Board, ids, members []string) {
	x, err := bs.Define(b.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.Day}, Awards: []awards.Plan{{Window: "day", Claim: true, Tiers: medals}}})
	require.NoError(b, err)
	subs := make([]board.Submission, 1000)
	for lo := 0; lo < n; lo += len(subs) {
		for i := range subs {
			subs[i] = board.Submission{Member: fmt.Sprintf("player:%013d", lo+i), Score: board.Ints(int64(i))}
		}
		_, err := x.SubmitAll(b.Context(), subs)
		require.NoError(b, err)
	}
	info, err := x.CloseNow(b.Context(), "day")
	require.NoError(b, err)
	_, err = bs.SettleDue(context.Background())
	require.NoError(b, err)
	for a, err := range x.Awards(b.Context(), "day", info.Period) {
		require.NoError(b, err)
		ids, members = append(ids, a.ID), append(members, a.Member)
	}
	return x, ids, members
}

// together makes calls from 64 goroutines: those from next on, most at most.
func together(b *testing.B, call func(i int) error, next *atomic.Int64, most int64) {
	var all sync.WaitGroup
	end := min(next.Load()+int64(b.N), most)
	for range 64 {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < int(end); i = int(next.Add(1)) - 1 {
				if err := call(i); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
	next.Store(end)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}
