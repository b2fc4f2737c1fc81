package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
)

// transfers moves points of members between two boards and a set of the program's, and notes each in a private key.
type transfers struct {
	g     *game
	names [2]string
	hints atomic.Int64 // calls of hint
}

const (
	transferMembers = 8
	transferPoints  = 100 // of each member, in both boards and the set together
)

func transferMember(i int) string { return fmt.Sprint("m", i%transferMembers) }

// newTransfers defines the boards with two specs, and gives every member its points on the first.
func newTransfers(g *game, left, right board.Spec) *transfers {
	buckets.SetFull(2)
	x := &transfers{g: g}
	for i, spec := range []board.Spec{left, right} {
		spec.Name, spec.Op = []string{"left", "right"}[i], board.Last
		x.names[i] = spec.Name
		g.define(spec)
	}
	for i := range transferMembers {
		g.score(g.board("left"), transferMember(i), transferPoints)
	}
	return x
}

// keys returns the keys of a transaction about a member.
func (x *transfers) keys(member string) (keys []string, err error) {
	for _, name := range x.names {
		b := x.g.board(name)
		if keys, err = hintsOf(b).Submit(context.Background(), keys, board.Submission{Member: member, Score: board.Ints(0), At: x.g.clock.Now()}); err != nil {
			return nil, err
		}
	}
	return append(keys, "bag"), nil
}

// pointsIn returns the points of a member in a transaction: in both boards and in the set.
func (x *transfers) pointsIn(tx *engine.Tx, member string) (points [3]int64, err error) {
	for i, name := range x.names {
		live, err := in(x.g.board(name), tx).Live("all")
		if err != nil {
			return points, err
		}
		score, ok, err := live.Score(context.Background(), member)
		if err != nil {
			return points, err
		}
		if ok {
			points[i] = score.Int(0)
		}
	}
	bag, err := tx.IntSet("bag", engine.Form{})
	if err == nil {
		points[2], _ = bag.Score([]byte(member))
	}
	return points, err
}

// move moves points of a member from one place to another in one transaction, which ends with an error unless end is nil.
func (x *transfers) move(member string, from, to int, points int64, end error) error {
	keys, err := x.hint(member)
	if err != nil {
		return err
	}
	return x.g.e.Update(context.Background(), func(tx *engine.Tx) error { return errors.Join(x.moveIn(tx, member, from, to, points), end) }, keys...)
}

// hint returns the keys of a member, or none, in turn.
func (x *transfers) hint(member string) ([]string, error) {
	if x.hints.Add(1)%2 == 0 {
		return nil, nil
	}
	keys, err := x.keys(member)
	if errors.Is(err, board.ErrMigrating) {
		err = nil
	}
	return keys, err
}

func (x *transfers) moveIn(tx *engine.Tx, member string, from, to int, points int64) error {
	was, err := x.pointsIn(tx, member)
	if err != nil {
		return err
	}
	points = min(points, was[from])
	for i, by := range map[int]int64{from: -points, to: points} {
		if i == 2 {
			bag, err := tx.IntSet("bag", engine.Form{})
			if err == nil {
				_, err = bag.Add([]byte(member), was[2]+by)
			}
			if err != nil {
				return err
			}
			continue
		}
		_, err := in(x.g.board(x.names[i]), tx).SubmitFunc(board.Submission{Member: member, At: x.g.clock.Now()}, func(row board.Row, ranked bool) (board.Score, bool) {
			if !ranked {
				return board.Ints(by), true
			}
			return board.Ints(row.Score.Int(0) + by), true
		})
		if err != nil {
			return err
		}
	}
	if is, err := x.pointsIn(tx, member); err != nil || is[0]+is[1]+is[2] != transferPoints {
		return errors.Join(err, fmt.Errorf("%s has %v points", member, is))
	}
	return tx.Put("last", fmt.Append(nil, member, from, to, points))
}

// text returns everything that transfers change.
func (x *transfers) text() (string, error) {
	text, err := dump(x.g.bs)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = x.g.e.View(context.Background(), func(tx *engine.Tx) error {
		bag, err := tx.IntSet("bag", engine.Form{})
		if err != nil {
			return err
		}
		for e := range bag.Entries(0, bag.Len()) {
			fmt.Fprintf(&out, "%s %d, ", e.Member, e.Score)
		}
		last, _, err := tx.Get("last")
		out.Write(last)
		return err
	}, "bag")
	return text + out.String(), err
}

