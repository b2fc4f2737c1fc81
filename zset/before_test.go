package zset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/model"
)

// imaged is a set that changes beside its before-image, and the oracle as it was when the image was made.
type imaged[S Score] struct {
	*pair[S]
	image *BeforeImageOf[S]
	then  *model.SetOf[S]
	seen  map[string]model.EntryOf[S] // what the image was last told of changed members; one without an entry has none
	last  map[string]model.EntryOf[S] // the set at that time
}

// entriesOf returns what an oracle holds, by member.
func entriesOf[S Score](m *model.SetOf[S]) map[string]model.EntryOf[S] {
	all := map[string]model.EntryOf[S]{}
	for _, e := range m.All() {
		all[e.Member] = e
	}
	return all
}

// begin makes an image of the set as it is.
func (i *imaged[S]) begin() {
	i.image, i.then = i.set.BeforeImage(), i.want.Clone()
	i.seen, i.last = map[string]model.EntryOf[S]{}, entriesOf(i.want)
}

// note tells the image of the members that have changed since the last call, and of some that have not.
func (i *imaged[S]) note(r *rand.Rand) error {
	now, members := entriesOf(i.want), map[string]bool{}
	for member, e := range now {
		members[member] = e != i.last[member] || r.IntN(16) == 0
	}
	for member := range i.last {
		if _, ok := now[member]; !ok {
			members[member] = true
		}
	}
	i.last = now
	for member, changed := range members {
		if !changed {
			continue
		}
		was, had := i.then.Get(member)
		_, again := i.seen[member]
		i.seen[member] = now[member]
		var err error
		if again {
			err = i.image.Again([]byte(member))
		} else {
			err = i.image.Changed([]byte(member), []byte(was.Tie), was.Score, had)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// compareImage compares the image with the oracle as it was. Members that the set has got since must be absent.
func (i *imaged[S]) compareImage() error {
	v := i.image.View()
	for member := range i.last {
		_, want := i.then.Get(member)
		_, score := v.Score([]byte(member))
		_, rank := v.Rank([]byte(member))
		if _, _, get := v.Get([]byte(member)); score != want || rank != want || get != want {
			return fmt.Errorf("%q: score %v, rank %v, get %v, want %v", member, score, rank, get, want)
		}
	}
	return (&pair[S]{&SetOf[S]{*i.image.View()}, i.then}).compare()
}

// runImaged applies random steps, and compares the image now and then.
func runImaged[S Score](v variant, tieWidth int, seed uint64, members int) error {
	r := rand.New(rand.NewPCG(seed, 7))
	i := &imaged[S]{pair: newPair(freshOf[S](v, tieWidth))}
	for n := range 300 {
		if n%60 == 0 {
			i.begin()
		}
		set := i.set
		if err := i.apply(step{byte(r.Uint32()), byte(r.IntN(members)), byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32())}); err != nil {
			return err
		}
		if i.set != set { // read back from pages
			i.begin()
		}
		if r.IntN(12) > 0 {
			continue
		}
		if err := i.note(r); err != nil {
			return err
		}
		if err := i.compareImage(); err != nil {
			return fmt.Errorf("step %d: %w", n, err)
		}
	}
	return i.compare()
}

// TestBeforeImage compares every reading method of a before-image with the oracle as it was, while the set changes in all ways.
func TestBeforeImage(t *testing.T) {
	for _, v := range allVariants() {
		for seed := range uint64(matrix.Pick(1, 20)) {
			for _, members := range []int{4, 30, 256} {
				require.NoError(t, runImaged[float64](v, 8, seed, members), "%s, seed %d, %d members", v.name, seed, members)
				require.NoError(t, runImaged[int64](v, 0, seed, members), "%s, int64, seed %d, %d members", v.name, seed, members)
			}
		}
	}
}

// TestBeforeImageWithoutChanges: an image of which nothing was noted is the set, empty or not.
func TestBeforeImageWithoutChanges(t *testing.T) {
	p := newPair(plain[0].fresh(8))
	image := p.set.BeforeImage()
	require.NoError(t, (&pair[float64]{&Set{*image.View()}, p.want}).compare())
	require.NoError(t, p.add("a", make([]byte, 8), 1))
	require.NoError(t, image.Changed([]byte("a"), nil, 0, false))
	require.Zero(t, image.View().Len())
	require.ErrorIs(t, image.Changed([]byte("b"), nil, 0, true), ErrTieWidth)
	require.ErrorIs(t, image.Changed([]byte("b"), make([]byte, 8), math.NaN(), true), ErrNaN)
	require.ErrorIs(t, image.Changed(make([]byte, MaxMember+1), make([]byte, 8), 0, true), ErrMemberTooLong)
	require.Zero(t, image.View().Len(), "what was refused is not noted")
}
