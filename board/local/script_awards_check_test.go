package local

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/engine"
)

// check compares all awards and coins with the oracle.
func (s *awardScript) check() {
	s.t.Helper()
	s.settleNow()
	now := s.clock.Now()
	for _, p := range s.n.periods {
		if p.revision == 0 || p.gone {
			continue
		}
		text, err := "", error(nil)
		for a, bad := range s.board().Awards(context.Background(), p.window.Label(), p.Name) {
			if err = bad; err == nil {
				text += awardText(a)
			}
		}
		if errors.Is(err, awards.ErrNoAward) {
			require.True(s.t, p.window.Keep > 0 && (p.waiting() == 0 || p.expired(now)), "%s %s was dropped, and %d awards wait", p.window.Label(), p.Name, p.waiting())
			p.gone = true
			s.counts["dropped"]++
			continue
		}
		require.NoError(s.t, err)
		require.Equal(s.t, p.text(now), text, "%s %s, %+v without %v", p.window.Label(), p.Name, p.plan, p.without)
		s.counts["awards"] += len(p.awards)
	}
	s.checkKept(now)
	coins := map[string]int{}
	require.NoError(s.t, s.e.View(context.Background(), func(tx *engine.Tx) error {
		for kv, err := range tx.Scan("coins ") {
			if err != nil {
				return err
			}
			coins[string(kv.Key)[len("coins "):]], err = strconv.Atoi(string(kv.Value))
			require.NoError(s.t, err)
		}
		return nil
	}))
	require.Equal(s.t, s.n.coins, coins)
}

// checkKept checks how many awards wait, and that a window has no more closed periods than it keeps, but for those that wait.
func (s *awardScript) checkKept(now time.Time) {
	s.t.Helper()
	for _, w := range s.n.spec.Windows {
		list, err := s.board().Settlements(context.Background(), w.Label())
		require.NoError(s.t, err)
		waits := map[string]bool{}
		for _, x := range list {
			i := slices.IndexFunc(s.n.periods, func(p *naiveSettled) bool { return p.Name == x.Period && p.window.Label() == w.Label() })
			p := s.n.periods[i]
			want := p.waiting()
			waits[x.Period] = want > 0 && !p.plan.Claim
			if p.expired(now) {
				want = 0
			}
			require.Equal(s.t, []int{want, p.revision, len(p.awards)}, []int{x.Waiting, x.Revision, x.Awards}, "%s %s", w.Label(), p.Name)
		}
		if w.Keep == 0 {
			continue
		}
		all, err := s.board().Periods(context.Background(), w.Label())
		require.NoError(s.t, err)
		all = slices.DeleteFunc(all, func(u board.Usage) bool { return !u.Closed })
		for i, u := range all {
			require.True(s.t, i >= len(all)-w.Keep || waits[u.Period], "%s %s is kept, and does not wait", w.Label(), u.Period)
		}
	}
}
