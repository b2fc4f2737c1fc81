package skiplist

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/model"
)

// texts are records in a slice: a ref is an index.
type texts []string

func (t texts) Text(ref uint32) []byte { return []byte(t[ref]) }

// pair is a list beside the oracle. Member m has ref m and the text of its number, so refs do not order as texts do.
type pair struct {
	list *List
	want *model.Set
	text texts
	key  map[uint32]uint64
}

const members = 600

func newPair(o Options) *pair {
	p := &pair{want: model.New(), text: make(texts, members), key: map[uint32]uint64{}}
	for m := range p.text {
		p.text[m] = fmt.Sprint(m * 7919 % members)
	}
	p.list = New(p.text, o)
	return p
}

// put gives a member a key in both, and returns what differs.
func (p *pair) put(m uint32, key uint64) error {
	old, had := p.key[m]
	p.key[m] = key
	p.want.Put(model.Entry{Score: float64(key), Member: p.text[m]})
	if had {
		if !p.list.Update(old, key, m, nil) {
			return fmt.Errorf("update of %d: not found", m)
		}
		return nil
	}
	rank := p.list.Insert(key, m)
	if want, _ := p.want.Rank(p.text[m]); rank != want {
		return fmt.Errorf("insert of %d: rank %d, want %d", m, rank, want)
	}
	return nil
}

func (p *pair) remove(m uint32) error {
	key, had := p.key[m]
	want, _ := p.want.Rank(p.text[m])
	if rank, ok := p.list.Delete(key, m); ok != had || ok && rank != want {
		return fmt.Errorf("delete of %d: %d %v, want %d %v", m, rank, ok, want, had)
	}
	p.want.Remove(p.text[m])
	delete(p.key, m)
	return nil
}

// compare returns the first difference between the list and the oracle.
func (p *pair) compare() error {
	if number, found := p.list.verify(); number != "" {
		return fmt.Errorf("violates %s: %s\n%#v", number, found, p.list)
	}
	all := p.want.All()
	if p.list.Len() != len(all) {
		return fmt.Errorf("len %d, want %d", p.list.Len(), len(all))
	}
	c := p.list.At(0)
	for rank, e := range all {
		if !c.Valid() || p.text[c.Ref()] != e.Member || float64(c.Key()) != e.Score {
			return fmt.Errorf("rank %d is not %v", rank, e)
		}
		if at := p.list.At(rank); at.Ref() != c.Ref() {
			return fmt.Errorf("At(%d) is not what a walk finds", rank)
		}
		if got, ok := p.list.Rank(c.Key(), c.Ref()); !ok || got != rank {
			return fmt.Errorf("rank of %v is %d %v, want %d", e, got, ok, rank)
		}
		c.Next()
	}
	if c.Valid() {
		return fmt.Errorf("a walk does not end")
	}
	back := p.list.At(len(all) - 1)
	for rank := len(all) - 1; rank >= 0; rank-- {
		if !back.Valid() || p.text[back.Ref()] != all[rank].Member {
			return fmt.Errorf("rank %d is not found walking back", rank)
		}
		back.Prev()
	}
	if back.Valid() {
		return fmt.Errorf("a walk back does not end")
	}
	return nil
}

// shapes are the options under which every test body runs.
func shapes() map[string]func() Options {
	always := func(h int) func() int { return func() int { return h } }
	return map[string]func() Options{
		"leaf=2":             func() Options { return Options{LeafSize: 2} },
		"leaf=3":             func() Options { return Options{LeafSize: 3} },
		"leaf=4":             func() Options { return Options{LeafSize: 4} },
		"leaf=8":             func() Options { return Options{LeafSize: 8} },
		"leaf=64":            func() Options { return Options{} },
		"leaf=4/height=1":    func() Options { return Options{LeafSize: 4, Height: always(1)} },
		"leaf=4/height=max":  func() Options { return Options{LeafSize: 4, Height: always(maxHeight)} },
		"leaf=64/height=max": func() Options { return Options{Height: always(99)} },
	}
}

// TestAgainstModel runs random changes with few keys, so that runs of equal keys cross leaves, then removes everything.
func TestAgainstModel(t *testing.T) {
	for name, shape := range shapes() {
		for _, keys := range []uint64{1, 3, 1000} {
			t.Run(fmt.Sprintf("%s/keys=%d", name, keys), func(t *testing.T) {
				const seed = 11
				rng := rand.New(rand.NewPCG(seed, keys))
				p := newPair(shape())
				for i := range 6000 {
					m := uint32(rng.IntN(members))
					if rng.IntN(3) == 0 || i > 4000 {
						require.NoError(t, p.remove(m), "seed %d step %d", seed, i)
					} else {
						require.NoError(t, p.put(m, rng.Uint64N(keys)), "seed %d step %d", seed, i)
					}
					if i%200 == 0 {
						require.NoError(t, p.compare(), "seed %d step %d", seed, i)
					}
				}
				for m := range uint32(members) {
					require.NoError(t, p.remove(m))
				}
				require.NoError(t, p.compare())
				require.Equal(t, 1, p.list.level)
			})
		}
	}
}

// TestOrders inserts ascending and descending: both ends fill leaves instead of halving them.
func TestOrders(t *testing.T) {
	for name, key := range map[string]func(m uint32) uint64{
		"ascending":  func(m uint32) uint64 { return uint64(m) },
		"descending": func(m uint32) uint64 { return uint64(members - m) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPair(Options{})
			for m := range uint32(members) {
				require.NoError(t, p.put(m, key(m)))
			}
			require.NoError(t, p.compare())
			require.Equal(t, (members+maxLeaf-1)/maxLeaf, int(p.list.nLeaves))
		})
	}
}

