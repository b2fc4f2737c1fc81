package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Lottery is a weighted draw without replacement: the chance of an entrant to win the next prize is the number of their tickets,
// divided by the number of tickets of all entrants who have not won yet.
//
// It uses two sorted sets. In "tickets" the score is the number of tickets. Close makes the set "line", in which an entrant's score
// is -ln(u)/tickets with a random number u, uniform in (0, 1]: an exponential waiting time whose rate is the number of tickets.
// Entrant i has the least of these times with the chance tickets(i)/sum. Exponential times have no memory, so the same holds for
// the entrants who are left. The order of the line is therefore the order of all prizes (Efraimidis and Spirakis, 2006), and a draw
// pops the first entrant, O(log n).
//
// The line depends only on the tickets and one seed. The seed is stored, so that anybody can Audit the draw. Nobody may know the seed
// before the sale ends: take it from a public source of that moment.
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

// update runs fn on the two sets in a transaction. It fails unless the sale has ended, if closed is set, or has not ended, if it is not.
func (l Lottery) update(closed bool, fn func(tx *engine.Tx, tickets, line *engine.Set) error) error {
	return l.e.Update(context.Background(), func(tx *engine.Tx) error {
		_, ended, err := tx.Get(l.seed())
		switch {
		case err != nil:
			return err
		case ended && !closed:
			return errClosed
		case !ended && closed:
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
	}, l.tickets(), l.line())
}

// Buy gives an entrant n more tickets.
func (l Lottery) Buy(entrant string, n uint32) error {
	return l.update(false, func(_ *engine.Tx, tickets, _ *engine.Set) error {
		if n == 0 {
			return nil
		}
		_, err := tickets.IncrBy([]byte(entrant), float64(n))
		return err
	})
}

// Close ends the sale and puts all entrants in line. O(n log n).
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

// lineOf replaces the numbers of tickets in entries by waiting times. It returns entries.
func lineOf(entries []zset.Entry, seed uint64) []zset.Entry {
	rng := rand.New(rand.NewPCG(seed, 0))
	for i, x := range entries {
		u := 1 - rng.Float64() // in (0, 1]
		entries[i].Score = -math.Log(u) / x.Score
	}
	return entries
}

// Draw removes the next n winners from the line, first prize first. Call it again for more prizes, or if a winner does not turn up.
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

// Audit computes the line again from the tickets and the seed. It returns an error unless the winners are the first ones in the line.
func (l Lottery) Audit(winners []string) error {
	return l.e.View(context.Background(), func(tx *engine.Tx) error {
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
	}, l.tickets())
}
