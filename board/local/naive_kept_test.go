package local

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// keptKey is the key of naiveWindow.kept.
func keptKey(period, member string) string { return period + " " + member }

// recordKept keeps a result for the operators that add up some of all results, or go by their times.
func (n *naive) recordKept(sub board.Submission, periods []board.Period) {
	for i, w := range n.windows {
		n.keep(w, keptKey(periods[i].Name, sub.Member), rules.Entry{Score: sub.Score, Reached: sub.At.UnixMicro(), Arrival: n.arrival})
	}
}

// keep is recordKept for the entry of a member in a period, which key names.
func (n *naive) keep(w *naiveWindow, key string, sub rules.Entry) {
	if n.rules.K() == 0 && n.rules.Timed() == 0 {
		return
	}
	score, err := n.rules.Check(sub.Score) // with computed columns
	if err != nil {
		panic(err) // it has been taken
	}
	sub.Score = score
	w.kept[key] = append(slices.Clip(w.kept[key]), sub)
}

// times returns the times of the results that count in the columns with Last or First, as rules.ApplyTimed takes them: from all results of the member
// since the last migration, and from the entry that it had then.
func (n *naive) times(w *naiveWindow, key string) (stored []byte) {
	results := slices.Clone(w.kept[key])
	if w.isRolling() {
		results = nil
		_, member, _ := strings.Cut(key, " ")
		for _, r := range w.results[member] {
			results = append(results, rules.Entry{Reached: r.at, Score: r.sub.Score})
		}
	}
	ops := []board.Op{n.rules.Op()}
	if !slices.Contains([]board.Op{board.Last, board.First}, ops[0]) {
		ops = nil
		for _, c := range n.rules.Columns() {
			ops = append(ops, c.Op)
		}
	}
	for _, op := range ops {
		if op != board.Last && op != board.First {
			continue
		}
		times := make([]int64, 0, len(results)+1)
		for _, e := range results {
			times = append(times, e.Reached)
		}
		if old, ok := w.migrated[key]; ok && n.rules.Ties() == board.ByMember {
			times = append(times, math.MinInt64)
		} else if ok {
			times = append(times, old.Reached)
		}
		if len(times) > 0 {
			at := slices.Max(times)
			if op == board.First {
				at = slices.Min(times)
			}
			stored = binary.BigEndian.AppendUint64(stored, uint64(at))
		}
	}
	return stored
}

// ignored says why a result that does not change the entry of a member does not count, from all results of the member. key names the entry.
func (n *naive) ignored(w *naiveWindow, key string, sub rules.Entry) (why board.Ignored) {
	score, err := n.rules.Check(sub.Score)
	if err != nil {
		panic(err) // it has been taken
	}
	op := n.rules.Op()
	switch op {
	case board.DropWorst:
		return ""
	case board.Best:
		return board.IgnoredNotBetter
	case board.BestOf, board.LastOf:
		last := rules.Entry{Score: score, Reached: sub.Reached, Arrival: n.arrival}
		if slices.Contains(n.counted(append(slices.Clone(w.kept[key]), last)), last) {
			return ""
		}
		return map[board.Op]board.Ignored{board.BestOf: board.IgnoredNotBetter, board.LastOf: board.IgnoredOlder}[op]
	}
	times := n.times(w, key)
	byTime := func(op board.Op) board.Ignored {
		at := int64(binary.BigEndian.Uint64(times))
		times = times[8:]
		switch {
		case op == board.Last && sub.Reached < at:
			return board.IgnoredOlder
		case op == board.First && sub.Reached >= at:
			return board.IgnoredLater
		}
		return ""
	}
	if op == board.Last || op == board.First {
		return byTime(op)
	}
	for i, c := range n.rules.Columns() {
		reason := board.IgnoredNotBetter
		switch op := cmp.Or(c.Op, op); {
		case c.Of != nil:
			continue
		case op == board.Last || op == board.First:
			reason = byTime(op)
		case op == board.Sum:
			reason = ""
		}
		switch {
		case score.At(i).IsAbsent():
		case reason == "":
			return ""
		case why == "" || reason != board.IgnoredNotBetter:
			why = reason
		}
	}
	return why
}