// TestSeek counts the entries before keys and texts that are and are not there.
func TestSeek(t *testing.T) {
	for name, shape := range shapes() {
		t.Run(name, func(t *testing.T) {
			p := newPair(shape())
			for m := range uint32(200) {
				require.NoError(t, p.put(m, uint64(m%5)*10))
			}
			for key := range uint64(55) {
				for _, text := range []string{"", "0", "250", "599", "zz"} {
					want := p.want.CountBefore(func(e model.Entry) bool {
						return model.Less(e, model.Entry{Score: float64(key), Member: text})
					})
					require.Equal(t, want, p.list.Seek(key, []byte(text)), "key %d text %q", key, text)
				}
			}
		})
	}
}

// TestUpdateText moves entries while their text changes too, with and without passing neighbours.
func TestUpdateText(t *testing.T) {
	text := texts{"a", "b", "c", "d"}
	l := New(text, Options{LeafSize: 2})
	for ref := range uint32(4) {
		l.Insert(10, ref)
	}
	require.True(t, l.Update(10, 10, 0, func() { text[0] = "x" }))
	rank, ok := l.Rank(10, 0)
	require.True(t, ok)
	require.Equal(t, 3, rank)
	require.True(t, l.Update(10, 11, 0, func() { text[0] = "A" }))
	require.False(t, l.Update(10, 12, 0, nil), "no longer under the old key")
	l.check()
}

// TestAbsent asks for entries that are not there.
func TestAbsent(t *testing.T) {
	p := newPair(Options{})
	require.NoError(t, p.put(1, 5))
	_, ok := p.list.Rank(6, 1)
	require.False(t, ok)
	_, ok = p.list.Rank(5, 2)
	require.False(t, ok)
	_, ok = p.list.Delete(5, 2)
	require.False(t, ok)
	for _, rank := range []int{-1, 1, 1 << 40} {
		c := p.list.At(rank)
		require.False(t, c.Valid())
	}
}

// TestMemoryFollows removes most of a list and expects its slabs to shrink with it.
func TestMemoryFollows(t *testing.T) {
	if invariants.Enabled {
		t.Skip("each change of 200,000 entries is checked in O(n)")
	}
	text := make(texts, 200_000)
	l := New(text, Options{})
	for ref := range text {
		l.Insert(uint64(ref), uint32(ref))
	}
	full := l.Size()
	for ref := range text {
		if ref%10 != 0 {
			l.Delete(uint64(ref), uint32(ref))
		}
	}
	fresh := New(text, Options{})
	for ref := 0; ref < len(text); ref += 10 {
		fresh.Insert(uint64(ref), uint32(ref))
	}
	t.Logf("%d B for all, %d B for a tenth left, %d B for a tenth built", full, l.Size(), fresh.Size())
	require.Less(t, l.Size(), 3*fresh.Size(), "a tenth built in order has full leaves")
}

func TestNoAllocations(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks allocate")
	}
	p := newPair(Options{})
	for m := range uint32(members) {
		require.NoError(t, p.put(m, uint64(m)))
	}
	fixed := &List{}
	*fixed = *p.list
	fixed.texts = still{}
	var rank int
	require.Zero(t, testing.AllocsPerRun(100, func() {
		fixed.Update(300, 900, 300, nil)
		fixed.Update(900, 300, 300, nil)
		rank, _ = fixed.Rank(300, 300)
		for c := fixed.At(100); c.Valid(); c.Next() {
			rank += int(c.Ref())
		}
	}))
}

// still gives every record the same text without allocating.
type still struct{}

func (still) Text(uint32) []byte { return nil }

// TestProperty lets gopter choose lists of operations; what it reports is shrunk to a short list.
func TestProperty(t *testing.T) {
	parameters := gopter.DefaultTestParameters()
	parameters.MinSuccessfulTests = 200
	parameters.MaxSize = 300
	properties := gopter.NewProperties(parameters)
	for name, shape := range shapes() {
		properties.Property("a list with "+name+" equals the oracle", prop.ForAll(
			func(ops []uint32) (string, error) { return "", run(shape(), ops) },
			gen.SliceOf(gen.UInt32()),
		))
	}
	properties.TestingRun(t)
}

// run applies operations, each packed in 32 bits: what to do, to which member, with which of 8 keys.
func run(o Options, ops []uint32) error {
	p := newPair(o)
	for i, op := range ops {
		m, key := op>>8%members, uint64(op>>4&7)
		var err error
		if op&15 < 5 {
			err = p.remove(m)
		} else {
			err = p.put(m, key)
		}
		if err == nil && (i%16 == 0 || i == len(ops)-1) {
			err = p.compare()
		}
		if err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	return nil
}

// FuzzList reads its input as a leaf size and a list of operations; bytes left over are ignored.
func FuzzList(f *testing.F) {
	f.Add([]byte{4, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		size, data := int(data[0]), data[1:]
		var ops []uint32
		for ; len(data) >= 4 && len(ops) < 2000; data = data[4:] {
			ops = append(ops, binary.LittleEndian.Uint32(data))
		}
		if err := run(Options{LeafSize: 2 + size%63}, ops); err != nil {
			t.Fatal(err)
		}
	})
}
