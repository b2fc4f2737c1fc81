package local

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// inTx reads both boards, submits to them and changes a private key in one transaction, all or nothing. Before and after the submissions every ranking is
// that of the oracle.
func (s *script) inTx() {
	ctx := context.Background()
	one, two := s.boards["shop"], s.boards["shop/flowers"]
	a, b := s.submission(one), s.submission(two)
	a.Once, b.Once = "", ""
	fail := s.rng.IntN(4) == 0
	var score func(board.Row, bool) (board.Score, bool) // of SubmitFunc; nil: Submit
	if s.rng.IntN(3) == 0 {
		score = func(was board.Row, ranked bool) (board.Score, bool) {
			return a.Score, !ranked || was.Beyond || was.Rank%2 == 1
		}
	}
	ones, twos := one.clone(), two.clone() // the oracles after the transaction
	wantA, _, errA := ones.submitAll([]board.Submission{a}, score, s.clock.Now())
	wantB, _, errB := twos.submitAll([]board.Submission{b}, nil, s.clock.Now())
	keys, err := hintsOf(s.board("shop")).Submit(ctx, nil, a)
	if err == nil {
		keys, err = hintsOf(s.board("shop/flowers")).Submit(ctx, keys, b)
	}
	if err != nil {
		return
	}
	keys = s.readKeys(s.readKeys(keys, one), two)
	err = s.e.Update(ctx, func(tx *engine.Tx) error {
		s.readIn(tx, one, two)
		got, err := in(s.board("shop"), tx).SubmitFunc(a, score)
		if s.same(errA, err) {
			require.Equal(s.t, wantA, s.fitAll(one, wantA, got))
		}
		changed, err := in(s.board("shop/flowers"), tx).Apply(b)
		if s.same(errB, err) {
			require.Equal(s.t, hasChanged(wantB[0]), changed)
		}
		s.readIn(tx, ones, twos)
		if fail {
			return errChanged
		}
		return tx.Put("coins", fmt.Append(nil, len(s.coins)))
	}, keys...)
	if fail {
		require.ErrorIs(s.t, err, errChanged)
		one.copyOpenPeriods(ones)
		two.copyOpenPeriods(twos)
	} else {
		require.NoError(s.t, err)
		s.boards["shop"], s.boards["shop/flowers"], s.coins = ones, twos, fmt.Sprint(len(s.coins))
	}
	s.counts["transactions"]++
}

// readKeys appends the keys to read all rankings of a board, with those of all members.
func (s *script) readKeys(keys []string, n *naive) []string {
	s.t.Helper()
	b, err := s.board(n.spec.Name), error(nil)
	for _, w := range n.windows {
		var names []string
		for name := range w.periods {
			names = append(names, name)
		}
		if keys, err = hintsOf(b).Read(context.Background(), keys, w.Name); err != nil {
			require.NoError(s.t, err)
		}
		for m := range 12 {
			keys, err = hintsOf(b).ReadOf(context.Background(), keys, string(rune('a'+m)), w.Name, names...)
			require.NoError(s.t, err)
		}
	}
	return keys
}

// readIn compares every ranking of boards in a transaction with those of their oracles.
func (s *script) readIn(tx *engine.Tx, oracles ...*naive) {
	s.t.Helper()
	for _, n := range oracles {
		in := in(s.board(n.spec.Name), tx)
		s.checkLiveIn(in, n)
		lines := strings.SplitAfter(n.dump(), "\n")[1:]
		want := slices.DeleteFunc(lines, func(line string) bool {
			return strings.Contains(line, " base ") || strings.HasPrefix(line, " journal ")
		})
		require.ElementsMatch(s.t, want, append(s.dumpIn(in, n), ""))
		s.counts["read in transactions"]++
	}
}

// checkLiveIn requires that the live ranking of each window is that of its period.
func (s *script) checkLiveIn(in InTx, n *naive) {
	for _, w := range n.windows {
		p, err := w.cal.At(s.clock.Now())
		require.NoError(s.t, err)
		live, err := in.Live(w.Name)
		require.NoError(s.t, err)
		require.Equal(s.t, p.Name, infoOf(live).Period)
		var entries naiveEntries
		if w.periods[p.Name] != nil {
			entries = w.periods[p.Name].entries
		}
		got, err := live.Len(context.Background())
		require.NoError(s.t, err)
		require.Equal(s.t, len(n.ranked(n.rows(entries))), got)
		if len(entries) == 0 {
			_, err := in.Period(w.Name, p.Name)
			require.ErrorIs(s.t, err, board.ErrNoPeriod)
		}
	}
}

// dumpIn returns the lines that naive.dump writes of periods, and compares the rank and the score of each member.
func (s *script) dumpIn(in InTx, n *naive) (lines []string) {
	for _, w := range n.windows {
		for name, p := range w.periods {
			if len(p.entries) == 0 {
				continue
			}
			r, err := in.Period(w.Name, name)
			require.NoError(s.t, err)
			var out bytes.Buffer
			fmt.Fprintf(&out, " %s %s closed=%v:", w.Name, name, infoOf(r).Closed)
			require.NoError(s.t, dumpRows(&out, n.spec.BestRanks, w.Name, r, in.BestRank))
			lines = append(lines, out.String())
			for m := range 12 {
				s.checkTop(n, n.rows(p.entries), r, string(rune('a'+m)))
			}
		}
	}
	return lines
}
