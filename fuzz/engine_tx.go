package fuzz

import (
	"context"
	"iter"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// txState is a transaction as what a block works on.
type txState struct {
	*engine.Tx
	on *boardsOn
}

func (t txState) boards() leaderboards { return boardsIn{t.on, t.Tx} }

// Scan leaves out what belongs to boards.
func (t txState) Scan(prefix string) iter.Seq2[persist.KV, error] {
	return t.on.notOwned(t.Tx.Scan(prefix))
}

// set returns a set that exists whatever its ties are, and another as it is to be made.
func (t txState) set(key string) (sortedSet, error) {
	w := tieWidth(key)
	st, err := t.Stat(key)
	if st.Exists {
		w = st.Form.TieWidth
	}
	if err != nil {
		return nil, err
	}
	if w > 0 {
		return t.SetTied(key, w)
	}
	return t.Set(key)
}

func (t txState) intSet(key string) (setOf[int64], bool, error) {
	form, is := intForm(key)
	st, err := t.Stat(key)
	if st.Exists {
		form, is = st.Form, st.Ints
	}
	if err != nil || !is {
		return nil, false, err
	}
	s, err := t.IntSet(key, form)
	return s, true, err
}

// expiring are the methods that sets of both kinds have.
type expiring interface {
	ExpireIn(d time.Duration) (bool, error)
	Persist() (bool, error)
	Expiry() (at time.Time, ok bool)
}

func (t txState) expiring(key string) (expiring, error) {
	if s, is, err := t.intSet(key); is || err != nil {
		x, _ := s.(expiring)
		return x, err
	}
	s, err := t.set(key)
	x, _ := s.(expiring)
	return x, err
}

func (t txState) expire(key string, d time.Duration) (bool, error) {
	s, err := t.expiring(key)
	if err != nil {
		return false, err
	}
	return s.ExpireIn(d)
}

func (t txState) persist(key string) (bool, error) {
	s, err := t.expiring(key)
	if err != nil {
		return false, err
	}
	return s.Persist()
}

func (t txState) expiry(key string) (time.Time, bool, error) {
	s, err := t.expiring(key)
	if err != nil {
		return time.Time{}, false, err
	}
	at, ok := s.Expiry()
	return at, ok, nil
}

// storeOn runs one of storeKinds.
func storeOn(e *engine.Engine, op Op) string {
	ctx := context.Background()
	how := zset.Combine[float64]{Aggregate: aggregateOf(op.How), Weights: []float64{op.Score, op.Step}}
	var n int
	var err error
	switch op.Kind {
	case "union":
		n, err = e.UnionStore(ctx, op.To, how, op.Key, op.Other)
	case "inter":
		n, err = e.InterStore(ctx, op.To, how, op.Key, op.Other)
	case "diff":
		n, err = e.DiffStore(ctx, op.To, op.Key, op.Other)
	case "rangestore":
		n, err = e.RangeStore(ctx, op.To, op.Key, func(*zset.View) (lo, hi int) { return op.Lo, op.Hi })
	case "clone":
		n, err = e.Copy(ctx, op.Key, op.Other)
	case "common":
		n, err = e.InterCard(ctx, max(op.Lo, 0), op.Key, op.Other)
	}
	return outcome(n, err)
}

// aggregateOf reads how scores become one; a word that it does not know is sum.
func aggregateOf(word string) zset.Aggregate {
	return map[string]zset.Aggregate{"min": zset.Min, "max": zset.Max, "count": zset.Count}[word]
}
