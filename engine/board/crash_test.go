package board

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// crasher keeps the disk as a power cut would have left it before every operation that changes it.
type crasher struct {
	mu    sync.Mutex
	n     int
	disks []crashed
}

type crashed struct {
	disk *memfs.FS
	what string
}

// take returns the disks since the last time.
func (c *crasher) take() []crashed { return taken(&c.mu, &c.disks) }

// taken returns a list, and empties it.
func taken[T any](mu sync.Locker, list *[]T) []T {
	mu.Lock()
	defer mu.Unlock()
	all := *list
	*list = nil
	return all
}

// crashing returns options of a game whose disk is watched by a crasher.
func crashing(c *crasher) func(*game) {
	return func(g *game) {
		g.wrap = func(mem *memfs.FS) persist.FS {
			return powercut.Before(mem, func(op errorfs.Op) {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.n++
				percent := []int{0, 50, 100}[c.n%3]
				what := fmt.Sprintf("point %d, before %v of %s, %d %% of unsynced data kept", c.n, op.Kind, op.Path, percent)
				c.disks = append(c.disks, crashed{powercut.Clone(mem, percent, uint64(c.n)), what})
			})
		}
	}
}

// recovered opens a crashed disk at a time and writes down what is there.
func recovered(disk *memfs.FS, now time.Time, check func(*Boards) error) (text string, err error) {
	if check != nil {
		rep, err := CheckDir(context.Background(), "db", engine.Options{FS: disk}, nil)
		blames := func(p persist.Problem) bool { return strings.HasPrefix(p.Where, "board ") } // the store itself may be half made
		if slices.ContainsFunc(rep.Problems, blames) {
			return "", fmt.Errorf("check before it is opened: %v, %w", rep.Problems, err)
		}
	}
	e, err := engine.Open("db", engine.Options{FS: disk, SnapshotBytes: -1, Clock: func() time.Time { return now }})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	bs, err := Open(e, Options{})
	if err != nil {
		return "", err
	}
	if text, err = dump(bs); err == nil && check != nil {
		err = check(bs)
	}
	return text, errors.Join(err, bs.Close())
}

// blameless returns an error if a check has found something.
func blameless(rep Report, err error) error {
	if err == nil && len(rep.Problems) > 0 {
		err = fmt.Errorf("check: %v", rep.Problems)
	}
	return err
}

// gently is script.step for crashes: what it does is one commit, but for closings, which Open brings to their end.
func (s *script) gently() {
	switch k := s.rng.IntN(20); {
	case k < 9:
		s.submit()
	case k < 11:
		s.submitAll()
	case k < 12:
		s.inTx()
	case k < 13:
		s.remove()
	case k < 14:
		s.setMeta()
	case k < 16:
		s.move()
	case k < 17:
		if s.oneOpen() {
			s.closeNow()
		}
	case k < 18:
		s.baseline()
	case k < 19:
		s.respec()
	default:
		s.restart()
	}
}

// oneOpen reports whether no window has more than one open period.
func (s *script) oneOpen() bool {
	for _, n := range s.boards {
		for _, w := range n.windows {
			open := 0
			for _, p := range w.periods {
				if !w.closed(p.Period) {
					open++
				}
			}
			if open > 1 {
				return false
			}
		}
	}
	return true
}

// TestPowerCuts cuts the power before every operation that changes the disk, of a script of everything that boards do. Each time what
// is found is how things were before the step, or after it, and what was left on the way has been cleared away.
func TestPowerCuts(t *testing.T) {
	points, found := 0, [2]int{}
	for seed := range uint64(howMany(16)) {
		synctest.Test(t, func(t *testing.T) {
			c := &crasher{}
			g := newGame(t, true, crashing(c))
			s := newScript(g, 1000+seed)
			s.gentle = true
			for i := range 40 {
				before := map[string]*naive{}
				for name, n := range s.boards {
					before[name] = n.clone()
				}
				c.take()
				s.gently()
				disks := c.take()
				was := s.saying(before)
				for _, d := range disks {
					got, err := recovered(d.disk, s.clock.Now(), nothingLeft)
					require.NoError(t, err, "seed %d, step %d, %s", seed, i, d.what)
					at := slices.Index([]string{was, s.want()}, got)
					if at < 0 && s.dropped(got) {
						at = 1
					}
					require.GreaterOrEqual(t, at, 0, "seed %d, step %d, %s:\n%s\nis neither\n%s\nnor\n%s", seed, i, d.what, got, was, s.want())
					found[at]++
					points++
				}
			}
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d crash points: %d times as before the step, %d times as after it", points, found[0], found[1])
}

// saying returns what dump should say if things were as before a step, and what is due is closed by now.
func (s *script) saying(before map[string]*naive) string {
	for _, n := range before {
		n.closeDue(s.clock.Now())
	}
	return before["shop"].dump() + before["shop/flowers"].dump()
}

// dropped reports whether it is how things are between Drop and Define.
func (s *script) dropped(got string) bool {
	for name, n := range s.boards {
		if n.version == 1 && len(s.boards) == 2 {
			other := s.boards[map[string]string{"shop": "shop/flowers", "shop/flowers": "shop"}[name]]
			if got == other.dump() {
				return true
			}
		}
	}
	return false
}

// nothingLeft returns an error if a board, a window, a period or a version that is gone has left something, or if Check finds a closed
// period that is not what was closed.
func nothingLeft(bs *Boards) error {
	keys, err := bs.catalog.Engine.Keys(Prefix)
	if err == nil {
		err = blameless(bs.Check(context.Background(), nil))
	}
	if err != nil {
		return err
	}
	for _, key := range keys {
		if k, ok := ParseKey(key); !ok || isStale(bs, k) {
			return fmt.Errorf("%q is left", key)
		}
	}
	return bs.catalog.Engine.View(nil, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan("board.") {
			if err != nil {
				return err
			}
			if err := known(bs, string(kv.Key)); err != nil {
				return err
			}
		}
		return nil
	})
}

// isStale reports whether a set is of no board, or of none of the periods and baselines that its board has now.
func isStale(bs *Boards, k Key) bool {
	b, err := bs.catalog.Lookup(k.Board)
	return err != nil || b.State().Stale(k)
}

// known returns an error unless a private key is of a board, a window and a period that there are.
func known(bs *Boards, key string) error {
	parts := strings.SplitN(key, "\x00", 5)
	b, err := bs.catalog.Lookup(parts[1])
	if err != nil || parts[0] == "board.gone" {
		return fmt.Errorf("%q is left", key)
	}
	if len(parts) < 3 {
		return nil
	}
	s, err := b.State().Timeline(parts[2])
	if err != nil || parts[0] != "board.meta" {
		return err
	}
	p, err := s.Cal.Parse(parts[3])
	if err != nil {
		return err
	}
	if s.RecordOf(p.Name) == nil && s.IsClosed(s.SlotOf(p)) {
		return fmt.Errorf("metadata of a period that is not kept is left: %q", key)
	}
	return nil
}
