package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// blindScript runs random steps on an engine and on a model: blind writes and ordinary ones, some rolled back, whole sets, snapshots, unloads,
// checks, reopens and power cuts.
type blindScript struct {
	*rand.Rand
	o     Options
	mem   *memfs.FS
	wrap  func(*memfs.FS) persist.FS // nil: none
	e     *Engine
	model blindSets
	note  func(seq uint64, m blindSets) // called before each commit, with the model after it; nil: none
	acked func(seq uint64)              // called after each commit
}

var blindKeys = []string{"board/a", "board/b", "board/c"}

func (s *blindScript) open() (err error) {
	s.o.FS = s.mem
	if s.wrap != nil {
		s.o.FS = s.wrap(s.mem)
	}
	s.e, err = Open("db", s.o)
	return err
}

func (s *blindScript) key() string { return blindKeys[s.IntN(len(blindKeys))] }

func (s *blindScript) entry() blindEntry { return blindEntry{s.Int64N(9) - 4, blindTie(s.Uint64N(3))} }

// step makes a random step.
func (s *blindScript) step() error {
	o := Owner{s.e}
	switch s.IntN(24) {
	case 0, 1:
		return s.e.Snapshot()
	case 2, 3, 4:
		return s.e.Unload(blindKeys...)
	case 5:
		return s.reopen(nil)
	case 6:
		if s.wrap != nil {
			return nil // the test cuts the power itself
		}
		return s.reopen(powercut.Clone(s.mem, s.IntN(3)*50, s.Uint64()))
	case 7:
		key, after := s.key(), s.model.clone()
		after[key] = map[string]blindEntry{}
		s.about(after)
		_, err := o.Delete(context.Background(), key)
		return s.ended(after, err)
	case 8:
		return s.rename(o)
	case 9:
		return s.model.equal(s.e)
	case 10:
		return checkFinds(s.e)
	case 11, 12, 13, 14:
		return s.write(o)
	default:
		return s.blind(o)
	}
}

// reopen closes the engine and opens it again, on another disk unless that is nil.
func (s *blindScript) reopen(mem *memfs.FS) error {
	err := s.e.Close()
	if mem != nil {
		s.mem = mem
	}
	return errors.Join(err, s.open())
}

func (s *blindScript) rename(o Owner) error {
	from, to, after := s.key(), s.key(), s.model.clone()
	if from != to {
		after[from], after[to] = map[string]blindEntry{}, after[from]
	}
	s.about(after)
	err := o.Update(context.Background(), []string{from, to}, func(tx *Tx) error { return tx.Rename(from, to) })
	if len(s.model[from]) == 0 {
		if !errors.Is(err, ErrNoSet) {
			return fmt.Errorf("rename of no set: %w", err)
		}
		return nil
	}
	return s.ended(after, err)
}

// about says that the next commit makes the model so.
func (s *blindScript) about(after blindSets) {
	if s.note != nil {
		s.note(s.e.LastSeq()+1, after.clone())
	}
}

var errRollBack = errors.New("roll back")

// ended keeps the model if the transaction has failed as it should, and otherwise takes the one after.
func (s *blindScript) ended(after blindSets, err error) error {
	if errors.Is(err, errRollBack) {
		return nil
	}
	if s.model = after; err == nil && s.acked != nil {
		s.acked(s.e.LastSeq())
	}
	return err
}

// end ends a closure, one in six by an error.
func (s *blindScript) end(after blindSets) error {
	if s.IntN(6) == 0 {
		return errRollBack
	}
	s.about(after)
	return nil
}

// write changes sets by a transaction that reads them.
func (s *blindScript) write(o Owner) error {
	after := s.model.clone()
	return s.ended(after, o.Update(context.Background(), blindKeys, func(tx *Tx) error {
		for range s.IntN(8) {
			key, member, x := s.key(), fmt.Sprint("m", s.IntN(40)), s.entry()
			set, err := tx.IntSet(key, blindForm)
			if err != nil {
				return err
			}
			if s.IntN(3) == 0 {
				_, err = set.Remove([]byte(member))
				delete(after[key], member)
			} else {
				_, err = set.AddTied([]byte(member), []byte(x.tie), x.score)
				after[key][member] = x
			}
			if err != nil {
				return err
			}
		}
		return s.end(after)
	}))
}

// blind changes sets by blind writes, sometimes beside a set that the transaction reads.
func (s *blindScript) blind(o Owner) error {
	after, read := s.model.clone(), []string(nil)
	if s.IntN(4) == 0 {
		read = append(read, s.key())
	}
	return s.ended(after, o.UpdateBlind(context.Background(), read, blindKeys, func(tx *Tx) error {
		for range 1 + s.IntN(6) {
			key, member := s.key(), fmt.Sprint("m", s.IntN(40))
			if err := s.change(tx, o, after, key, member); err != nil {
				return err
			}
		}
		if s.IntN(20) == 0 {
			key := s.key()
			if _, err := tx.Drop(key); err != nil {
				return err
			}
			after[key] = map[string]blindEntry{}
		}
		return s.end(after)
	}))
}

