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
)

// TestAgainstModel runs random changes with few keys, so that runs of equal keys cross leaves, then removes everything.
func TestAgainstModel(t *testing.T) {
	for name, shape := range shapes() {
		for _, keys := range []uint64{1, 3, 1000} {
			t.Run(fmt.Sprintf("%s/keys=%d", name, keys), func(t *testing.T) {
				const seed = 11
				rng := rand.New(rand.NewPCG(seed, keys))
				p := newPair(shape())
				for i := range 4000 {
					m := uint32(rng.IntN(members))
					if rng.IntN(3) == 0 || i > 3000 {
						require.NoError(t, p.remove(m), "seed %d step %d", seed, i)
					} else {
						require.NoError(t, p.put(m, rng.Uint64N(keys), byte(rng.IntN(2))), "seed %d step %d", seed, i)
					}
					if i%400 == 0 {
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

// hard has sequences of keys for which a leaf's frame is widened, is coarse, or ends at the lowest or highest key.
func hard() map[string]func(rng *rand.Rand, i int) uint64 {
	extremes := []uint64{0, 1, 2, 1 << 63, maxKey - 1, maxKey}
	return map[string]func(rng *rand.Rand, i int) uint64{
		"ascending":   func(_ *rand.Rand, i int) uint64 { return uint64(i) },
		"descending":  func(_ *rand.Rand, i int) uint64 { return uint64(members - i) },
		"steps":       func(_ *rand.Rand, i int) uint64 { return uint64(i) << 50 },
		"downsteps":   func(_ *rand.Rand, i int) uint64 { return uint64(members-i) << 50 },
		"equal":       func(*rand.Rand, int) uint64 { return maxKey },
		"extremes":    func(rng *rand.Rand, _ int) uint64 { return extremes[rng.IntN(len(extremes))] },
		"exponential": func(rng *rand.Rand, _ int) uint64 { return 1 << rng.IntN(64) },
		"fallen":      func(rng *rand.Rand, _ int) uint64 { return maxKey - 1<<rng.IntN(64) },
		"any":         func(rng *rand.Rand, _ int) uint64 { return rng.Uint64() >> rng.IntN(64) },
		"cluster": func(rng *rand.Rand, i int) uint64 {
			if i%97 == 0 {
				return rng.Uint64()
			}
			return 1<<40 + rng.Uint64N(50)
		},
	}
}

// TestHardKeys inserts, updates and removes entries with the sequences of keys in hard.
func TestHardKeys(t *testing.T) {
	moves := members
	if invariants.Enabled { // each looks at the whole list
		moves /= 4
	}
	for name, shape := range shapes() {
		for kind, key := range hard() {
			t.Run(name+"/keys="+kind, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(5, 5))
				p := newPair(shape())
				for i := range members {
					require.NoError(t, p.put(uint32(i), key(rng, i), 0))
				}
				require.NoError(t, p.compare())
				for i := range moves {
					m := uint32(rng.IntN(members))
					require.NoError(t, p.put(m, key(rng, rng.IntN(members)), 0))
					require.NoError(t, p.seek(m, key(rng, i), 1))
					if i%3 == 0 {
						require.NoError(t, p.remove(uint32(rng.IntN(members))))
					}
				}
				require.NoError(t, p.compare())
			})
		}
	}
}

// TestOrders inserts keys in ascending and in descending order. At both ends leaves must be filled, not split in half.
func TestOrders(t *testing.T) {
	for _, kind := range []string{"ascending", "descending"} {
		t.Run(kind, func(t *testing.T) {
			p := newPair(Options{})
			for i := range members {
				require.NoError(t, p.put(uint32(i), hard()[kind](nil, i), 0))
			}
			require.NoError(t, p.compare())
			require.Equal(t, (members+maxLeaf-1)/maxLeaf, int(p.list.nLeaves))
		})
	}
}

// TestDeleteRange removes every interval of ranks from lists of up to 11 entries, and random intervals from longer ones.
func TestDeleteRange(t *testing.T) {
	for name, shape := range shapes() {
		t.Run(name, func(t *testing.T) {
			for n := range 12 {
				for lo := range n + 1 {
					for hi := lo; hi <= n; hi++ {
						p := newPair(shape())
						for m := range uint32(n) {
							require.NoError(t, p.put(m, uint64(m/3), 0))
						}
						require.NoError(t, p.deleteRange(lo, hi))
						require.NoError(t, p.compare())
					}
				}
			}
			rng := rand.New(rand.NewPCG(9, 9))
			p := newPair(shape())
			for range 5 {
				for m := range uint32(members) {
					require.NoError(t, p.put(m, rng.Uint64N(100), 0))
				}
				for p.list.Len() > 0 {
					lo := rng.IntN(p.list.Len()+20) - 10
					require.NoError(t, p.deleteRange(lo, lo+rng.IntN(1<<rng.IntN(10))))
					require.NoError(t, p.compare())
				}
			}
		})
	}
}

// TestBuild builds lists of all short lengths, changes them and builds over them.
func TestBuild(t *testing.T) {
	for name, shape := range shapes() {
		t.Run(name, func(t *testing.T) {
			for n := 0; n < members; n += 1 + n/8 {
				p := newPair(shape())
				for m := range uint32(n) {
					require.NoError(t, p.put(m, uint64(m%50)<<(m%60), 1))
				}
				require.NoError(t, p.build())
				require.NoError(t, p.compare())
				for m := range uint32(n) {
					require.NoError(t, p.put(m, uint64(m%7), byte(m%2)))
				}
				require.NoError(t, p.compare())
			}
		})
	}
}

// TestSeek compares Seek with the oracle, for keys and texts in the list and for others.
func TestSeek(t *testing.T) {
	for name, shape := range shapes() {
		t.Run(name, func(t *testing.T) {
			p := newPair(shape())
			for m := range uint32(200) {
				require.NoError(t, p.put(m, uint64(m%5)*10, byte(m%2)))
			}
			for key := range uint64(55) {
				for _, m := range []uint32{0, 10, 199, 200, 450} {
					require.NoError(t, p.seek(m, key, byte(m%3)))
				}
			}
			require.Equal(t, 40, p.list.Seek(10, nil))
			require.Equal(t, 200, p.list.Seek(maxKey, nil))
		})
	}
}

// TestUpdateText moves entries while their text changes too, with and without passing neighbours.
func TestUpdateText(t *testing.T) {
	for name, shape := range shapes() {
		t.Run(name, func(t *testing.T) {
			r := &records{keys: []uint64{10, 10, 10, 10}, texts: []string{"a", "b", "c", "d"}}
			l := New(r, shape())
			for ref := range uint32(4) {
				l.Insert(10, ref)
			}
			update := func(old, key uint64, text string, change func()) []any {
				before, after, ok := l.Update(old, key, 0, []byte(text), change)
				return []any{before, after, ok}
			}
			require.Equal(t, []any{0, 3, true}, update(10, 10, "x", func() { r.texts[0] = "x" }))
			require.Equal(t, 3, l.Rank(10, 0))
			require.Equal(t, []any{3, 3, true}, update(10, 11, "A", func() { r.texts[0], r.keys[0] = "A", 11 }))
			require.Equal(t, []any{0, 0, false}, update(10, 12, "A", func() { t.Fatal("called") }), "no longer under the old key")
			l.check()
		})
	}
}

// TestAbsent calls methods with entries that the list does not hold.
func TestAbsent(t *testing.T) {
	p := newPair(Options{})
	require.NoError(t, p.put(1, 5, 0))
	_, ok := p.list.Delete(6, 1)
	require.False(t, ok)
	_, ok = p.list.Delete(5, 2)
	require.False(t, ok)
	for _, rank := range []int{-1, 1, 1 << 30} {
		c := p.list.At(rank)
		require.False(t, c.Valid())
	}
}

func TestNoAllocations(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks allocate")
	}
	r := make(bare, 1<<16)
	l := filled(r)
	var rank int
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for ref := range uint32(50) {
			l.Update(r[ref], 2*r[ref]+1, ref, nil, func() { r[ref] = 2*r[ref] + 1 })
		}
		rank = l.Rank(r[300], 300)
		for c := l.At(100); c.Valid() && rank%100 != 0; c.Next() {
			rank += int(c.Ref())
		}
	}))
}

// bare is records that have keys but no texts, so no two keys may be equal. A ref is an index.
type bare []uint64

func (b bare) Key(ref uint32) uint64 { return b[ref] }
func (b bare) Text(uint32) []byte    { return nil }

// filled gives all records different random keys and returns a list with all of them.
func filled(r bare) *List {
	l := New(r, Options{})
	rng := rand.New(rand.NewPCG(1, uint64(len(r))))
	for ref := range r {
		r[ref] = rng.Uint64()
		l.Insert(r[ref], uint32(ref))
	}
	return l
}

// TestProperty runs lists of operations from gopter, which shrinks a failing list to a short one.
func TestProperty(t *testing.T) {
	parameters := gopter.DefaultTestParameters()
	parameters.MinSuccessfulTests = 100
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

// run applies operations to a list and the oracle. An operation is packed in 32 bits: its kind, one of 8 keys, one of 2 ties, a member
// and a length. run compares both every 32 operations and at the end.
func run(o Options, ops []uint32) error {
	p := newPair(o)
	for i, op := range ops {
		m, key, tie, n := op>>8&0x3ff%members, uint64(op>>4&7), byte(op>>7&1), int(op>>18&0x3ff)
		var err error
		switch op & 31 {
		case 0, 1, 2, 3, 4, 5, 6:
			err = p.remove(m)
		case 7:
			err = p.seek(m, key, tie)
		case 8:
			lo := int(m) % (p.list.Len() + 1)
			err = p.deleteRange(lo-1, lo+n%(1+n%64))
		case 9:
			if n%16 == 0 {
				err = p.build()
			}
		case 10, 11:
			err = p.replace(m)
		case 12:
			err = p.put(m, hard()["any"](rand.New(rand.NewPCG(uint64(op), 0)), 0), tie)
		default:
			err = p.put(m, key, tie)
		}
		if err == nil && (i%32 == 0 || i == len(ops)-1) {
			err = p.compare()
		}
		if err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	return nil
}

// FuzzList reads its input as a shape and a list of operations; bytes left over are ignored.
func FuzzList(f *testing.F) {
	f.Add([]byte{4, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		o := Options{LeafSize: []int{2, 3, 4, 64}[data[0]%4]}
		if height := int(data[0]/4) % 3; height > 0 {
			o.Height = func() int { return 1 + (height-1)*maxHeight }
		}
		if groups := int(data[0]/12) % 3; groups > 0 {
			o.Groups, o.GroupText = true, groups-1
		}
		var ops []uint32
		for data = data[1:]; len(data) >= 4 && len(ops) < 500; data = data[4:] {
			ops = append(ops, binary.LittleEndian.Uint32(data))
		}
		if err := run(o, ops); err != nil {
			t.Fatal(err)
		}
	})
}
