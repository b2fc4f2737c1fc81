package periods

import (
	"math"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// tally combines entries by member.
type tally struct {
	*layout
	rows    map[string]uint32
	members []string // in the order of their rows
	cells   []cell   // of all rows: one for each column
	entry   []cell   // buffer: the weighted columns of an entry
	texts   strings.Builder
}

// cell is a column of a member's score so far.
type cell struct {
	value   wide  // in a float64 column, lo has the bits of the number
	reached int64 // when the latest of the scores that count was reached, in microseconds after 1970
}

// newTally returns a tally that expects a number of members.
func newTally(l *layout, members int) *tally {
	return &tally{layout: l, rows: make(map[string]uint32, members), members: make([]string, 0, members),
		cells: make([]cell, 0, members*len(l.columns)), entry: make([]cell, len(l.columns))}
}

// add combines an entry of a source, whose board has the rules r, with what the member has. O(columns).
func (t *tally) add(source int, r *rules.Rules, e zset.IntEntry) {
	var s rules.Score
	reached := r.DecodeScore(&s, e.Score, e.Tie)
	for i := range t.columns {
		t.entry[i] = cell{t.columns[i].weighted(s.At(i), t.factors[source][i]), reached}
	}
	row, ok := t.rows[string(e.Member)]
	if !ok {
		name := t.text(e.Member)
		t.rows[name] = uint32(len(t.members))
		t.members = append(t.members, name)
		t.cells = append(t.cells, t.entry...)
		return
	}
	cells := t.cells[int(row)*len(t.columns):][:len(t.columns)]
	if t.best {
		t.takeBetter(cells)
		return
	}
	for i := range cells {
		t.join(&cells[i], &t.columns[i], t.entry[i])
	}
}

// text returns the string of a new member.
func (t *tally) text(member []byte) string {
	if t.texts.Cap()-t.texts.Len() < len(member) {
		t.texts = strings.Builder{}
		t.texts.Grow(max(len(member), textBlock))
	}
	from := t.texts.Len()
	t.texts.Write(member)
	return t.texts.String()[from:]
}

// textBlock is how many bytes members share an allocation.
const textBlock = 64 << 10

// takeBetter replaces a member's score by that of the entry if it is better. Of equal scores the one counts that ranks better.
func (t *tally) takeBetter(cells []cell) {
	for i := range cells {
		c := t.columns[i].compare(cells[i].value, t.entry[i].value)
		if t.columns[i].Order == rules.Desc {
			c = -c
		}
		switch {
		case c < 0:
			return
		case c > 0:
			copy(cells, t.entry)
			return
		}
	}
	for i := range cells {
		cells[i].reached = t.preferred(cells[i].reached, t.entry[i].reached)
	}
}

// join combines two values of a column.
func (t *tally) join(to *cell, c *column, x cell) {
	if c.op == rules.Sum {
		to.value, to.reached = c.plus(to.value, x.value), max(to.reached, x.reached)
		return
	}
	switch order := c.compare(x.value, to.value); {
	case order == 0:
		to.reached = t.preferred(to.reached, x.reached)
	case order < 0 == (c.op == rules.Min):
		*to = x
	}
}

// preferred returns the time, of two for the same value, that ranks better.
func (t *tally) preferred(a, b int64) int64 {
	if t.rules.Ties() == rules.LastToReach {
		return max(a, b)
	}
	return min(a, b)
}

// set returns the ranking: its entries, sorted once. Errors: an *Error that wraps ErrOverflow, for the first member whose score does not fit.
// O(n log n).
func (t *tally) set(b *zset.IntBuilder) (*zset.IntSet, error) {
	values, tie := make([]rules.Value, len(t.columns)), make([]byte, 0, rules.MaxTie)
	for row, member := range t.members {
		reached := int64(math.MinInt64)
		for i, x := range t.cells[row*len(t.columns):][:len(t.columns)] {
			v, err := t.columns[i].result(x.value)
			if err != nil {
				return nil, &board.UnionError{Source: -1, Member: member, Column: t.columns[i].Name, Err: err}
			}
			values[i], reached = v, max(reached, x.reached)
		}
		score, tie := t.rules.Encode(tie, rules.Entry{Score: rules.Values(values...), Reached: reached})
		if err := b.AddTied([]byte(member), tie, score); err != nil {
			return nil, err
		}
	}
	return b.Set(), nil
}