// restartTimes forgets the results, as a migration does for operators that go by their times.
func (w *naiveWindow) restartTimes() {
	w.kept, w.migrated = map[string][]rules.Entry{}, map[string]rules.Entry{}
	for name, p := range w.periods {
		for member, e := range p.entries {
			w.migrated[keptKey(name, member)] = e.Entry
		}
	}
}

// applyKept is rules.ApplyKept, from all results of the member so far.
func (n *naive) applyKept(old rules.Entry, had bool, before []rules.Entry, sub rules.Entry) (next rules.Entry, changed bool, err error) {
	if sub.Score, err = n.rules.Check(sub.Score); err != nil {
		return old, false, err
	}
	all := append(slices.Clone(before), sub)
	counted := n.counted(all)
	next = rules.Entry{Score: naiveTotal(n.rules, counted), Reached: sub.Reached, Arrival: sub.Arrival}
	switch {
	case n.rules.Op() != board.DropWorst:
		next.Reached = slices.MaxFunc(counted, func(a, b rules.Entry) int { return cmp.Compare(a.Reached, b.Reached) }).Reached
	case had:
		next.Reached = old.Reached
		for _, e := range counted {
			if !slices.Contains(n.counted(before), e) {
				next.Reached = max(old.Reached, e.Reached)
			}
		}
	}
	if n.rules.Ties() == board.ByMember {
		next.Reached, next.Arrival = 0, 0
	}
	if had && next.Score == old.Score && (n.rules.Ties() != board.FirstToReach || next.Reached >= old.Reached) {
		return old, false, nil
	}
	return next, true, nil
}

// counted returns the results that count among all of a member, in the order of arrival.
func (n *naive) counted(all []rules.Entry) []rules.Entry {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b rules.Entry) int {
		if n.rules.Op() == board.LastOf {
			return cmp.Or(-cmp.Compare(a.Reached, b.Reached), -cmp.Compare(a.Arrival, b.Arrival))
		}
		return cmp.Or(n.rules.Compare(a.Score, b.Score), cmp.Compare(a.Reached, b.Reached), cmp.Compare(a.Arrival, b.Arrival))
	})
	k := n.rules.K()
	if n.rules.Op() == board.DropWorst {
		k = max(len(all)-k, 0)
	}
	return sorted[:min(k, len(sorted))]
}

// naiveTotal adds up int64 columns in numbers of any size.
func naiveTotal(r *rules.Rules, results []rules.Entry) board.Score {
	values := make([]board.Value, len(r.Columns()))
	for i, c := range r.Columns() {
		sum, absent := new(big.Int), c.Absent != ""
		for _, e := range results {
			units, _ := e.Score.At(i).Units()
			sum.Add(sum, big.NewInt(units))
			absent = absent && e.Score.At(i).IsAbsent()
		}
		if values[i] = board.Decimal(sum.Int64(), c.Decimals); absent {
			values[i] = board.Absent
		}
	}
	for i, c := range r.Columns() {
		if c.Of != nil {
			values[i] = naiveComputed(r.Columns(), c, values)
		}
	}
	return board.Values(values...)
}

// naiveComputed returns the weighted sum of a column, in rational numbers.
func naiveComputed(columns []board.Column, c board.Column, values []board.Value) board.Value {
	sum := new(big.Rat)
	for i, source := range columns {
		if weight, ok := c.Of[source.Name]; ok && !values[i].IsAbsent() {
			x, _ := new(big.Rat).SetString(values[i].String())
			w, _ := new(big.Rat).SetString(weight.String())
			sum.Add(sum, x.Mul(x, w))
		}
	}
	v, err := rules.ParseValue(sum.FloatString(c.Decimals))
	if err != nil {
		panic(err)
	}
	return board.Decimal(int64(math.Round(v.Float()*math.Pow10(c.Decimals))), c.Decimals)
}