// change removes a member blindly, or puts one. Without a set, and with one member in a set that was not read, the call is refused.
func (s *blindScript) change(tx *Tx, o Owner, after blindSets, key, member string) (err error) {
	_, has := after[key][member]
	n := len(after[key])
	if has {
		err = after.remove(tx, o, key, member)
	} else {
		err = after.put(tx, o, key, member, s.entry())
	}
	switch {
	case n == 0 && errors.Is(err, ErrNoSet), n == 1 && has && errors.Is(err, ErrLastMember):
		return nil
	case n == 0:
		return fmt.Errorf("a blind write without a set: %w", err)
	}
	return err
}

// reset empties the model.
func (s *blindScript) reset() {
	s.model = blindSets{}
	for _, key := range blindKeys {
		s.model[key] = map[string]blindEntry{}
	}
}

// run opens an engine and makes steps. After each it compares what is known without reading a set.
func (s *blindScript) run(steps int) error {
	if err := s.open(); err != nil {
		return err
	}
	for i := range steps {
		err := s.step()
		if err == nil {
			err = s.model.sealed(s.e, Owner{s.e})
		}
		if err != nil {
			return fmt.Errorf("step %d: %w", i, errors.Join(err, s.e.Close()))
		}
	}
	return errors.Join(s.model.equal(s.e), s.e.Close())
}

// TestBlindProperty runs random scripts, with and without a memory limit.
func TestBlindProperty(t *testing.T) {
	for seed := range uint64(times(matrix.Pick(40, 1000))) {
		for _, limit := range []int64{0, 1, 1 << 30} {
			s := &blindScript{Rand: rand.New(rand.NewPCG(seed, uint64(limit))), mem: memfs.NewCrashable()}
			s.o = Options{SnapshotBytes: -1, MemoryLimit: limit}
			s.reset()
			require.NoError(t, s.run(120), "seed %d, limit %d", seed, limit)
		}
	}
}

// TestBlindPowerCut cuts the power before every operation that changes the disk, while a script makes blind writes and snapshots. Each time the
// engine opens with exactly the first commits, with all that were acknowledged, and its check finds nothing.
func TestBlindPowerCut(t *testing.T) {
	for seed := range uint64(2 + times(matrix.Pick(0, 60))) {
		points := blindPowerCuts(t, seed, Options{SnapshotBytes: -1, MemoryLimit: int64(seed % 2), StallTimeout: time.Hour})
		t.Logf("seed %d: %d power cuts", seed, points)
	}
}

func blindPowerCuts(t *testing.T, seed uint64, o Options) (points int) {
	var mu sync.Mutex
	states := map[uint64]blindSets{} // the model after each commit
	acked := uint64(0)
	cuts := make(chan crashed)
	wait := powercut.Check(cuts, func(x crashed) error {
		return blindRecovers(x, func(seq uint64) blindSets {
			mu.Lock()
			defer mu.Unlock()
			return states[seq]
		})
	})
	s := &blindScript{Rand: rand.New(rand.NewPCG(seed, 3)), o: o, mem: memfs.NewCrashable()}
	s.wrap = func(mem *memfs.FS) persist.FS {
		return powercut.Before(mem, func(op errorfs.Op) {
			points++
			mu.Lock()
			now := acked
			mu.Unlock()
			for _, percent := range []int{0, 100} {
				cuts <- crashed{powercut.Clone(mem, percent, uint64(points)), now, 0, fmt.Sprintf("seed %d, point %d, before %v of %s, %d%% kept", seed, points, op.Kind, op.Path, percent)}
			}
		})
	}
	s.note = func(seq uint64, m blindSets) {
		mu.Lock()
		defer mu.Unlock()
		states[seq] = m
	}
	s.acked = func(seq uint64) {
		mu.Lock()
		defer mu.Unlock()
		acked = seq
	}
	s.reset()
	s.note(0, s.model.clone())
	err := s.run(times(60))
	close(cuts)
	require.NoError(t, errors.Join(append(wait(), err)...))
	return points
}

// blindRecovers opens a disk after a power cut and compares it with the model after the last commit that it has.
func blindRecovers(x crashed, state func(seq uint64) blindSets) error {
	e, err := Open("db", Options{FS: x.fs, SnapshotBytes: -1, lazy: true})
	if err != nil {
		return err
	}
	seq, want := e.LastSeq(), state(e.LastSeq())
	if seq < x.acked || want == nil {
		err = fmt.Errorf("opens at commit %d, %d was acknowledged", seq, x.acked)
	} else {
		sets := 0
		for _, entries := range want {
			sets += min(1, len(entries))
		}
		err = errors.Join(want.sealed(e, Owner{e}), sound(e, sets), want.equal(e))
	}
	return errors.Join(err, e.Close())
}
