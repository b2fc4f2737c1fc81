package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Lottery is a weighted draw without replacement: at every prize, each entrant who is left wins with the chance of their
// tickets among all tickets left.
//
// Two sorted sets hold it. In "tickets" the score is the number of tickets. In "line", made when the sale ends, everybody has
// the score -ln(u)/tickets with a uniform u of their own: a waiting time at the rate of their tickets. Of several such times
// the least is entrant i's with the chance tickets(i)/sum, and those left over are again waiting times, which forget how long
// they have waited. So the order of the line is the exact answer to all draws at once (Efraimidis and Spirakis, 2006), and
// a draw is a pop, O(log n).
//
// The line hangs on the tickets and one seed, and on nothing else: the seed is kept beside it, so that anybody can Audit it. It must
// not be known before the sale ends: take it from a public source of that moment.
type Lottery struct {
	e    *engine.Engine
	name string
}

var (
	errClosed = errors.New("the sale has ended")
	errOpen   = errors.New("the sale has not ended")
)

func (l Lottery) tickets() string { return l.name + ":tickets" }
func (l Lottery) line() string    { return l.name + ":line" }
func (l Lottery) seed() string    { return l.name + ":seed" }

// update runs fn on the two sets, as long as the sale has ended or has not.
func (l Lottery) update(closed bool, fn func(tx *engine.Tx, tickets, line *engine.Set) error) error {
	return l.e.Update([]string{l.tickets(), l.line()}, func(tx *engine.Tx) error {
		_, has, err := tx.Get(l.seed())
		switch {
		case err != nil:
			return err
		case has && !closed:
			return errClosed
		case !has && closed:
			return errOpen
		}
		tickets, err := tx.Set(l.tickets())
		if err != nil {
			return err
		}
		line, err := tx.Set(l.line())
		if err != nil {
			return err
		}
		return fn(tx, tickets, line)
	})
}

// Buy gives somebody more tickets.
func (l Lottery) Buy(who string, n uint32) error {
	return l.update(false, func(_ *engine.Tx, tickets, _ *engine.Set) error {
		if n == 0 {
			return nil
		}
		_, err := tickets.IncrBy([]byte(who), float64(n))
		return err
	})
}

// Close ends the sale and puts everybody in line. O(n log n).
func (l Lottery) Close(seed uint64) error {
	return l.update(false, func(tx *engine.Tx, tickets, line *engine.Set) error {
		for _, x := range lineOf(tickets.Append(nil, 0, tickets.Len()), seed) {
			if _, err := line.Add(x.Member, x.Score); err != nil {
				return err
			}
		}
		return tx.Put(l.seed(), strconv.AppendUint(nil, seed, 10))
	})
}

// lineOf turns tickets into waiting times.
func lineOf(entries []zset.Entry, seed uint64) []zset.Entry {
	rng := rand.New(rand.NewPCG(seed, 0))
	for i, x := range entries {
		u := 1 - rng.Float64() // in (0, 1]
		entries[i].Score = -math.Log(u) / x.Score
	}
	return entries
}

// Draw takes the next n winners out of the line, first prize first. It may be called again: for more prizes, or because a winner
// has not come.
func (l Lottery) Draw(n int) (winners []string, err error) {
	err = l.update(true, func(_ *engine.Tx, _, line *engine.Set) error {
		popped, err := line.PopMin(n)
		for _, x := range popped {
			winners = append(winners, string(x.Member))
		}
		return err
	})
	return winners, err
}

// Audit works the line out again from the tickets and the seed, and says whether the winners are those of the first draws.
func (l Lottery) Audit(winners []string) error {
	return l.e.View([]string{l.tickets()}, func(tx *engine.Tx) error {
		text, _, err := tx.Get(l.seed())
		if err != nil {
			return err
		}
		seed, err := strconv.ParseUint(string(text), 10, 64)
		if err != nil {
			return errOpen
		}
		tickets, err := tx.Set(l.tickets())
		if err != nil {
			return err
		}
		line, err := zset.New(zset.Options{})
		if err != nil {
			return err
		}
		for _, x := range lineOf(tickets.Append(nil, 0, tickets.Len()), seed) {
			if _, err := line.Add(x.Member, x.Score); err != nil {
				return err
			}
		}
		right := line.PopMin(nil, len(winners))
		if len(right) < len(winners) {
			return fmt.Errorf("%d winners of %d entrants", len(winners), len(right))
		}
		for i, x := range right {
			if winners[i] != string(x.Member) {
				return fmt.Errorf("prize %d is %s's, not %s's", i+1, x.Member, winners[i])
			}
		}
		return nil
	})
}
