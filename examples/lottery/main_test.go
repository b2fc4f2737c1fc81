package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

func Example() {
	main()
	// Output:
	// late buyer: the sale has ended
	// prizes go to [ada bea]; in reserve: [cyd]
	// audit: <nil>
	// audit of a forgery: prize 1 is ada's, not bea's
	// first prizes of 2000 lotteries:
	//   ada: 50 of 100 tickets, 49.95 % of prizes
	//   bea: 30 of 100 tickets, 30.80 % of prizes
	//   cyd: 10 of 100 tickets,  8.95 % of prizes
	//   dan: 10 of 100 tickets, 10.30 % of prizes
}

// TestOdds holds lotteries with different seeds and counts each ordered pair of winners. It compares the counts with the chances
// of drawing tickets from a drum one by one, w1/W * w2/(W-w1), by a chi-square test.
func TestOdds(t *testing.T) {
	const n = 6000
	tickets := map[string]float64{"ada": 50, "bea": 30, "cyd": 10, "dan": 10}
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	count := map[string]float64{}
	for i := range n {
		l := Lottery{e, fmt.Sprint(i)}
		require.NoError(t, sell(l))
		require.NoError(t, l.Close(uint64(i)+1<<32))
		winners, err := l.Draw(2)
		require.NoError(t, err)
		count[strings.Join(winners, " ")]++
	}
	chi := 0.0
	for first, w1 := range tickets {
		for next, w2 := range tickets {
			if first != next {
				want := n * w1 / total * w2 / (total - w1)
				got := count[first+" "+next]
				chi += (got - want) * (got - want) / want
				delete(count, first+" "+next)
			}
		}
	}
	require.Empty(t, count)
	require.Less(t, chi, 31.3, "exceeded by chance once in a thousand tests, with 11 degrees of freedom")
	t.Logf("%d lotteries, 12 pairs of winners: chi square %.1f, 31.3 allowed", n, chi)
}

// TestEverybodyOnce: the line has every entrant once, draws from an empty line return nobody, and all winners pass the audit.
func TestEverybodyOnce(t *testing.T) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	l := Lottery{e, "x"}
	_, err = l.Draw(1)
	require.ErrorIs(t, err, errOpen)
	require.ErrorIs(t, l.Audit(nil), errOpen)
	for i := range 200 {
		require.NoError(t, l.Buy(fmt.Sprint(i), uint32(i%7)))
	}
	require.NoError(t, l.Close(7))
	require.ErrorIs(t, l.Close(8), errClosed)
	seen := map[string]bool{}
	var all []string
	for range 60 {
		winners, err := l.Draw(3)
		require.NoError(t, err)
		for _, w := range winners {
			require.False(t, seen[w])
			seen[w] = true
		}
		all = append(all, winners...)
	}
	require.Len(t, seen, 171, "an entrant without tickets is not in the line")
	require.NoError(t, l.Audit(all))
	require.ErrorContains(t, l.Audit(append(all, "somebody")), "172 winners")
}
