package local

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// TestYearOfAwards plays a year: 365 days, 52 weeks, 12 months and 4 seasons, with awards of each, and the process down for some days now and then, and once
// for two weeks. All awards and coins are those of the oracle.
func TestYearOfAwards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true, func(g *game) { g.o = engine.Options{Durability: engine.None} })
		s := newYear(g)
		end := time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC)
		for day := 0; s.clock.Now().Before(end); day++ {
			for range 4 + s.rng.IntN(8) {
				s.submit()
			}
			if day%10 == 0 {
				s.setFailing()
			}
			s.nextDay(day)
			if day%3 == 0 {
				s.claim()
			}
			if day%15 == 0 {
				s.resettle()
			}
			s.check()
		}
		settled := map[string]int{}
		for _, p := range s.n.periods {
			if p.revision > 0 {
				settled[p.window.Label()]++
			}
		}
		t.Logf("settled %v, %v", settled, s.counts)
	})
}

// newYear defines the board at the beginning of a year.
func newYear(g *game) *awardScript {
	g.to("2027-01-01 00:00:00")
	var seasons []window.Season
	for i := range 4 {
		from := time.Date(2027, time.Month(1+3*i), 1, 0, 0, 0, 0, time.UTC)
		seasons = append(seasons, window.Season{Name: fmt.Sprint("s", i), Start: from, End: from.AddDate(0, 3, 0)})
	}
	s := newAwardScript(g, 2027, true, board.Window{Kind: window.Day, Keep: 3}, board.Window{Kind: window.Week, Keep: 1}, board.Window{Kind: window.Month},
		board.Window{Name: "season", Kind: window.Seasons, Seasons: seasons})
	for _, w := range s.n.spec.Windows {
		if p := s.n.planOf(w.Label()); p != nil && !p.Claim {
			require.NoError(g.t, s.bs.Deliver(s.board().Name(), w.Label(), Delivery{Grant: s.Grant}))
			s.n.deliver[w.Label()] = true
		}
	}
	return s
}

// nextDay begins the next day, or a later one after the process was down.
func (s *awardScript) nextDay(day int) {
	next, down := s.clock.Now().Truncate(24*time.Hour).Add(24*time.Hour), 0
	switch {
	case day == 100:
		down = 14
	case day%20 == 7:
		down = 1 + s.rng.IntN(6)
	}
	if down == 0 {
		s.clock.Set(next)
	} else {
		require.NoError(s.t, s.bs.Close())
		require.NoError(s.t, s.e.Close())
		s.clock.Set(next.AddDate(0, 0, down))
		s.open()
		for w := range s.n.deliver {
			require.NoError(s.t, s.bs.Deliver(s.board().Name(), w, Delivery{Grant: s.Grant}))
		}
	}
	s.settleNow()
}
