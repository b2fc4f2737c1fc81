package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/persist"
)

// meddler changes the sets of an engine between the pages of a capture, in the goroutine of the capture. So it knows what each set holds when
// the capture ends; the copies must show exactly that.
type meddler struct {
	e     *Engine
	rng   *rand.Rand
	world map[string]map[string]float64
	size  int // number of different members
	eager int // maximum number of changes between two pages
	made  int // changes so far
	err   error
}

// captureFigures count what proveCapture has done.
type captureFigures struct{ captures, members, changes, evicted int }

func newMeddler(e *Engine, seed uint64) *meddler {
	m := &meddler{e: e, rng: rand.New(rand.NewPCG(seed, 7)), world: map[string]map[string]float64{}, size: 4000}
	if invariants.Enabled {
		m.size = 150
	}
	for _, key := range []string{"a", "b", "c", "d"} {
		m.world[key] = map[string]float64{}
	}
	return m
}

// member returns a random member; some are long, some as long as a page.
func (m *meddler) member() string {
	switch i := m.rng.IntN(m.size); i {
	case 0:
		return fmt.Sprintf("%0100000d", i)
	case 1, 2, 3:
		return fmt.Sprintf("%09000d", i)
	default:
		return fmt.Sprintf("member:%05d", i)
	}
}

// change runs one random transaction on one set: it empties, refills, rolls back, puts back, fills or removes.
func (m *meddler) change() {
	key := []string{"a", "b", "c", "d"}[m.rng.IntN(4)]
	next := maps.Clone(m.world[key])
	failed := errors.New("failed")
	err := m.e.Update(context.Background(), func(tx *Tx) error {
		s, err := tx.Set(key)
		if err != nil {
			return err
		}
		switch p := m.rng.IntN(20); {
		case p == 0: // the set vanishes
			next = map[string]float64{}
			return empties(s)
		case p < 3: // the set is emptied and filled again, big or small
			next = map[string]float64{}
			return errors.Join(empties(s), m.fill(s, next, []int{3, m.size / 13, m.size}[m.rng.IntN(3)]))
		case p < 6: // members move, and the transaction is rolled back
			return errors.Join(m.putBack(s, m.size/20), m.fill(s, map[string]float64{}, m.size/80), failed)
		case p < 9: // members are removed and put back unchanged
			return m.putBack(s, m.size/80)
		case p == 9:
			return m.fill(s, next, m.size/2)
		case p < 13:
			return m.remove(s, next, m.size/13)
		default:
			return m.fill(s, next, 1+m.rng.IntN(5))
		}
	}, key)
	switch {
	case err == nil:
		m.world[key] = next
	case !errors.Is(err, failed):
		m.err = errors.Join(m.err, err)
	}
	m.made++
}

func empties(s *Set) error {
	_, err := s.PopMin(s.Len())
	return err
}

func (m *meddler) fill(s *Set, world map[string]float64, n int) error {
	for range n {
		member, score := m.member(), float64(m.rng.IntN(50))
		if _, err := s.Add([]byte(member), score); err != nil {
			return err
		}
		world[member] = score
	}
	return nil
}

func (m *meddler) remove(s *Set, world map[string]float64, n int) error {
	for range n {
		member := m.member()
		if _, err := s.Remove([]byte(member)); err != nil {
			return err
		}
		delete(world, member)
	}
	return nil
}

// putBack removes members and adds them again unchanged, in another order.
func (m *meddler) putBack(s *Set, n int) error {
	entries := s.Append(nil, 0, n)
	for _, x := range entries {
		if _, err := s.Remove(x.Member); err != nil {
			return err
		}
	}
	for _, x := range slices.Backward(entries) {
		if _, err := s.Add(x.Member, x.Score); err != nil {
			return err
		}
	}
	return nil
}

// meddle is called before each page.
func (m *meddler) meddle() {
	if m.eager == 0 {
		return
	}
	for range m.rng.IntN(m.eager + 1) {
		m.change()
	}
	if m.e.store != nil && m.rng.IntN(4) == 0 {
		m.err = errors.Join(m.err, m.e.Snapshot())
		m.e.residency.Sweep()
	}
}

