package oracle

import (
	"math"
	"strconv"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/internal/model"
	"github.com/zrankdb/zrank/zset"
)

// Operations on whole sets. Drop, Rename, Copy and Stat do what the methods of engine.Tx do.

func (tx *oracleTx) Drop(key string) (bool, error) {
	if tx.any(key).len() == 0 {
		return false, nil
	}
	tx.put(key, tx.newSet(key))
	return true, nil
}

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

func (tx *oracleTx) Stat(key string) (engine.Stat, error) {
	s := tx.any(key)
	if s.len() == 0 {
		return engine.Stat{}, nil
	}
	form, ints := s.form()
	return engine.Stat{Exists: true, Ints: ints, Form: form, Members: s.len(), Expires: s.expires}, nil
}

// call runs an operation that is a call of the engine, outside any transaction.
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
			if dropped, _ := tx.Drop(key); dropped {
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

// combined runs a call that computes a set from one or two others and stores it, or for "common" counts its members.
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
			if _, both := in[1].floats.m.Get(e.Member); !both {
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
