package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/zrankdb/zrank/engine"
)

// Book matches orders by price and then by time: the best price first, and at the same price the oldest order.
//
// Bids and asks are sorted sets of order ids. The score is the price, negated for bids, so that the best is first in both. The tie is
// the order's number, so that the older of two equal prices is first. The set "open" has the unfilled quantity of each order; "cash" and
// "stock" have the amounts of each trader, which may be negative here. Numbers are whole, and exact up to 2^53. An order with all its
// fills is one transaction: readers and crashes see all of it or nothing.
type Book struct{ e *engine.Engine }

// Side is what an order wants: Buy or Sell.
type Side float64

const (
	Buy  Side = 1
	Sell Side = -1
)

// Fill is a trade with an order in the book, at that order's price.
type Fill struct {
	Maker           string // the id of the order in the book
	Price, Quantity float64
}

// errOrder is returned for an invalid order: a quantity must be a whole number from 1, and a price must not be NaN.
var errOrder = errors.New("no such order")

// names are the keys of the book's sets, in the order of desk's fields.
var names = []string{"asks", "bids", "open", "cash", "stock", "count"}

// desk is the book inside a transaction.
type desk struct{ asks, bids, open, cash, stock, count *engine.Set }

func openDesk(tx *engine.Tx) (*desk, error) {
	d := &desk{}
	for i, s := range []**engine.Set{&d.asks, &d.bids, &d.open, &d.cash, &d.stock, &d.count} {
		width := 0
		if i < 2 { // asks and bids
			width = 8 // the order's number
		}
		var err error
		if *s, err = tx.SetTied(names[i], width); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// update runs fn on the book in a transaction.
func (b Book) update(fn func(d *desk) error) error {
	return b.e.Update(context.Background(), func(tx *engine.Tx) error {
		d, err := openDesk(tx)
		if err != nil {
			return err
		}
		return fn(d)
	}, names...)
}

// Limit trades at the price or better, and puts the unfilled rest in the book.
func (b Book) Limit(trader string, side Side, quantity, price float64) (id string, fills []Fill, err error) {
	err = b.update(func(d *desk) error {
		n, err := d.count.IncrBy([]byte("orders"), 1)
		if err != nil {
			return err
		}
		id = fmt.Sprintf("%.0f/%s", n, trader)
		var left float64
		if fills, left, err = d.match(trader, side, quantity, float64(side)*price); err != nil || left == 0 {
			return err
		}
		own := d.bids
		if side == Sell {
			own = d.asks
		}
		if _, err = own.AddTied([]byte(id), binary.BigEndian.AppendUint64(nil, uint64(n)), -float64(side)*price); err != nil {
			return err
		}
		_, err = d.open.Add([]byte(id), left)
		return err
	})
	return id, fills, err
}

// Market trades at any price. It drops the quantity that the book cannot fill.
func (b Book) Market(trader string, side Side, quantity float64) (fills []Fill, err error) {
	err = b.update(func(d *desk) (err error) {
		fills, _, err = d.match(trader, side, quantity, math.Inf(1))
		return err
	})
	return fills, err
}

// Cancel removes an order from the book. It returns false if the book does not have the order.
func (b Book) Cancel(id string) (cancelled bool, err error) {
	err = b.update(func(d *desk) error {
		for _, s := range []*engine.Set{d.open, d.asks, d.bids} {
			removed, err := s.Remove([]byte(id))
			if err != nil {
				return err
			}
			cancelled = cancelled || removed
		}
		return nil
	})
	return cancelled, err
}

// match trades up to quantity with the orders of the other side whose scores are at most worst. It returns the fills and the unfilled
// quantity. O(log n) for each fill.
func (d *desk) match(trader string, side Side, quantity, worst float64) (fills []Fill, left float64, err error) {
	if quantity < 1 || quantity != math.Trunc(quantity) || math.IsNaN(worst) {
		return nil, 0, fmt.Errorf("%w: %v for %v", errOrder, quantity, worst)
	}
	others := d.asks
	if side == Sell {
		others = d.bids
	}
	for quantity > 0 {
		best := others.Append(nil, 0, 1)
		if len(best) == 0 || best[0].Score > worst {
			break
		}
		f := Fill{Maker: string(best[0].Member), Price: float64(side) * best[0].Score}
		open, _ := d.open.Score(best[0].Member)
		f.Quantity = min(open, quantity)
		if f.Quantity < open {
			_, err = d.open.IncrBy(best[0].Member, -f.Quantity)
		} else if _, err = d.open.Remove(best[0].Member); err == nil {
			_, err = others.Remove(best[0].Member)
		}
		if err == nil {
			err = d.settle(trader, side, f)
		}
		if err != nil {
			return nil, 0, err
		}
		quantity -= f.Quantity
		fills = append(fills, f)
	}
	return fills, quantity, nil
}

// settle moves the stock of a fill from the seller to the buyer, and the cash from the buyer to the seller.
func (d *desk) settle(taker string, side Side, f Fill) error {
	_, maker, _ := strings.Cut(f.Maker, "/")
	buyer, seller := []byte(taker), []byte(maker)
	if side == Sell {
		buyer, seller = seller, buyer
	}
	for _, change := range []struct {
		set    *engine.Set
		trader []byte
		delta  float64
	}{
		{d.stock, buyer, f.Quantity}, {d.stock, seller, -f.Quantity},
		{d.cash, seller, f.Quantity * f.Price}, {d.cash, buyer, -f.Quantity * f.Price},
	} {
		if _, err := change.set.IncrBy(change.trader, change.delta); err != nil {
			return err
		}
	}
	return nil
}