// capture makes one capture, with or without a lead, and compares its copies with the world.
func (m *meddler) capture(f *captureFigures) error {
	var keys []string
	for range 1 + m.rng.IntN(5) { // may name one twice
		keys = append(keys, []string{"a", "b", "c", "d", "never"}[m.rng.IntN(5)])
	}
	lead := m.rng.IntN(len(keys)+2) - 2
	m.eager = []int{0, 1, 1, 2}[m.rng.IntN(4)]
	m.e.ops.pageWork = []int{m.size, m.size * 10, pageWork}[m.rng.IntN(3)]
	m.e.ops.copied = m.meddle
	in, err := m.e.ops.capture(context.Background(), keys, max(lead, -1))
	m.e.ops.copied = nil
	f.captures++
	if err := errors.Join(err, m.err); err != nil {
		return err
	}
	for i, key := range keys {
		leadKey := key
		if lead >= 0 {
			leadKey = keys[lead]
		}
		n, err := m.compare(in[i], key, leadKey)
		if err != nil {
			return fmt.Errorf("%q of %q, lead %d: %w", key, keys, lead, err)
		}
		f.members += n
	}
	return nil
}

// compare compares a copy with the set's members: with all if the set is the lead, otherwise with those that it shares with the lead.
func (m *meddler) compare(in input, key, lead string) (n int, err error) {
	want := m.world[key]
	if in.whole != len(want) || key == lead && in.Len() != len(want) {
		return 0, fmt.Errorf("%d members, of which %d copied; want %d", in.whole, in.Len(), len(want))
	}
	for member := range m.world[lead] {
		n++
		score, had := want[member]
		if got, ok := in.floats().Score([]byte(member)); ok != had || got != score {
			return 0, fmt.Errorf("%.20s is %v %v, want %v %v", member, got, ok, score, had)
		}
	}
	s := m.e.keys.Find(key)
	switch {
	case s == nil && in.was != instant{}, s != nil && in.was != instant{s: s, version: s.Version}:
		return 0, fmt.Errorf("instant %v", in.was)
	case s != nil && (s.Rare != nil || s.Pins.Load() != 0):
		return 0, errors.New("a copy has not ended")
	}
	return n, nil
}

// proveCapture makes captures while, between their pages, sets change, are dropped and made again, are rolled back, are snapshotted and leave
// memory.
func proveCapture(o Options, stored bool, seed uint64, rounds int) (f captureFigures, err error) {
	e, err := New(o)
	if stored {
		o.FS = persist.MemFS()
		e, err = Open("db", o)
	}
	if err != nil {
		return f, err
	}
	m := newMeddler(e, seed)
	for range 20 {
		m.change()
	}
	for round := range rounds {
		if err := m.capture(&f); err != nil {
			return f, fmt.Errorf("seed %d, round %d: %w", seed, round, err)
		}
		m.change()
	}
	f.changes, f.evicted = m.made, int(e.keys.Accounts.Evicted.Load())
	return f, e.Close()
}

// TestCaptureExact proves that a capture shows all sets as they were at its end.
func TestCaptureExact(t *testing.T) {
	var sum captureFigures
	rows := map[string]Options{"memory": {}, "stored": {Durability: None, SnapshotBytes: -1}, "limit": {Durability: None, SnapshotBytes: -1, MemoryLimit: 1}}
	for name, o := range rows {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(matrix.Pick(2, 100)) {
				f, err := proveCapture(o, name != "memory", seed, times(40))
				require.NoError(t, err)
				sum = captureFigures{sum.captures + f.captures, sum.members + f.members, sum.changes + f.changes, sum.evicted + f.evicted}
			}
		})
	}
	t.Logf("%d captures of up to 5 sets, %d changes and %d evictions between their pages: %d members as they were at the end",
		sum.captures, sum.changes, sum.evicted, sum.members)
	if sum.captures >= 100 { // fewer may end before the goroutine that evicts has run
		require.Positive(t, sum.evicted)
	}
}
