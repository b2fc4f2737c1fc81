package local

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

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// crasher injects no faults. Before every operation that changes the disk it keeps a copy of the disk after a power cut.
type crasher struct {
	mu    sync.Mutex
	n     int
	disks []crashed
}

// crashed is a disk after a power cut.
type crashed struct {
	disk  *memfs.FS
	point string // describes the crash point, for messages
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

// crashing returns the option of a game that wraps its disk in a crasher.
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

// recovered opens the boards of a crashed disk at a time, and returns their dump. check, unless nil, checks the boards, and CheckDir the disk
// before.
func recovered(disk *memfs.FS, now time.Time, check func(*Boards) error) (text string, err error) {
	if check != nil {
		rep, err := CheckDir(context.Background(), "db", engine.Options{FS: disk}, nil)
		ofBoards := func(p persist.Problem) bool {
			return strings.HasPrefix(p.Where, "board ") || strings.HasPrefix(p.Where, "union ")
		} // the store itself may be incomplete
		if slices.ContainsFunc(rep.Problems, ofBoards) {
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

// problemsError returns the error of a check, or an error if the check reports problems.
func problemsError(rep Report, err error) error {
	if err == nil && len(rep.Problems) > 0 {
		err = fmt.Errorf("check: %v", rep.Problems)
	}
	return err
}

// crashStep is script.step for tests of crashes: it makes one commit, and perhaps closes periods, which Open completes after a crash.
func (s *script) crashStep() {
	switch k := s.rng.IntN(20); {
	case k < 8:
		s.submit()
	case k < 9:
		s.revert()
	case k < 11:
		s.submitAll()
	case k < 12:
		s.inTx()
	case k < 13:
		s.remove()
	case k < 14:
		s.setMeta()
	case k < 15:
		s.move()
	case k < 16:
		if s.oneOpen() {
			s.closeNow()
		}
	case k < 17:
		s.storeUnion()
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

// TestPowerCuts runs scripts of all operations of boards, and cuts the power before every operation that changes the disk. After each cut the
// boards must be as before the step or as after it, and Open must have deleted the leftovers.
func TestPowerCuts(t *testing.T) {
	points, found := 0, [2]int{} // found: crash points after which the boards were as before the step, and as after it
	for seed := range uint64(howMany(16)) {
		synctest.Test(t, func(t *testing.T) {
			c := &crasher{}
			g := newGame(t, true, crashing(c))
			s := newScript(g, 1000+seed)
			s.oneCommit = true
			for i := range 40 {
				before := map[string]*naive{}
				for name, n := range s.boards {
					before[name] = n.clone()
				}
				unions := s.storedText()
				c.take()
				s.crashStep()
				disks := c.take()
				wantBefore := s.dumpBefore(before) + unions
				s.expire()
				for _, d := range disks {
					got, err := recovered(d.disk, s.clock.Now(), nothingLeft)
					require.NoError(t, err, "seed %d, step %d, %s", seed, i, d.point)
					match := slices.Index([]string{wantBefore, s.want()}, got)
					if match < 0 && s.isBetweenDropAndDefine(got) {
						match = 1
					}
					require.GreaterOrEqual(t, match, 0, "seed %d, step %d, %s:\n%s\nis neither\n%s\nnor\n%s", seed, i, d.point, got, wantBefore, s.want())
					found[match]++
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

// dumpBefore returns the dump of the boards before a step, with the periods closed that are due now.
func (s *script) dumpBefore(before map[string]*naive) string {
	for _, n := range before {
		n.closeDue(s.clock.Now())
		n.expire(s.clock.Now())
	}
	return before["shop"].dump() + before["shop/flowers"].dump()
}

// isBetweenDropAndDefine reports whether got is the dump after the step has dropped a board, and has not defined it again.
func (s *script) isBetweenDropAndDefine(got string) bool {
	for name, n := range s.boards {
		if n.version == 1 && len(s.boards) == 2 {
			other := s.boards[map[string]string{"shop": "shop/flowers", "shop/flowers": "shop"}[name]]
			if got == other.dump()+s.storedText() {
				return true
			}
		}
	}
	return false
}

// nothingLeft returns an error if there is data of a board, a window, a period or a version that does not exist any more, or if Check reports
// a problem.
func nothingLeft(bs *Boards) error {
	ctx := context.Background()
	keys, err := bs.catalog.Engine.Keys(KeyPrefix)
	if err == nil {
		err = problemsError(bs.Check(ctx, nil))
	}
	if err != nil {
		return err
	}
	for _, key := range keys {
		if k, ok := ParseKey(key); !ok || isStale(bs, k) {
			return fmt.Errorf("%q is left", key)
		}
	}
	stored, err := bs.StoredUnions(ctx)
	if err != nil {
		return err
	}
	sets, err := bs.catalog.Engine.Keys(boardkey.UnionPrefix)
	if withMembers := len(slices.DeleteFunc(stored, func(u board.StoredUnion) bool { return u.Members == 0 })); err == nil && len(sets) != withMembers {
		err = fmt.Errorf("%d unions with members, and the sets %q", withMembers, sets)
	}
	if err != nil {
		return err
	}
	return bs.catalog.Engine.View(ctx, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan("board.") {
			if err != nil {
				return err
			}
			if err := checkPrivateKey(bs, string(kv.Key)); err != nil {
				return err
			}
		}
		return nil
	})
}

// isStale reports whether a set belongs to no board, or to another version or window than its board has.
func isStale(bs *Boards, k Key) bool {
	b, err := bs.catalog.Lookup(k.Board)
	return err != nil || b.State().Stale(boardkey.Key(k))
}

// checkPrivateKey returns an error unless the board, the window and the period in a private key exist.
func checkPrivateKey(bs *Boards, key string) error {
	if parts := strings.SplitN(key, "\x00", 2); slices.Contains([]string{boardkey.UnionVersion, boardkey.AuditSalt, boardkey.Union(parts[len(parts)-1])}, key) {
		return nil
	}
	parts := strings.SplitN(key, "\x00", 5)
	if slices.Contains([]string{"board.groups", "board.grouped", "board.group", "board.joined", "board.followers", "board.stays", "board.stayed", "board.dissolved"}, parts[0]) {
		_, err := bs.Groups(context.Background(), parts[1])
		return err
	}
	b, err := bs.catalog.Lookup(parts[1])
	if err != nil || parts[0] == "board.gone" || parts[0] == "board.job" {
		return fmt.Errorf("%q is left", key)
	}
	ofMember := []string{"board.ban", "board.banned", "board.hide"}
	if len(parts) < 3 || strings.HasPrefix(parts[0], "board.audit") || slices.Contains(ofMember, parts[0]) || parts[0] == "board.since" {
		return nil
	}
	if parts[0]+"\x00" == boardkey.PlacePrefix() {
		if s, err := b.State().Timeline(parts[3]); err != nil || s.RecordOf(parts[4]) == nil {
			return fmt.Errorf("a place in a period that is not kept is left: %q", key)
		}
		return nil
	}
	s, err := b.State().Timeline(parts[2])
	if version := fmt.Sprint(b.State().Version); parts[0]+"\x00" == boardkey.LayoutPrefix() && parts[4] != version {
		return fmt.Errorf("a layout of another version is left: %q", key)
	}
	if err == nil && slices.Contains([]string{"board.settlement", "board.waiting", "board.note"}, parts[0]) && s.SettlementOf(parts[3]) == nil {
		return fmt.Errorf("a part of a settlement is left: %q", key)
	}
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
