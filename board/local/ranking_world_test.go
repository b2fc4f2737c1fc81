package local

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/zset"
)

// world is a ranking and the same entries in a map, from which an oracle computes the expected results. The ranking is that of a set or, after
// onBoard, of a board.
type world struct {
	board.Ranking
	rng     *rand.Rand
	rules   *rules.Rules
	columns []board.Column
	entries map[string]rules.Entry
	names   []string // all members that were ever added
	set     *zset.IntSet
	add     func(member string, e rules.Entry, form int64, tie []byte) error // adds an entry to the set or the board
	drop    func(member string) error
	arrival uint64
	values  [][]board.Value // the values that drawScore chooses from, by column
}

const worldKey = "b/week/2026-W47/1"

var (
	zeroTime  = time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)
	worldInfo = board.Info{Board: "b", Window: "week", Period: "2026-W47", Start: zeroTime, End: zeroTime.AddDate(0, 0, 7)}
)

func metaFor(_ context.Context, member string) ([]byte, error) {
	if len(member)%2 == 0 {
		return nil, nil
	}
	return []byte("meta of " + member), nil
}

// newWorld returns an empty world. If big is set, the set is a skiplist from the beginning; else small sets are listpacks.
func newWorld(t testing.TB, seed uint64, columns []board.Column, ties board.Ties, big bool) *world {
	r, err := rules.New(columns, "", ties)
	require.NoError(t, err)
	o := zset.Options{TieWidth: r.TieWidth(), ScoreTie: r.ScoreTie(), DenseRanks: true}
	if big {
		o.MaxListpackEntries = -1
	}
	set, err := zset.NewInt(o)
	require.NoError(t, err)
	w := &world{rng: rand.New(rand.NewPCG(seed, 6)), rules: r, columns: r.Columns(), entries: map[string]rules.Entry{}, set: set}
	w.add = func(member string, _ rules.Entry, form int64, tie []byte) error {
		_, err := set.AddTied([]byte(member), tie, form)
		return err
	}
	w.drop = func(member string) error {
		set.Remove([]byte(member))
		return nil
	}
	w.Ranking = rankingFrom(heldSource{set.View(), metaFor}, r, worldKey, func() board.Info { return worldInfo })
	w.drawValues()
	return w
}

// drawValues chooses few values for each column, so that there are many equals.
func (w *world) drawValues() {
	ints := []int64{0, 1, -1, 2, 7, 100, 1<<53 + 1, 1 << 53, 1 << 33, math.MinInt64, math.MinInt64 + 1, math.MaxInt64, math.MaxInt64 - 1}
	floats := []float64{0, 1, -1, 0.1, 1e-9, 2.5, math.SmallestNonzeroFloat64, math.MaxFloat64, -math.MaxFloat64, 1 << 53}
	for _, c := range w.columns {
		var values []board.Value
		for range 2 + w.rng.IntN(3) {
			if c.Kind == rules.Float64 {
				values = append(values, rules.Float(floats[w.rng.IntN(len(floats))]))
			} else if c.Min != nil {
				values = append(values, rules.Decimal(whole(c.Min.Units())+w.rng.Int64N(whole(c.Max.Units())-whole(c.Min.Units())+1), c.Decimals))
			} else {
				values = append(values, rules.Decimal(ints[w.rng.IntN(len(ints))], c.Decimals))
			}
		}
		w.values = append(w.values, values)
	}
}

func (w *world) drawScore() board.Score {
	list := make([]board.Value, len(w.values))
	for i, values := range w.values {
		list[i] = values[w.rng.IntN(len(values))]
	}
	return rules.Values(list...)
}

// drawMember returns a random name. Some names are prefixes of others, and some have bytes 0 or 255.
func (w *world) drawMember() string {
	name := fmt.Sprintf("m%d", w.rng.IntN(1<<20))
	switch w.rng.IntN(8) {
	case 0:
		return name + "\x00"
	case 1:
		return "\xff\xff" + name
	case 2:
		return "\x00" + name
	}
	return name
}

// put sets a member's score.
func (w *world) put(t testing.TB, member string, score board.Score) {
	old, had := w.entries[member]
	if !had {
		w.names = append(w.names, member)
	} else if old.Score == score {
		return
	}
	w.arrival++
	e := rules.Entry{Score: score}
	if w.rules.Ties() != rules.ByMember {
		e.Reached, e.Arrival = zeroTime.UnixMicro()+w.rng.Int64N(3), w.arrival
	}
	w.entries[member] = e
	form, tie := w.rules.Encode(nil, e)
	require.NoError(t, w.add(member, e, form, tie))
}

func (w *world) remove(t testing.TB, member string) {
	delete(w.entries, member)
	require.NoError(t, w.drop(member))
}

func (w *world) fill(t testing.TB, n int) {
	for len(w.entries) < n {
		w.put(t, w.drawMember(), w.drawScore())
	}
}

// compareValues compares two values of a column by its kind and order. It returns a negative number if a is better.
func (w *world) compareValues(column int, a, b board.Value) int {
	c := &w.columns[column]
	var d int
	if c.Kind == rules.Float64 {
		d = cmp.Compare(a.Float(), b.Float())
	} else {
		d = cmp.Compare(whole(a.Units()), whole(b.Units()))
	}
	if c.Order == rules.Desc {
		return -d
	}
	return d
}