// transferKinds are pairs of boards.
var transferKinds = map[string][2]board.Spec{
	"one set and parts": {{}, {Parts: 3}},
	"growing and top":   {{PartMembers: 2}, {Top: &board.Top{N: 2, Reserve: 1}}},
	"top and coarse":    {{Top: &board.Top{N: 3, Reserve: 2}}, {Top: &board.Top{N: 2, Reserve: 1, Segments: 2}}},
}

// TestTransferPowerCuts: transactions over two boards, a set and a private key are there as a whole or not at all, wherever the power is cut. Those that
// fail have changed nothing.
func TestTransferPowerCuts(t *testing.T) {
	defer buckets.SetFull(0)
	points := 0
	for name, kinds := range transferKinds {
		synctest.Test(t, func(t *testing.T) {
			c := &crasher{}
			g := newGame(t, true, crashing(c))
			x, rng := newTransfers(g, kinds[0], kinds[1]), rand.New(rand.NewPCG(1, 1))
			for step := range 40 {
				before := must(x.text())
				c.take()
				from := rng.IntN(3)
				var end error
				if step%4 == 3 {
					end = errChanged
				}
				err := x.move(transferMember(rng.IntN(transferMembers)), from, (from+1+rng.IntN(2))%3, rng.Int64N(60), end)
				require.ErrorIs(t, err, end)
				disks := c.take()
				after := must(x.text())
				if end != nil {
					require.Equal(t, before, after)
				}
				for _, d := range disks {
					points++
					require.Contains(t, []string{before, after}, afterCut(t, x, d.disk), "%s, step %d, %s", name, step, d.point)
				}
			}
		})
	}
	t.Logf("%d crash points", points)
}

// afterCut opens a disk and returns the text of the transfers on it.
func afterCut(t *testing.T, x *transfers, disk *memfs.FS) string {
	t.Helper()
	on := &game{t: t, clock: x.g.clock, mem: disk, logged: &logRecorder{}, o: engine.Options{Clock: x.g.clock.Now, SnapshotBytes: -1}}
	on.open()
	defer func() { require.NoError(t, errors.Join(on.bs.Close(), on.e.Close())) }()
	on.requireSound(0, 0)
	return must((&transfers{g: on, names: x.names}).text())
}

// TestTransferRace: while goroutines move points, others read them in Views, submit new members and migrate a board: a member has as many points as
// before in every transaction.
func TestTransferRace(t *testing.T) {
	defer buckets.SetFull(0)
	for name, kinds := range transferKinds {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, false)
			x := newTransfers(g, kinds[0], kinds[1])
			var all sync.WaitGroup
			run := func(do func(i int) error) {
				all.Go(func() {
					for i := range fewer(4000) {
						if err := do(i); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			for part := range 2 {
				run(func(i int) error { return x.move(transferMember(i+part), i%3, (i+1+(i/3+part)%2)%3, int64(i%7), nil) })
			}
			run(func(i int) error { return x.sumInView(transferMember(i)) })
			run(func(i int) error {
				_, err := g.board("right").Submit(t.Context(), board.Submission{Member: fmt.Sprint("new", i%50), Score: board.Ints(int64(i % 90))})
				return err
			})
			run(func(i int) error {
				if i%100 != 50 {
					return nil
				}
				spec := g.board("left").Spec()
				spec.MaxMeta++
				_, err := g.bs.Migrate(t.Context(), spec)
				return err
			})
			all.Wait()
			for i := range transferMembers {
				require.NoError(t, x.sumInView(transferMember(i)))
			}
		})
	}
}

// sumInView reads the points of a member in a View.
func (x *transfers) sumInView(member string) error {
	keys, err := x.hint(member)
	if err != nil {
		return err
	}
	return x.g.e.View(context.Background(), func(tx *engine.Tx) error {
		is, err := x.pointsIn(tx, member)
		if err == nil && is[0]+is[1]+is[2] != transferPoints {
			err = fmt.Errorf("%s has %v points", member, is)
		}
		return err
	}, keys...)
}
