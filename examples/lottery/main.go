// Command lottery sells tickets and draws winners with two sorted sets. An entrant's chance is proportional to their tickets, and
// anybody can audit the draw.
package main

import (
	"fmt"
	"log"

	"github.com/zrankdb/zrank/engine"
)

func main() {
	e, err := engine.New(engine.Options{}) // engine.Open(dir, …) keeps it on disk
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	if err := show(e); err != nil {
		log.Fatal(err)
	}
}

// sales are the purchases: who buys how many tickets.
var sales = []struct {
	who string
	n   uint32
}{{"ada", 50}, {"bea", 20}, {"cyd", 10}, {"bea", 10}, {"dan", 10}}

const total = 100

// show holds one lottery, audits it and a forgery of its winners, and then prints the odds of many lotteries.
func show(e *engine.Engine) error {
	l := Lottery{e, "spring"}
	if err := sell(l); err != nil {
		return err
	}
	if err := l.Close(20261121); err != nil {
		return err
	}
	fmt.Println("late buyer:", l.Buy("eve", 1000))
	winners, err := l.Draw(2)
	if err != nil {
		return err
	}
	next, err := l.Draw(1)
	if err != nil {
		return err
	}
	fmt.Printf("prizes go to %v; in reserve: %v\n", winners, next)
	winners = append(winners, next...)
	fmt.Println("audit:", l.Audit(winners))
	winners[0], winners[1] = winners[1], winners[0]
	fmt.Println("audit of a forgery:", l.Audit(winners))
	return odds(e, 2000)
}

// sell sells the tickets of sales.
func sell(l Lottery) error {
	for _, s := range sales {
		if err := l.Buy(s.who, s.n); err != nil {
			return err
		}
	}
	return nil
}

// odds holds n lotteries and prints how often each entrant wins the first prize.
func odds(e *engine.Engine, n int) error {
	won := map[string]int{}
	for i := range n {
		l := Lottery{e, fmt.Sprint("trial", i)}
		if err := sell(l); err != nil {
			return err
		}
		if err := l.Close(uint64(i)); err != nil {
			return err
		}
		first, err := l.Draw(1)
		if err != nil {
			return err
		}
		won[first[0]]++
	}
	fmt.Printf("first prizes of %d lotteries:\n", n)
	tickets := map[string]uint32{}
	for _, s := range sales {
		tickets[s.who] += s.n
	}
	for _, who := range []string{"ada", "bea", "cyd", "dan"} {
		fmt.Printf("  %s: %2d of %d tickets, %5.2f %% of prizes\n", who, tickets[who], total, 100*float64(won[who])/float64(n))
	}
	return nil
}
