package zset

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	integers "math/big"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/model"
)

// combination is the input of a set operation: sets, and the same sets as maps for the oracle.
type combination[S Score] struct {
	how   Combine[S]
	views []*ViewOf[S]
	maps  []map[string]S
}

// newCombination reads 1 to 4 sets from data. It begins with six bytes: the variant, the number of sets, the aggregate with or without
// weights, and three weights. Then each entry has three bytes: its set, its member and its score.
func newCombination[S Score](data []byte) *combination[S] {
	c := &combination[S]{}
	n := 1 + int(data[1])%4
	sets := make([]*SetOf[S], n)
	for i := range n {
		sets[i] = freshOf[S](plain[(int(data[0])+i)%len(plain)], i%2*8) // ties are dropped, whatever their width
		c.views, c.maps = append(c.views, sets[i].View()), append(c.maps, map[string]S{})
	}
	c.how.Aggregate = Aggregate(data[2] % 4)
	if data[2] >= 64 {
		for i := range n {
			c.how.Weights = append(c.how.Weights, scoreIn[S](step{score: data[3+i%3] + byte(i)}))
		}
	}
	for data = data[6:]; len(data) >= 3; data = data[3:] {
		i, member, score := int(data[0])%n, fmt.Sprint(data[1]%50), scoreIn[S](step{score: data[2]})
		if _, err := sets[i].Add([]byte(member), score); err == nil {
			c.maps[i][member] = score + 0 // -0 + 0 is 0
		}
	}
	return c
}

// order returns the indexes of the sets, the smallest set first.
func (c *combination[S]) order() []int {
	order := make([]int, len(c.maps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(c.maps[a]) - len(c.maps[b]) })
	return order
}

// times returns the weighted score.
func (c *combination[S]) times(set int, score S) (S, error) {
	weight := S(1)
	if c.how.Weights != nil {
		weight = c.how.Weights[set]
	}
	switch {
	case c.how.Aggregate == Count:
		return weight, nil
	case isInt[S]():
		return exact[S](new(integers.Int).Mul(integers.NewInt(int64(weight)), integers.NewInt(int64(score))))
	}
	return weight * score, nil
}

// aggregate combines two weighted scores. Min and Max ignore NaN; in sums NaN is 0.
func (c *combination[S]) aggregate(a, b S) (S, error) {
	switch {
	case c.how.Aggregate == Min && b < a, c.how.Aggregate == Max && b > a:
		return b, nil
	case c.how.Aggregate == Min, c.how.Aggregate == Max:
		return a, nil
	}
	sum, err := plus(a, b)
	if err == ErrNaN {
		return 0, nil
	}
	return sum, err
}

// score returns a member's score in the result, and in there the number of sets that hold the member. guarded means a union as in Redis,
// which replaces every NaN by 0; an intersection does that only in the first set.
func (c *combination[S]) score(member string, guarded bool) (result S, there int, failure error) {
	for _, i := range c.order() {
		score, ok := c.maps[i][member]
		if !ok {
			continue
		}
		product, err := c.times(i, score)
		if product != product && (guarded || there == 0) {
			product = 0
		}
		if there > 0 && err == nil {
			product, err = c.aggregate(result, product)
		}
		failure = errors.Join(failure, err)
		result = product
		there++
	}
	return result, there, failure
}

// result returns the expected result: the members that at least a given number of sets hold.
func (c *combination[S]) result(least int, guarded bool) (*model.SetOf[S], error) {
	want, failure := model.Of[S](), error(nil)
	for _, m := range c.maps {
		for member := range m {
			score, there, err := c.score(member, guarded)
			if there >= least {
				failure = errors.Join(failure, err)
				want.Put(model.EntryOf[S]{Score: score, Member: member, Tie: string(make([]byte, 16))})
			}
		}
	}
	return want, failure
}

// agree compares a result or its error with the expected one.
func agree[S Score](got *SetOf[S], err error, want *model.SetOf[S], failure error) error {
	if failure != nil || err != nil {
		if failure == nil || !errors.Is(failure, err) {
			return fmt.Errorf("error %v, want %v", err, failure)
		}
		return nil
	}
	if small := want.Len() <= 30; small != (got.Encoding() == "listpack") {
		return fmt.Errorf("%s of %d entries", got.Encoding(), want.Len())
	}
	return (&pair[S]{got, want}).compare()
}

// check runs Union, Inter, InterCard and Diff, and compares the results with those of the maps.
func (c *combination[S]) check() error {
	o := Options{TieWidth: 16, MaxListpackEntries: 30}
	want, failure := c.result(1, true)
	got, err := Union(o, c.how, c.views...)
	if err := agree(got, err, want, failure); err != nil {
		return fmt.Errorf("union: %w", err)
	}
	want, failure = c.result(len(c.maps), false)
	got, err = Inter(o, c.how, c.views...)
	if err := agree(got, err, want, failure); err != nil {
		return fmt.Errorf("intersection: %w", err)
	}
	for _, limit := range []int{0, 1, 5, 1000} {
		n := want.Len()
		if limit > 0 {
			n = min(n, limit)
		}
		if got := InterCard(limit, c.views...); got != n {
			return fmt.Errorf("intersection has %d up to %d, want %d", got, limit, n)
		}
	}
	want = model.Of[S]()
	for member, score := range c.maps[0] {
		if !slices.ContainsFunc(c.maps[1:], func(m map[string]S) bool { _, ok := m[member]; return ok }) {
			want.Put(model.EntryOf[S]{Score: score, Member: member, Tie: string(make([]byte, 16))})
		}
	}
	got, err = Diff(o, c.views[0], c.views[1:]...)
	if err := agree(got, err, want, nil); err != nil {
		return fmt.Errorf("difference: %w", err)
	}
	return nil
}

// checkCombination runs every operation for both kinds of scores.
func checkCombination(data []byte) error {
	if len(data) < 6 {
		return nil
	}
	if err := newCombination[float64](data).check(); err != nil {
		return fmt.Errorf("float64: %w", err)
	}
	if err := newCombination[int64](data).check(); err != nil {
		return fmt.Errorf("int64: %w", err)
	}
	return nil
}

// TestCombinations takes random sets.
func TestCombinations(t *testing.T) {
	const seed = 9
	rng := rand.New(rand.NewPCG(seed, 0))
	cases := 400
	if invariants.Enabled {
		cases = 100 // sets are built and checked by the thousand
	}
	for i := range cases {
		data := make([]byte, 6+3*rng.IntN(120))
		for j := range data {
			data[j] = byte(rng.Uint32())
		}
		require.NoError(t, checkCombination(data), "seed %d, case %d: %v", seed, i, data)
	}
}

// FuzzCombine runs every operation on the sets that newCombination reads from the input.
func FuzzCombine(f *testing.F) {
	f.Add([]byte("\x00\x03\x00\x00\x00\x00 a\x01!a\x02\"a\x07#a\x08"))
	f.Add([]byte("\x04\x01\x50\x07\x00\x08 a\x01!a\x02 b\x07!b\x08"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkCombination(data); err != nil {
			t.Fatal(err)
		}
	})
}
