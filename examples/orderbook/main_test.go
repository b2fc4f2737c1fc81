package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
)

func Example() {
	main()
	// Output:
	// 1/ada: in the book
	// 2/bea: in the book
	// 3/cyd: in the book
	// 4/dan: in the book
	// 5/eve: in the book
	// 6/fay: 50 at 1010 from 2/bea 40 at 1010 from 3/cyd
	// gus at any price: 40 at 1007 from 5/eve 20 at 1005 from 4/dan
	// 1/ada cancelled: true
	//   ask 1010 x  30  3/cyd
	//   bid 1005 x  60  4/dan
	//   fay: -90900 cash, 90 stock
	//   eve: -40280 cash, 40 stock
	//   dan: -20100 cash, 20 stock
	//   cyd: 40400 cash, -40 stock
	//   bea: 50500 cash, -50 stock
	//   gus: 60380 cash, -60 stock
}

// order is an order of the naive book.
type order struct {
	id          string
	side        Side
	left, price float64
}

// naive is a book that compares all orders for each fill.
type naive struct {
	orders []order // in order of time
}

// match is desk.match.
func (b *naive) match(side Side, quantity, price float64) (fills []Fill, left float64) {
	for quantity > 0 {
		best := -1
		for i, o := range b.orders {
			crosses := o.side != side && float64(side)*(price-o.price) >= 0
			if crosses && (best < 0 || float64(side)*(b.orders[best].price-o.price) > 0) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		o := &b.orders[best]
		n := min(o.left, quantity)
		fills = append(fills, Fill{o.id, o.price, n})
		quantity -= n
		if o.left -= n; o.left == 0 {
			b.orders = slices.Delete(b.orders, best, best+1)
		}
	}
	return fills, quantity
}

// TestAgainstNaive gives both books the same orders, with few prices so that many are equal, and expects the same fills.
func TestAgainstNaive(t *testing.T) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	b, rng := Book{e}, rand.New(rand.NewPCG(1, 2))
	var n naive
	var ids []string
	orders, filled, cancelled := 0, 0, 0
	for range 5000 {
		side := []Side{Buy, Sell}[rng.IntN(2)]
		quantity, price := float64(1+rng.IntN(20)), float64(95+rng.IntN(11))
		switch rng.IntN(10) {
		case 0:
			fills, err := b.Market("m", side, quantity)
			require.NoError(t, err)
			want, _ := n.match(side, quantity, float64(side)*math.Inf(1))
			require.Equal(t, want, fills)
		case 1, 2, 3, 4:
			id := "0/nobody"
			if len(n.orders) > 0 && rng.IntN(2) == 0 {
				id = n.orders[rng.IntN(len(n.orders))].id
			} else if len(ids) > 0 {
				id = ids[rng.IntN(len(ids))] // it may be filled or cancelled already
			}
			at := slices.IndexFunc(n.orders, func(o order) bool { return o.id == id })
			was, err := b.Cancel(id)
			require.NoError(t, err)
			require.Equal(t, at >= 0, was)
			if was {
				cancelled++
				n.orders = slices.Delete(n.orders, at, at+1)
			}
		default:
			id, fills, err := b.Limit("t", side, quantity, price)
			require.NoError(t, err)
			want, left := n.match(side, quantity, price)
			require.Equal(t, want, fills)
			if left > 0 {
				n.orders = append(n.orders, order{id, side, left, price})
			}
			ids = append(ids, id)
			orders++
			filled += len(fills)
		}
	}
	t.Logf("%d limit orders, %d fills, %d cancelled, %d left in the book", orders, filled, cancelled, len(n.orders))
}

// checkTotals returns an error unless cash and stock sum to 0, every open order is in the book, and no ask and bid match.
func checkTotals(b Book) error {
	return b.e.View(context.Background(), func(tx *engine.Tx) error {
		d, err := openDesk(tx)
		if err != nil {
			return err
		}
		var cash, stock float64
		for _, x := range d.cash.Range(0, d.cash.Len()) {
			cash += x
		}
		for _, x := range d.stock.Range(0, d.stock.Len()) {
			stock += x
		}
		if cash != 0 || stock != 0 || d.open.Len() != d.asks.Len()+d.bids.Len() {
			return fmt.Errorf("cash %v, stock %v, %d orders open, %d in the book", cash, stock, d.open.Len(), d.asks.Len()+d.bids.Len())
		}
		if ask, bid := d.asks.Append(nil, 0, 1), d.bids.Append(nil, 0, 1); len(ask) > 0 && len(bid) > 0 && ask[0].Score <= -bid[0].Score {
			return fmt.Errorf("an ask at %v and a bid at %v stand in the book", ask[0].Score, -bid[0].Score)
		}
		return nil
	}, names...)
}

// TestConservation: while many goroutines trade, cash and stock always sum to 0, also after the engine was closed and opened again.
func TestConservation(t *testing.T) {
	fs := persist.MemFS()
	e, err := engine.Open("book", engine.Options{FS: fs, Durability: engine.None})
	require.NoError(t, err)
	b := Book{e}
	const traders, each = 8, 300
	var wg sync.WaitGroup
	for i := range traders {
		wg.Go(func() {
			who, rng := fmt.Sprint("trader", i), rand.New(rand.NewPCG(uint64(i), 3))
			for range each {
				id, _, err := b.Limit(who, []Side{Buy, Sell}[rng.IntN(2)], float64(1+rng.IntN(50)), float64(90+rng.IntN(21)))
				if err == nil && rng.IntN(4) == 0 {
					_, err = b.Cancel(id)
				}
				if err != nil {
					panic(err)
				}
			}
		})
	}
	for range 200 {
		require.NoError(t, checkTotals(b))
	}
	wg.Wait()
	require.NoError(t, e.Close())
	e, err = engine.Open("book", engine.Options{FS: fs})
	require.NoError(t, err)
	require.NoError(t, checkTotals(Book{e}))
	require.NoError(t, e.Close())
	t.Logf("%d traders with %d orders each, 201 checks: cash and stock sum to 0", traders, each)
}

// TestNoOrder: an invalid order changes nothing.
func TestNoOrder(t *testing.T) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	b := Book{e}
	_, _, err = b.Limit("ada", Sell, 10, 100)
	require.NoError(t, err)
	for _, o := range [][2]float64{{0, 100}, {-5, 100}, {1.5, 100}, {math.NaN(), 100}, {5, math.NaN()}} {
		_, _, err := b.Limit("bea", Buy, o[0], o[1])
		require.ErrorIs(t, err, errOrder, fmt.Sprint(o))
	}
	_, err = b.Market("bea", Buy, -1)
	require.ErrorIs(t, err, errOrder)
	keys, err := e.Keys("")
	require.NoError(t, err)
	require.Equal(t, "asks count open", strings.Join(keys, " "))
}
