package engine

import (
	"fmt"
	"math"

	"github.com/zrankdb/zrank/internal/model"
	"github.com/zrankdb/zrank/zset"
)

// More operations of a script, see ops_test.go:
//
//	addif SET MEMBER SCORE FLAGS    incrif SET MEMBER DELTA FLAGS    cut SET LO HI
//	cutscore SET LOW HIGH           expect SET MEMBER SCORE          absent SET MEMBER
//
// FLAGS is a zset.Condition as a number. cut removes ranks, cutscore scores with both bounds.

// engineSetOpIf runs one of these operations on the engine.
func engineSetOpIf(s *Set, f []string) string {
	member := []byte(text(f[2]))
	switch f[0] {
	case "addif":
		return answer(s.AddIf(member, number(f[3]), zset.Condition(integer(f[4]))))
	case "incrif":
		score, ok, err := s.IncrByIf(member, number(f[3]), zset.Condition(integer(f[4])))
		return answer(fmt.Sprint(score, ok), err)
	case "cut":
		return answer(s.RemoveRange(integer(f[2]), integer(f[3])))
	case "cutscore":
		return answer(s.RemoveRange(s.ScoreInterval(zset.Bound{Score: number(f[2])}, zset.Bound{Score: number(f[3])})))
	case "expect":
		return answer("", s.ExpectScore(member, number(f[3])))
	case "absent":
		return answer("", s.ExpectAbsent(member))
	}
	panic("no such operation: " + f[0])
}

// opRangeOrCondition runs one of these operations on the oracle; done is false if f is another operation.
func (o *oracle) opRangeOrCondition(f []string) (reply string, done bool) {
	switch f[0] {
	case "addif", "incrif":
		o.version++
		return o.putIf(f[2], number(f[3]), integer(f[4]), f[0] == "incrif"), true
	case "cut":
		return o.cut(o.Range(integer(f[2]), integer(f[3]))), true
	case "cutscore":
		var between []model.Entry
		for _, e := range o.All() {
			if e.Score >= number(f[2]) && e.Score <= number(f[3]) {
				between = append(between, e)
			}
		}
		return o.cut(between), true
	case "expect":
		e, had := o.Get(text(f[2]))
		return conflictUnless(had && e.Score == number(f[3])), true
	case "absent":
		_, had := o.Get(text(f[2]))
		return conflictUnless(!had), true
	}
	return "", false
}

func conflictUnless(ok bool) string {
	if ok {
		return ""
	}
	return errText(ErrConflict)
}

func (o *oracle) cut(entries []model.Entry) string {
	o.pop(entries)
	return fmt.Sprint(len(entries))
}

// putIf is Redis ZADD with flags, or with INCR if incr is true, as in its manual.
func (o *oracle) putIf(member string, x float64, flags int, incr bool) string {
	nx, xx, gt, lt := flags&1 != 0, flags&2 != 0, flags&4 != 0, flags&8 != 0
	old, had := o.Get(member)
	var failed error
	met := !(nx && had || xx && !had) // the condition is met
	score := x
	if incr {
		score = old.Score + x
	}
	switch {
	case nx && xx:
		failed = zset.ErrXXAndNX
	case gt && lt || nx && (gt || lt):
		failed = zset.ErrGTLTNX
	case math.IsNaN(x) || math.IsNaN(score) && !(nx && had):
		failed = zset.ErrNaN
	case had && (gt && score <= old.Score || lt && score >= old.Score):
		met = false
	}
	if failed != nil {
		return errText(failed)
	}
	if met {
		o.put(member, nil, score)
	}
	switch {
	case incr && met:
		return fmt.Sprint(score+0, true)
	case incr:
		return fmt.Sprint(old.Score, false)
	case !met || had && score == old.Score:
		return fmt.Sprint(zset.Unchanged)
	case had:
		return fmt.Sprint(zset.Updated)
	}
	return fmt.Sprint(zset.Added)
}

// flags returns a valid condition, or an invalid one.
func (g *generator) flags() string { return g.pick("0", "1", "2", "4", "8", "6", "10", "3", "5", "12") }

// opRangeOrCondition returns one of these operations on a set.
func (g *generator) opRangeOrCondition(key string) string {
	switch g.rng.IntN(8) {
	case 0, 1:
		return fmt.Sprintf("addif %s %s %s %s", key, g.member(), g.score(), g.flags())
	case 2, 3:
		return fmt.Sprintf("incrif %s %s %s %s", key, g.member(), g.score(), g.flags())
	case 4:
		lo := g.rng.IntN(9) - 2
		return fmt.Sprintf("cut %s %d %d", key, lo, lo+g.rng.IntN(5)-1)
	case 5:
		return fmt.Sprintf("cutscore %s %s %s", key, g.pick("-Inf", "0", "1", "NaN"), g.pick("-1", "0", "2", "+Inf"))
	case 6:
		return fmt.Sprintf("expect %s %s %s", key, g.member(), g.score())
	}
	return fmt.Sprintf("absent %s %s", key, g.member())
}