// compare compares two scores. It returns a negative number if a is better.
func (w *world) compare(a, b board.Score) int {
	for i := range w.columns {
		if d := w.compareValues(i, a.At(i), b.At(i)); d != 0 {
			return d
		}
	}
	return 0
}

// sorted returns the expected rows, best first, with the ranks of a mode.
func (w *world) sorted(mode board.Mode) []board.Row {
	type named struct {
		member string
		rules.Entry
	}
	var list []named
	for member, e := range w.entries {
		list = append(list, named{member, e})
	}
	slices.SortFunc(list, func(a, b named) int {
		older := cmp.Or(cmp.Compare(a.Reached, b.Reached), cmp.Compare(a.Arrival, b.Arrival))
		if w.rules.Ties() == rules.LastToReach {
			older = -older
		}
		return cmp.Or(w.compare(a.Score, b.Score), older, strings.Compare(a.member, b.member))
	})
	rows := make([]board.Row, len(list))
	for i, e := range list {
		rows[i] = board.Row{Member: e.member, Score: e.Score}
		if w.rules.Ties() != rules.ByMember {
			rows[i].Reached = time.UnixMicro(e.Reached).UTC()
		}
		rows[i].Meta, _ = metaFor(context.Background(), e.member)
	}
	w.number(rows, mode, func(row *board.Row, rank int) { row.Rank = rank })
	return rows
}

// number calls set with the rank of each of the sorted rows in a mode.
func (w *world) number(rows []board.Row, mode board.Mode, set func(row *board.Row, rank int)) {
	better, upTo, distinct := 0, 0, 0 // of the present group of equals: rows before it, rows up to its end, groups so far
	for i := range rows {
		if i == 0 || w.compare(rows[i-1].Score, rows[i].Score) != 0 {
			better, distinct = i, distinct+1
			for upTo = i; upTo < len(rows) && w.compare(rows[i].Score, rows[upTo].Score) == 0; upTo++ {
			}
		}
		set(&rows[i], []int{board.Ordinal: i + 1, board.Competition: better + 1, board.Modified: upTo, board.Dense: distinct}[mode])
	}
}

// equal reports whether two lists of rows are equal.
func equal(a, b []board.Row) bool {
	return slices.EqualFunc(a, b, func(a, b board.Row) bool {
		return a.Rank == b.Rank && a.Member == b.Member && a.Score == b.Score && a.Reached.Equal(b.Reached) && string(a.Meta) == string(b.Meta)
	})
}

// directions returns lists of columns with every combination of orders; the kinds vary too.
func directions(columns int) [][]board.Column {
	var all [][]board.Column
	for bits := range 1 << columns {
		var list []board.Column
		for i := range columns {
			c := board.Column{Name: fmt.Sprintf("c%d", i)}
			if bits>>i&1 != 0 {
				c.Order = rules.Asc
			}
			if (bits+i)%3 == 1 {
				c.Kind = rules.Float64
			}
			list = append(list, c)
		}
		all = append(all, list)
	}
	return all
}

// wide returns lists of columns that are packed: the first is narrow, of 64 bits, or of one value only.
func wide() (all [][]board.Column) {
	for first := range 4 {
		var list []board.Column
		for i := range 5 + 9*first {
			decimals := i / 2 % 3
			lo, hi := rules.Decimal(int64(-i), decimals), rules.Decimal(int64(i%5), decimals)
			c := board.Column{Name: fmt.Sprintf("c%d", i), Decimals: decimals, Min: &lo, Max: &hi}
			if (i+first)%3 == 0 {
				c.Order = rules.Asc
			}
			list = append(list, c)
		}
		switch first {
		case 1:
			list[0].Min, list[0].Max = nil, nil
		case 2:
			list[0] = board.Column{Name: "c0", Kind: rules.Float64}
		case 3:
			list[0] = board.Column{Name: "c0", Decimals: 3, Order: rules.Asc}
		}
		all = append(all, list)
	}
	return all
}

var (
	allTies  = []board.Ties{rules.FirstToReach, rules.LastToReach, rules.ByMember}
	allModes = []board.Mode{board.Ordinal, board.Competition, board.Modified, board.Dense}
)

// fewer returns the number of repetitions of a test: n with -args -long, and less otherwise.
func fewer(n int) int {
	if invariants.Enabled || testing.Short() {
		return max(n/5, 1)
	}
	return matrix.Pick(max(n/4, 1), n)
}

func mustPin(t testing.TB, r board.Ranking) board.Ranking {
	pinned, err := r.Pin(context.Background())
	require.NoError(t, err)
	return pinned
}

// rankingFrom returns the ranking of a source.
func rankingFrom(src ranking.Source, r *rules.Rules, key string, info func() board.Info) board.Ranking {
	s := ranking.NewSubject(src, key, info)
	return ranking.New(&s, r)
}

// heldSource is the source of a set that does not change during a read.
type heldSource struct {
	v    *zset.IntView
	meta ranking.MetaOf
}

func (s heldSource) Open(ctx context.Context, o *ranking.Opened) error {
	o.Set, o.Meta = s.v, s.meta
	return nil
}

func (s heldSource) Close(*ranking.Opened) {}

func (s heldSource) Copy(context.Context) (ranking.Copied, error) {
	return ranking.Copied{Set: s.v.Copy(), Meta: s.meta}, nil
}
