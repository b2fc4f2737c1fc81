package engine

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/internal/model"
	"github.com/zrankdb/zrank/zset"
)

// The operations of a script inside a transaction, for the engine and for the oracle. Both return their answers as text:
//
//	add SET MEMBER SCORE    tied SET MEMBER TIE SCORE    incr SET MEMBER DELTA    remove SET MEMBER
//	popmin SET N            popmax SET N                 fill SET FROM TO SCORE   read SET
//	drop SET                rename SET SET               copy SET SET             expire SET SECONDS
//	persist SET             expiry SET
//	put KEY VALUE           delete KEY                   get KEY                  scan PREFIX
//
// and those of ranges and conditions, in set_ops_test.go, and of sets with int64 scores, in ints_ops_test.go.
//
// TIE is hexadecimal; a "-" is the empty text. fill adds members of 200 bytes, of which 330 need two pages.

func wide(i int) string { return fmt.Sprintf("%0200d", i) }

func text(s string) string {
	if s == "-" {
		return ""
	}
	return s
}

func number(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return f
}

func integer(s string) int { return int(number(s)) }

func tieOf(s string) []byte {
	b, err := hex.DecodeString(text(s))
	if err != nil {
		panic(err)
	}
	return b
}

// errText returns the same text for an error of the engine and of the oracle.
func errText(err error) string {
	for _, known := range []error{ErrInTx, ErrNoSet, ErrNotNamed, ErrTieWidth, ErrKind, zset.ErrOverflow, ErrReadOnly, ErrConflict, zset.ErrNaN, zset.ErrXXAndNX, zset.ErrGTLTNX} {
		if errors.Is(err, known) {
			return "error: " + known.Error()
		}
	}
	return "unexpected error: " + err.Error()
}

func answer(v any, err error) string {
	if err != nil {
		return errText(err)
	}
	return fmt.Sprint(v)
}

// engineOp does one operation on the engine.
func engineOp(e *Engine, tx *Tx, f []string) string {
	switch f[0] {
	case "put":
		return answer("", tx.Put(text(f[1]), []byte(text(f[2]))))
	case "delete":
		return answer("", tx.Delete(text(f[1])))
	case "get":
		v, ok, err := tx.Get(text(f[1]))
		return answer(fmt.Sprintf("%q %v", v, ok), err)
	case "scan":
		return engineScan(tx, text(f[1]))
	case "inside":
		return engineInside(e, f[1])
	case "drop":
		return answer(tx.Drop(f[1]))
	case "rename":
		return answer("", tx.Rename(f[1], f[2]))
	case "copy":
		return answer("", tx.Copy(f[1], f[2]))
	case "tied":
		tie := tieOf(f[3])
		s, err := tx.SetTied(f[1], len(tie))
		if err != nil {
			return errText(err)
		}
		return answer(s.AddTied([]byte(f[2]), tie, number(f[4])))
	}
	if f[0][0] == 'i' && f[0] != "incr" && f[0] != "incrif" {
		return engineIntOp(tx, f)
	}
	s, err := tx.Set(f[1])
	if err != nil {
		return errText(err)
	}
	return engineSetOp(s, f)
}

// engineInside makes calls of the engine inside the closure, which must be refused.
func engineInside(e *Engine, key string) string {
	calls := []error{errorOf(e.Delete(context.Background(), key)), e.View(context.Background(), idle, key), errorOf(e.Keys("")), e.Snapshot()}
	said := ""
	for _, err := range calls {
		said += answer("", err) + "; "
	}
	return said
}

func engineSetOp(s *Set, f []string) string {
	switch f[0] {
	case "expire":
		return answer(s.ExpireIn(time.Duration(integer(f[2])) * time.Second))
	case "persist":
		return answer(s.Persist())
	case "expiry":
		at, ok := s.Expiry()
		return fmt.Sprint(at.Unix(), ok)
	case "add":
		return answer(s.Add([]byte(f[2]), number(f[3])))
	case "incr":
		v, err := s.IncrBy([]byte(f[2]), number(f[3]))
		return answer(v, err)
	case "remove":
		return answer(s.Remove([]byte(f[2])))
	case "popmin":
		entries, err := s.PopMin(integer(f[2]))
		return answer(popped(entries), err)
	case "popmax":
		entries, err := s.PopMax(integer(f[2]))
		return answer(popped(entries), err)
	case "read":
		return fmt.Sprint(s.TieWidth(), s.Version(), popped(s.Append(nil, 0, s.Len())))
	case "fill":
		for i := integer(f[2]); i < integer(f[3]); i++ {
			if _, err := s.Add([]byte(wide(i)), number(f[4])); err != nil {
				return errText(err)
			}
		}
		return ""
	}
	return engineSetOpIf(s, f)
}

