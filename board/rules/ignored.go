package rules

// Ignored says why a result does not count for a score: other results count in its place. It is empty if the result counts, also if
// it leaves the score as it is, as a sum with 0 does.
type Ignored string

const (
	// Older: the operator is Last or LastOf, and newer results count.
	Older Ignored = "older"
	// Later: the operator is First, and an earlier result counts.
	Later Ignored = "later"
	// NotBetter: the operator is Best, Min, Max or BestOf, and results that are as good or better count.
	NotBetter Ignored = "not_better"
)

// Ignores says why a submission that Apply or ApplyTimed has not changed an entry for does not count. old and stored are as they were
// before. Of columns with operators of their own none counts; if their reasons differ, it is Older or Later. O(columns).
func (r *Rules) Ignores(old Entry, stored []byte, sub Entry) (why Ignored) {
	score, err := r.Check(sub.Score)
	if err != nil {
		return ""
	}
	var times Times
	r.setTimes(&times, old, stored)
	if !r.op.byColumn() {
		return r.op.ignores(r.Compare(score, old.Score) >= 0, sub.Reached, times[0])
	}
	timed := 0
	for i := range r.columns {
		c, t := &r.columns[i], int64(0)
		op := or(c.Op, r.op)
		if c.Of == nil && (op == Last || op == First) {
			t = times[timed]
			timed++
		}
		if c.Of != nil || score.At(i).IsAbsent() {
			continue
		}
		is := op.ignores(true, sub.Reached, t)
		if is == "" {
			return ""
		}
		if why == "" || is != NotBetter {
			why = is
		}
	}
	return why
}

// ignores returns why a result that happened at a time does not count beside one of time t, which is as good or not.
func (o Op) ignores(asGood bool, at, t int64) Ignored {
	switch {
	case o == Last && at < t:
		return Older
	case o == First && at >= t:
		return Later
	case asGood && (o == Best || o == Min || o == Max):
		return NotBetter
	}
	return ""
}

// IgnoresKept is Ignores for an operator that keeps results. kept are those of the member before. O(columns).
func (r *Rules) IgnoresKept(kept []Result, sub Entry) Ignored {
	score, err := r.Check(sub.Score)
	if err != nil || len(kept) < r.k || r.op == DropWorst { // what DropWorst does not keep is in the sum
		return ""
	}
	switch c := r.compareKept(kept[len(kept)-1], Result{score, sub.Reached}); {
	case c > 0 || c == 0 && r.op != BestOf: // as in keep
		return ""
	case r.op == LastOf:
		return Older
	}
	return NotBetter
}
