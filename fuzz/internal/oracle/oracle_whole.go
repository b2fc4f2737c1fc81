package oracle

import (
	"math"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/internal/model"
	"github.com/zrankdb/zrank/zset"
)

// What the oracle does with whole sets. Drop and what follows are those of engine.Tx.

func (tx *oracleTx) Drop(key string) (bool, error) {
	if tx.any(key).len() == 0 {
		return false, nil
	}
	tx.put(key, tx.newSet(key))
	return true, nil
}

// put gives a key a set of the block's own.
func (tx *oracleTx) put(key string, s *oracleSet) { tx.w.sets[key], tx.touched[key] = s, true }

func (tx *oracleTx) Rename(from, to string) error {
	s := tx.any(from)
	tx.any(to)
	if s.len() == 0 {
		return engine.ErrNoSet
	}
	if from != to {
		tx.put(to, s)
		tx.put(from, tx.newSet(from))
	}
	return nil
}

func (tx *oracleTx) Copy(from, to string) error {
	s := tx.any(from)
	tx.any(to)
	if s.len() == 0 {
		return engine.ErrNoSet
	}
	if from != to {
		c := s.clone()
		c.fresh = true
		tx.put(to, c)
	}
	return nil
}

func (tx *oracleTx) Expire(key string, d time.Duration) (bool, error) {
	s, err := tx.formed(key)
	if err != nil || s.len() == 0 {
		return false, err
	}
	if s.expires = tx.time.Add(d); d <= 0 {
		tx.put(key, s.emptied())
	}
	return true, nil
}

func (tx *oracleTx) Persist(key string) (bool, error) {
	s, err := tx.formed(key)
	if err != nil || s.len() == 0 || s.expires.IsZero() {
		return false, err
	}
	s.expires = time.Time{}
	return true, nil
}

func (tx *oracleTx) Expiry(key string) (at time.Time, ok bool, err error) {
	s, err := tx.formed(key)
	if err != nil || s.len() == 0 {
		return time.Time{}, false, err
	}
	return s.expires, !s.expires.IsZero(), nil
}

func (tx *oracleTx) Stat(key string) (engine.Stat, error) {
	s := tx.any(key)
	if s.len() == 0 {
		return engine.Stat{}, nil
	}
	form, ints := s.form()
	return engine.Stat{Exists: true, Ints: ints, Form: form, Members: s.len(), Expires: s.expires}, nil
}

// call runs one of callKinds.
func (tx *oracleTx) call(op script.Op) string {
	switch op.Kind {
	case "clone":
		err := tx.Copy(op.Key, op.Other)
		return apply.Outcome(tx.any(op.Other).len(), err)
	case "renamenx":
		if tx.any(op.Key).len() > 0 && tx.any(op.Other).len() > 0 {
			return "false"
		}
		return apply.Outcome(true, tx.Rename(op.Key, op.Other))
	case "delete":
		n := 0
		for _, key := range op.Keys() {
			if there, _ := tx.Drop(key); there {
				n++
			}
		}
		return strconv.Itoa(n)
	case "clear":
		clear(tx.w.sets)
		return ""
	}
	return tx.combined(op)
}

// combined runs one that makes a set of one or two.
func (tx *oracleTx) combined(op script.Op) string {
	result := &oracleSet{floats: NewSet[float64](0)}
	in := []*oracleSet{tx.any(op.Key)}
	if op.Kind != "rangestore" {
		in = append(in, tx.any(op.Other))
	}
	for _, s := range in {
		if s.ints != nil && s.len() > 0 {
			return apply.Outcome("", engine.ErrKind)
		}
		if s.ints != nil {
			s.floats, s.ints = NewSet[float64](0), nil
		}
	}
	switch op.Kind {
	case "rangestore":
		result.floats.tieWidth = in[0].floats.tieWidth
		for _, e := range in[0].floats.m.Range(op.Lo, op.Hi) {
			result.floats.m.Put(e)
		}
	case "diff":
		for _, e := range in[0].floats.m.All() {
			if _, there := in[1].floats.m.Get(e.Member); !there {
				result.floats.m.Put(model.Entry{Score: e.Score, Member: e.Member})
			}
		}
	default:
		if math.IsNaN(op.Score) || math.IsNaN(op.Step) {
			return apply.Outcome("", zset.ErrNaN)
		}
		combine(result.floats.m, op, in[0].floats.m, in[1].floats.m)
	}
	if op.Kind == "common" {
		n := result.len()
		if op.Lo > 0 {
			n = min(n, op.Lo)
		}
		return strconv.Itoa(n)
	}
	tx.put(op.To, result)
	return strconv.Itoa(result.len())
}

// combine is a union, or the members that both have. The smaller set comes first: it matters for an infinity with weight 0.
func combine(result *model.Set, op script.Op, a, b *model.Set) {
	weightA, weightB := op.Score, op.Step
	if b.Len() < a.Len() {
		a, b, weightA, weightB = b, a, weightB, weightA
	}
	inter := op.Kind != "union"
	for _, e := range a.All() {
		score := weighted(op.How, weightA, e.Score)
		other, both := b.Get(e.Member)
		if math.IsNaN(score) {
			score = 0
		}
		if inter && !both {
			continue
		}
		if both {
			score = join(op.How, inter, score, weighted(op.How, weightB, other.Score))
		}
		result.Put(model.Entry{Score: score + 0, Member: e.Member})
	}
	for _, e := range b.All() {
		if _, both := a.Get(e.Member); inter || both {
			continue
		}
		score := weighted(op.How, weightB, e.Score)
		if math.IsNaN(score) {
			score = 0
		}
		result.Put(model.Entry{Score: score + 0, Member: e.Member})
	}
}

// weighted is what a score counts for; not a number if it is an infinity and the weight 0.
func weighted(how string, weight, score float64) float64 {
	if how == "count" {
		return weight
	}
	return weight * score
}

// join makes one score of two.
func join(how string, inter bool, a, b float64) float64 {
	if math.IsNaN(b) && !inter {
		b = 0
	}
	switch {
	case how == "min" && !(b < a), how == "max" && !(b > a):
		return a
	case how == "min", how == "max":
		return b
	case math.IsNaN(a + b):
		return 0
	}
	return a + b
}
