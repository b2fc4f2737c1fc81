package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// visited is a set with int64 scores that a long transaction changes, and the brief reads that come meanwhile.
type visited struct {
	e    *Engine
	r    *rand.Rand
	seen chan string
	form Form
}

// shownBy returns all that a View sees of a set: its entries in order, and the rank and score of some members, also of absent ones. With a seeded bug the
// reading may panic, which is an error too.
func shownBy(tx *Tx, f Form) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	s, err := tx.IntSet("board", f)
	if err != nil {
		return "", err
	}
	for e := range s.Entries(0, s.Len()) {
		text += fmt.Sprintf("%s=%d/%x ", e.Member, e.Score, e.Tie)
	}
	for m := 0; m < 300; m += 7 {
		rank, score, tie, ok := s.RankGet(fmt.Appendf(nil, "m%d", m))
		text += fmt.Sprint(rank, score, tie, ok, " ")
	}
	return text, nil
}

// visit reads the set as a brief View does.
func (v *visited) visit() {
	tx, err := v.e.m.beginViewOf(context.Background(), "board", true)
	if err != nil {
		v.seen <- err.Error()
		return
	}
	text, err := shownBy(tx, v.form)
	v.e.m.endView(tx)
	v.seen <- text + fmt.Sprint(err)
}

// change changes a random member.
func (v *visited) change(s *IntSet) error {
	m, score := fmt.Appendf(nil, "m%d", v.r.IntN(300)), v.r.Int64N(40)
	tie := []byte{0, 0, 0, 0, 0, 0, 0, byte(v.r.IntN(3))}
	var err error
	switch v.r.IntN(4) {
	case 0:
		_, err = s.Remove(m)
	case 1:
		_, err = s.IncrBy(m, score)
	default:
		_, err = s.AddTied(m, tie, score)
	}
	return err
}

// run fills the set, and lets a transaction change it while reads come, one after the other. Each must end before the transaction does, and see
// the set as it was before.
func (v *visited) run(members, reads int, rollback error) error {
	fill := func(tx *Tx) error {
		s, err := tx.IntSet("board", v.form)
		for range members {
			err = errors.Join(err, v.change(s))
		}
		return err
	}
	if err := v.e.Update(context.Background(), fill, "board"); err != nil {
		return err
	}
	go v.visit()
	before := <-v.seen
	var err error
	_ = v.e.Update(context.Background(), func(tx *Tx) error {
		var s *IntSet
		s, err = tx.IntSet("board", v.form)
		for n := 0; n < reads && err == nil; n++ {
			err = v.during(s, before)
		}
		return errors.Join(err, rollback)
	}, "another", "board")
	go v.visit()
	if after := <-v.seen; err == nil && (rollback != nil) != (after == before) {
		err = errors.New("the set is not what the transaction has left")
	}
	return err
}

// during makes changes until a read has come and gone.
func (v *visited) during(s *IntSet, before string) error {
	go v.visit()
	for range 1 << 20 {
		if err := v.change(s); err != nil {
			return err
		}
		select {
		case text := <-v.seen:
			if text != before {
				return fmt.Errorf("a guest saw\n%s\nand not\n%s", text, before)
			}
			return nil
		default:
			runtime.Gosched()
		}
	}
	return errors.New("the transaction has let nobody in")
}

// guestsSeeTheSetBefore runs long transactions with guests, over small and big sets, that commit or roll back.
func guestsSeeTheSetBefore() error {
	seeds := uint64(6)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		e, err := New(Options{})
		if err != nil {
			return err
		}
		v := &visited{e: e, r: rand.New(rand.NewPCG(seed, 1)), seen: make(chan string), form: Form{TieWidth: 8}}
		var rollback error
		if seed%2 == 0 {
			rollback = errors.New("rolled back")
		}
		if err := errors.Join(v.run([]int{1, 60, 2000}[seed%3], 5, rollback), e.Close()); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	return nil
}

// TestGuestsSeeTheSetBefore: brief reads need not wait for a long transaction, and see the set as it was before.
func TestGuestsSeeTheSetBefore(t *testing.T) {
	require.NoError(t, guestsSeeTheSetBefore())
}

// TestGuestsBesidePopsThatWait: the pops that a commit serves are commits of their own. A guest must see the set before the update, or as the
// served pops have left it, and must not hold up an update that has the private keys.
func TestGuestsBesidePopsThatWait(t *testing.T) {
	const waiters, members = 500, 2000
	for _, private := range []bool{false, true} {
		e, err := New(Options{})
		require.NoError(t, err)
		var pops, reads sync.WaitGroup
		for range waiters {
			pops.Go(func() { require.NoError(t, errorOf2(e.PopMinWait(t.Context(), "q"))) })
		}
		for e.m.waiters.N.Load() < waiters {
			runtime.Gosched()
		}
		var stop atomic.Bool
		read := func() {
			tx, err := e.m.beginViewOf(context.Background(), "q", true)
			require.NoError(t, err)
			n := named(t, tx, "q").Len()
			e.m.endView(tx)
			if n != 0 && n < members-waiters {
				t.Errorf("a guest saw %d members", n)
			}
		}
		reads.Go(func() { // while the set does not exist, a read waits at its end, so that each needs a goroutine
			for !stop.Load() {
				reads.Go(read)
				<-time.After(20 * time.Microsecond)
			}
		})
		mustUpdate(t, e, []string{"q"}, func(tx *Tx) {
			for i := range members {
				add(t, tx, "q", fmt.Sprintf("m%04d", i), float64(i))
			}
			if private {
				require.NoError(t, tx.Put("p", nil))
			}
		})
		pops.Wait()
		stop.Store(true)
		reads.Wait()
		require.NoError(t, e.Close())
	}
}