func popped(entries []zset.Entry) string {
	list := make([]model.Entry, len(entries))
	for i, e := range entries {
		list[i] = model.Entry{Score: e.Score, Tie: string(e.Tie), Member: string(e.Member)}
	}
	return entriesText(list)
}

func engineScan(tx *Tx, prefix string) string {
	var keys, values [][]byte // kept, to see that they are copies
	for kv, err := range tx.Scan(prefix) {
		if err != nil {
			return errText(err)
		}
		keys, values = append(keys, kv.Key), append(values, kv.Value)
	}
	return fmt.Sprintf("%q %q", keys, values)
}

// op does one operation on the oracle.
func (m *modelTx) op(f []string) string {
	switch f[0] {
	case "put":
		m.private = true
		m.w.private[text(f[1])] = text(f[2])
		return ""
	case "delete":
		m.private = true
		delete(m.w.private, text(f[1]))
		return ""
	case "get":
		v, ok := m.w.private[text(f[1])]
		return fmt.Sprintf("%q %v", v, ok)
	case "scan":
		keys := slices.Sorted(maps.Keys(m.w.private))
		keys = slices.DeleteFunc(keys, func(k string) bool { return !strings.HasPrefix(k, text(f[1])) })
		values := []string{}
		for _, k := range keys {
			values = append(values, m.w.private[k])
		}
		return fmt.Sprintf("%q %q", keys, values)
	case "inside":
		return strings.Repeat(errText(ErrInTx)+"; ", 4)
	}
	switch f[0] {
	case "drop":
		return m.drop(f[1])
	case "rename", "copy":
		return m.pass(f[0], f[1], f[2])
	}
	if f[0][0] == 'i' && f[0] != "incr" && f[0] != "incrif" {
		return m.intOp(f)
	}
	width := -1
	if f[0] == "tied" {
		width = len(tieOf(f[3]))
	}
	o, failed := m.set(f[1], width)
	if failed != "" {
		return failed
	}
	if f[0] == "expire" {
		return m.expire(f[1], o, integer(f[2]))
	}
	return o.op(f)
}

func (m *modelTx) expire(key string, o *oracle, in int) string {
	switch at := m.now + int64(in); {
	case o.Len() > 0 && in <= 0:
		m.w.sets[key] = &oracle{Set: model.New(), width: o.width, form: o.form, fresh: true}
	case o.Len() > 0 && o.expires != at:
		o.version++
		o.expires = at
	}
	return fmt.Sprint(o.Len() > 0)
}

// op applies an operation, the words f, to the oracle, and returns the reply. The version rises with every attempt to change a member, as the
// engine counts inside a transaction.
func (o *oracle) op(f []string) string {
	switch f[0] {
	case "persist":
		had := o.Len() > 0 && o.expires != 0
		if had {
			o.version++
			o.expires = 0
		}
		return fmt.Sprint(had)
	case "expiry":
		if o.Len() == 0 || o.expires == 0 {
			return fmt.Sprint(time.Time{}.Unix(), false)
		}
		return fmt.Sprint(o.expires, true)
	case "read":
		return fmt.Sprint(o.width, o.version, entriesText(o.All()))
	case "popmin":
		return o.pop(o.Range(0, integer(f[2])))
	case "popmax":
		top := o.Range(o.Len()-integer(f[2]), o.Len())
		slices.Reverse(top)
		return o.pop(top)
	case "fill":
		for i := integer(f[2]); i < integer(f[3]); i++ {
			o.version++
			if o.put(wide(i), nil, number(f[4])) == errText(zset.ErrNaN) {
				return errText(zset.ErrNaN)
			}
		}
		return ""
	}
	if reply, done := o.opRangeOrCondition(f); done {
		return reply
	}
	o.version++
	old, _ := o.Get(f[2])
	switch f[0] {
	case "remove":
		return fmt.Sprint(o.Remove(f[2]))
	case "tied":
		return o.put(f[2], tieOf(f[3]), number(f[4]))
	case "add":
		return o.put(f[2], nil, number(f[3]))
	}
	score := old.Score + number(f[3]) // incr
	if math.IsNaN(score) {
		return errText(zset.ErrNaN)
	}
	o.put(f[2], nil, score)
	return fmt.Sprint(score + 0)
}

func (o *oracle) pop(entries []model.Entry) string {
	for _, e := range entries {
		o.version++
		o.Remove(e.Member)
	}
	return o.text(entries)
}

// put is AddTied, or Add if tie is nil.
func (o *oracle) put(member string, tie []byte, score float64) string {
	if math.IsNaN(score) {
		return errText(zset.ErrNaN)
	}
	e, had := o.Get(member)
	if !had {
		e.Tie = string(make([]byte, o.width))
	}
	if tie != nil {
		e.Tie = string(tie)
	}
	e.Member, e.Score = member, score+0
	return fmt.Sprint(o.Put(e))
}
