package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// fuzzyFigures count what proveFuzzy has done.
type fuzzyFigures struct{ snapshots, failed, written, kept, commits, compared int }

// fuzzy changes sets between the pages of snapshots, and records every commit.
type fuzzy struct {
	rng     *rand.Rand
	mem     *memfs.FS
	e       *Engine
	commits []map[string]*string // of each commit the new values, by set and member; nil: removed
	now     map[string]*string
	f       fuzzyFigures
	failing bool // the snapshot that is running
	err     error
}

// fuzzyKeys are the sets. tall has many pages and ties, which move members of equal score. little has a size at which it changes between
// listpack and skiplist.
var fuzzyKeys = map[string]struct{ members, tie int }{"tall": {2400, 8}, "wide": {1500, 0}, "little": {160, 0}}

func (z *fuzzy) member(key string, i int) string {
	switch {
	case key == "little":
		return fmt.Sprintf("%d", i)
	case i%700 == 7:
		return wide(i) + strings.Repeat("x", 9000)
	default:
		return wide(i)[:60+i%3*60] + fmt.Sprint(i) // of three sizes, so that one member takes the freed place of another
	}
}

var errFuzzy = errors.New("the transaction fails")

// update runs one random transaction on one set.
func (z *fuzzy) update() {
	keys := slices.Sorted(maps.Keys(fuzzyKeys))
	key := keys[z.rng.IntN(len(keys))]
	kind := z.rng.IntN(60)
	diff := map[string]*string{}
	last := z.e.store.LastSeq()
	err := z.e.Update(context.Background(), func(tx *Tx) error {
		s, err := tx.SetTied(key, fuzzyKeys[key].tie)
		if err != nil {
			return err
		}
		n := fuzzyKeys[key].members
		lo := z.rng.IntN(n)
		switch {
		case kind == 0: // emptied; one in two is filled again
			err = z.each(s, diff, 0, n, true)
			if err == nil && z.rng.IntN(2) == 0 {
				err = z.each(s, diff, lo, lo+n/2, false)
			}
		case kind < 4: // slabs are given back
			err = z.each(s, diff, lo, lo+n/3, true)
		case kind < 12:
			err = z.each(s, diff, lo, lo+n/6, false)
		case kind < 28: // members are removed and put back unchanged
			err = z.putBack(s, key, lo)
		default:
			for range 1 + z.rng.IntN(5) {
				i := z.rng.IntN(n)
				err = errors.Join(err, z.each(s, diff, i, i+1, z.rng.IntN(5) == 0))
			}
		}
		if err == nil && z.rng.IntN(8) == 0 {
			err = errFuzzy
		}
		return err
	}, key)
	if err != nil && !errors.Is(err, errFuzzy) {
		z.err = errors.Join(z.err, err)
	}
	if z.e.store.LastSeq() > last {
		z.commits = append(z.commits, diff)
		maps.Copy(z.now, diff)
	}
}

// each removes members, or gives them scores, and ties where the set has them.
func (z *fuzzy) each(s *Set, diff map[string]*string, lo, hi int, remove bool) error {
	n, width := fuzzyKeys[s.Key()].members, fuzzyKeys[s.Key()].tie
	for i := lo; i < hi; i++ {
		m := z.member(s.Key(), i%n)
		id := s.Key() + "/" + m
		if remove {
			diff[id] = nil
			if _, err := s.Remove([]byte(m)); err != nil {
				return err
			}
			continue
		}
		tie, score := bytes.Repeat([]byte{byte(z.rng.IntN(3))}, width), float64(z.rng.IntN(6))
		value := fmt.Sprintf("%v %x", score, tie)
		diff[id] = &value
		if _, err := s.AddTied([]byte(m), tie, score); err != nil {
			return err
		}
	}
	return nil
}

// putBack takes some members out and puts them back in another order.
func (z *fuzzy) putBack(s *Set, key string, lo int) error {
	type entry struct {
		member, tie []byte
		score       float64
	}
	var back []entry
	for i := range 60 {
		m := []byte(z.member(key, (lo+i*37)%fuzzyKeys[key].members))
		score, tie, ok := s.Get(m)
		if ok {
			back = append(back, entry{m, bytes.Clone(tie), score})
			if _, err := s.Remove(m); err != nil {
				return err
			}
		}
	}
	z.rng.Shuffle(len(back), func(i, j int) { back[i], back[j] = back[j], back[i] })
	for _, e := range back {
		if _, err := s.AddTied(e.member, e.tie, e.score); err != nil {
			return err
		}
	}
	return nil
}

var tooLong = make([]byte, persist.MaxCommit+1)

