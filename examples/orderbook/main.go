// Command orderbook is an exchange of one stock. It matches orders by price and time with sorted sets. Each order is one transaction
// with all its trades.
package main

import (
	"context"
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
	if err := show(Book{e}); err != nil {
		log.Fatal(err)
	}
}

// show places some orders, cancels one, and prints the fills and the book.
func show(b Book) error {
	for _, o := range []struct {
		who             string
		side            Side
		quantity, price float64
	}{
		{"ada", Sell, 100, 1012}, {"bea", Sell, 50, 1010}, {"cyd", Sell, 70, 1010}, {"dan", Buy, 80, 1005}, {"eve", Buy, 40, 1007},
		{"fay", Buy, 90, 1010},
	} {
		id, fills, err := b.Limit(o.who, o.side, o.quantity, o.price)
		if err != nil {
			return err
		}
		printFills(id, fills)
	}
	fills, err := b.Market("gus", Sell, 60)
	if err != nil {
		return err
	}
	printFills("gus at any price", fills)
	cancelled, err := b.Cancel("1/ada")
	if err != nil {
		return err
	}
	fmt.Println("1/ada cancelled:", cancelled)
	return b.print()
}

// printFills prints the fills of an order.
func printFills(id string, fills []Fill) {
	fmt.Printf("%s:", id)
	if len(fills) == 0 {
		fmt.Print(" in the book")
	}
	for _, f := range fills {
		fmt.Printf(" %v at %v from %s", f.Quantity, f.Price, f.Maker)
	}
	fmt.Println()
}

// print prints the asks from the worst to the best, the bids from the best to the worst, and the cash and stock of each trader.
func (b Book) print() error {
	return b.e.View(context.Background(), func(tx *engine.Tx) error {
		d, err := openDesk(tx)
		if err != nil {
			return err
		}
		for id, price := range d.asks.RevRange(0, d.asks.Len()) {
			left, _ := d.open.Score(id)
			fmt.Printf("  ask %v x %3v  %s\n", price, left, id)
		}
		for id, price := range d.bids.Range(0, d.bids.Len()) {
			left, _ := d.open.Score(id)
			fmt.Printf("  bid %v x %3v  %s\n", -price, left, id)
		}
		for who, cash := range d.cash.Range(0, d.cash.Len()) {
			stock, _ := d.stock.Score(who)
			fmt.Printf("  %s: %+v cash, %+v stock\n", who, cash, stock)
		}
		return nil
	}, names...)
}
