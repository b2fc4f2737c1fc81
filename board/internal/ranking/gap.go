package ranking

import (
	"context"
	"fmt"
	"math"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// Gap implements Ranking.
func (r *reader) Gap(ctx context.Context, member string, above int) (gap board.Gap, ok bool, err error) {
	if above < 1 {
		return gap, false, r.fault(fmt.Errorf("%w: %d places above, want at least 1", board.ErrCount, above))
	}
	l, err := r.look(ctx)
	if err != nil {
		return gap, false, err
	}
	defer l.done(&err)
	place, ok := l.place(member)
	if !ok || place == 0 {
		return gap, false, nil
	}
	own, _ := l.score(member)
	if gap.To, ok, err = l.at(max(place-above, 0)); err != nil {
		return board.Gap{}, false, err
	}
	gap.Column, gap.By = firstDifference(own, gap.To.Score)
	return gap, ok, nil
}

// firstDifference returns the first column in which the scores differ, and by how much. It returns -1 if they are equal.
func firstDifference(own, better rules.Score) (column int, by rules.Value) {
	for i := range own.Len() {
		if own.At(i) != better.At(i) {
			return i, distance(own.At(i), better.At(i))
		}
	}
	return -1, rules.Value{}
}

// distance returns the absolute difference of two values of one kind, limited to the range of the kind. It is Absent if one of them is.
func distance(a, b rules.Value) rules.Value {
	if a.IsAbsent() || b.IsAbsent() {
		return rules.Absent
	}
	if a.IsFloat() {
		return rules.Float(min(math.Abs(a.Float()-b.Float()), math.MaxFloat64))
	}
	x, _ := a.Units()
	y, _ := b.Units()
	return rules.Decimal(int64(min(uint64(max(x, y))-uint64(min(x, y)), math.MaxInt64)), a.Decimals())
}