// paged is called between two pages.
func (z *fuzzy) paged(page []byte) []byte {
	if page == nil {
		z.f.kept++
	} else {
		z.f.written++
	}
	page = bytes.Clone(page)
	for z.rng.IntN(3) == 0 {
		z.update()
	}
	switch p := z.rng.IntN(100); {
	case p < 2:
		z.err = errors.Join(z.err, z.crash())
	case p < 15 && z.failing && page != nil:
		return tooLong
	}
	return page
}

// crash opens what a power cut at this moment would leave.
func (z *fuzzy) crash() error {
	percent := []int{0, 50, 100}[z.rng.IntN(3)]
	e, err := Open("db", Options{FS: powercut.Clone(z.mem, percent, z.rng.Uint64()), SnapshotBytes: -1})
	if err != nil {
		return fmt.Errorf("after a power cut: %w", err)
	}
	return errors.Join(z.compare(e, false), e.Close())
}

// compare compares an engine's sets with the effects of its commits. If whole is true, the engine must have all commits.
func (z *fuzzy) compare(e *Engine, whole bool) error {
	z.f.compared++
	n := int(e.store.LastSeq())
	if n > len(z.commits) || whole && n < len(z.commits) {
		return fmt.Errorf("%d commits are there, %d were made", n, len(z.commits))
	}
	want := z.now
	if n < len(z.commits) {
		want = map[string]*string{}
		for _, diff := range z.commits[:n] {
			maps.Copy(want, diff)
		}
	}
	live := 0
	for _, v := range want {
		if v != nil {
			live++
		}
	}
	keys, err := e.Keys("")
	if err != nil {
		return err
	}
	return e.View(context.Background(), func(tx *Tx) error {
		for _, key := range keys {
			s, err := tx.Set(key)
			if err != nil {
				return err
			}
			for _, entry := range s.Append(nil, 0, s.Len()) {
				got := fmt.Sprintf("%v %x", entry.Score, entry.Tie)
				if v := want[key+"/"+string(entry.Member)]; v == nil || *v != got {
					return fmt.Errorf("after commit %d: %s/%.40s has %s, not as it should", n, key, entry.Member, got)
				}
				live--
			}
		}
		if live != 0 {
			return fmt.Errorf("after commit %d: %d members are missing", n, live)
		}
		return nil
	}, keys...)
}

func (z *fuzzy) open() (err error) {
	z.e, err = Open("db", Options{FS: z.mem, SnapshotBytes: -1, Durability: None})
	if err == nil {
		z.e.checkpoints.Paged = z.paged
	}
	return err
}

// proveFuzzy takes snapshots while members move between pages, with power cuts, failing snapshots and reopens. After each, the sets have exactly
// the effects of the first n commits, for some n. The keyspace decides the order in which a snapshot writes the sets, so a seed does not
// fix it.
func proveFuzzy(seed uint64, rounds int) (f fuzzyFigures, err error) {
	z := &fuzzy{rng: rand.New(rand.NewPCG(seed, 36)), mem: memfs.NewCrashable(), now: map[string]*string{}}
	if err := z.open(); err != nil {
		return f, err
	}
	for round := 0; round < rounds && z.err == nil; round++ {
		for range z.rng.IntN(8) {
			z.update()
		}
		z.failing = z.rng.IntN(2) == 0
		if err := z.e.Snapshot(); err == nil {
			z.f.snapshots++
		} else if z.f.failed++; !z.failing || !errors.Is(err, ErrTooLarge) {
			return z.f, err
		}
		switch z.rng.IntN(3) {
		case 0:
			z.err = errors.Join(z.err, z.crash())
		case 1:
			z.err = errors.Join(z.err, z.e.Close(), z.open(), z.compare(z.e, true))
		}
		if z.err != nil {
			z.err = fmt.Errorf("seed %d, round %d: %w", seed, round, z.err)
		}
	}
	z.err = errors.Join(z.err, z.e.Close(), z.open(), z.compare(z.e, true), z.e.Close())
	z.f.commits = len(z.commits)
	return z.f, z.err
}

// TestRow36Fuzzy runs proveFuzzy with many seeds.
func TestRow36Fuzzy(t *testing.T) {
	var all fuzzyFigures
	rounds := 25
	if invariants.Enabled {
		rounds = 5
	}
	for seed := range uint64(matrix.Pick(2, 60)) {
		f, err := proveFuzzy(seed, rounds)
		require.NoError(t, err)
		all = fuzzyFigures{all.snapshots + f.snapshots, all.failed + f.failed, all.written + f.written, all.kept + f.kept,
			all.commits + f.commits, all.compared + f.compared}
	}
	matrix.Row(t, 36, "%d snapshots of %d pages written and %d kept, %d that failed, %d commits meanwhile: %d states compared, 0 differ",
		all.snapshots, all.written, all.kept, all.failed, all.commits, all.compared)
}
