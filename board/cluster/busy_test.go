package cluster

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/cluster/internal/commit"
	"github.com/zrankdb/zrank/board/window"
)

// shortHour is a window whose periods end after 4 seconds by a clock that moves on by a few milliseconds whenever it is read. So an operator's call can hold a member, and however
// long that takes on a machine, few hours pass meanwhile: each makes the call longer.
var shortHour = board.Window{Name: "hour", Kind: window.Every, Every: window.Duration(4 * time.Second)}

// busy is a board to which callers of several processes add, for three members, while hours close.
type busy struct {
	*clusterBoard
	client  redis.UniversalClient
	o       Options
	acked   [3]atomic.Int64
	callers sync.WaitGroup
	done    atomic.Bool
}

var busyMembers = []string{"ada", "bea", "cy"}

func newBusy(t *testing.T, client redis.UniversalClient, partitions, callers int) *busy {
	clock := new(atomic.Int64)
	w := &busy{client: client, o: Options{Partitions: partitions, Prefix: fmt.Sprint("test", prefixes.Add(1), ":"), Clock: func() time.Time {
		return time.UnixMilli(1_800_000_000_000 + clock.Add(5))
	}}}
	w.clusterBoard = w.open(t)
	for range callers {
		b := w.open(t)
		w.callers.Go(func() { w.add(t, b) })
	}
	return w
}

// open opens the board as another process would.
func (w *busy) open(t *testing.T) *clusterBoard {
	boards, err := Open(w.client, w.o)
	require.NoError(t, err)
	b, err := concrete(boards.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, shortHour}}))
	require.NoError(t, err)
	return b
}

// add adds 1 to all members, again and again. Only the first may be banned.
func (w *busy) add(t *testing.T, b *clusterBoard) {
	for !w.done.Load() {
		for i, member := range busyMembers {
			counted, err := b.Apply(t.Context(), board.Submission{Member: member, Score: board.Ints(1)})
			if err != nil && !(i == 0 && errors.Is(err, board.ErrBanned)) {
				t.Error(err)
				return
			}
			if counted {
				w.acked[i].Add(1)
			}
		}
	}
}

// more waits until submissions of the first member have counted.
func (w *busy) more(t *testing.T) {
	before := w.acked[0].Load()
	require.Eventually(t, func() bool { return w.acked[0].Load() > before+5 }, time.Minute, time.Millisecond)
}

// stop stops the callers. Hours have closed by then.
func (w *busy) stop(t *testing.T) {
	for closed := 0; closed == 0; { // while the callers go on
		_, err := w.closeDue(t.Context())
		require.NoError(t, err)
		line, err := w.st.Timeline("hour")
		require.NoError(t, err)
		closed = len(line.ClosedRecords())
	}
	w.done.Store(true)
	w.callers.Wait()
	periods, err := w.Periods(t.Context(), "hour")
	require.NoError(t, err)
	t.Logf("%d hours", len(periods))
}

// TestModeratedBesideSubmissions: callers of several processes submit while hours close and an operator bans, unbans, hides and shows members. Once a ban is acknowledged
// nothing of the member counts until it ends. A member that is hidden and shown loses nothing, and gets nothing twice.
func TestModeratedBesideSubmissions(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: start(t, 1).one(), PoolSize: 40})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	for _, partitions := range []int{1, 3} {
		w := newBusy(t, client, partitions, 4)
		ops := board.Action{By: "ops"}
		for range 20 {
			w.more(t)
			_, err := w.Hide(t.Context(), "cy", ops)
			require.NoError(t, err)
			_, err = w.Ban(t.Context(), "ada", ops)
			require.NoError(t, err)
			for range 3 {
				live, err := w.Live(t.Context(), "all")
				require.NoError(t, err)
				rows, err := live.Among(t.Context(), busyMembers...)
				require.NoError(t, err)
				require.Len(t, rows, 1)
				m, err := w.Member(t.Context(), "ada")
				require.NoError(t, err)
				require.Equal(t, board.Member{Name: "ada", Banned: true, Windows: []board.History{{Window: "all"}, {Window: "hour"}}}, m)
			}
			_, err = w.Unban(t.Context(), "ada", ops)
			require.NoError(t, err)
			_, err = w.Show(t.Context(), "cy", ops)
			require.NoError(t, err)
		}
		w.stop(t)
		_, err := w.Ban(t.Context(), "ada", ops)
		require.NoError(t, err)
		want := int(w.acked[1].Load() + w.acked[2].Load())
		require.Equal(t, want, total(t, w.clusterBoard, "all"))
		require.Equal(t, want, total(t, w.clusterBoard, "hour"))
		require.Equal(t, 81, len(auditOf(t, w.clusterBoard)))
	}
}

// TestMergedBesideSubmissions: while callers of several processes submit and hours close, an operator merges a member with another one, again and again, in open and closed
// periods: nothing is lost, and nothing counts twice.
func TestMergedBesideSubmissions(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: start(t, 1).one(), PoolSize: 40})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	w := newBusy(t, client, 1, 2)
	for range 10 {
		w.more(t)
		_, err := w.Merge(t.Context(), "cy", "bea", board.Action{By: "ops"})
		require.NoError(t, err)
		_, err = w.Rename(t.Context(), "bea", "dan", board.Action{By: "ops"})
		require.NoError(t, err)
		_, err = w.Merge(t.Context(), "dan", "bea", board.Action{By: "ops"})
		require.NoError(t, err)
	}
	w.stop(t)
	want := 0
	for i := range w.acked {
		want += int(w.acked[i].Load())
	}
	require.Equal(t, want, total(t, w.clusterBoard, "all"))
	require.Equal(t, want, total(t, w.clusterBoard, "hour"))
	require.Equal(t, 30, len(auditOf(t, w.clusterBoard)))
}

// auditOf returns the audit log, and requires that its numbers have no gap.
func auditOf(t *testing.T, b *clusterBoard) (all []audit.Entry) {
	for e, err := range b.Audit(t.Context(), audit.Filter{}) {
		require.NoError(t, err)
		all = append(all, e)
		require.EqualValues(t, len(all), e.Number)
	}
	return all
}

// TestBannedUnderLoad: a member to which many callers submit all the time can be banned, since the operator's call holds it after it had to begin again.
func TestBannedUnderLoad(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: start(t, 1).one(), PoolSize: 40})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	c := newCounter(t, client, Options{})
	var done atomic.Bool
	var callers sync.WaitGroup
	for range 16 {
		callers.Go(func() {
			for !done.Load() {
				if _, err := c.Apply(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)}); err != nil && !errors.Is(err, board.ErrBanned) {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 10 {
		_, err := c.Ban(t.Context(), "ada", board.Action{By: "ops"})
		require.NoError(t, err)
		_, err = c.Unban(t.Context(), "ada", board.Action{By: "ops"})
		require.NoError(t, err)
	}
	done.Store(true)
	callers.Wait()
	require.Len(t, auditOf(t, c.clusterBoard), 20)
}

// TestHeld: a submission to a member that an operator's call holds waits until that has ended, or until the time of a call that was killed is over.
func TestHeld(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: start(t, 1).one()})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	var millis atomic.Int64
	c := newCounter(t, client, Options{Clock: func() time.Time { return time.UnixMilli(millis.Load()) }})
	for _, release := range []func(){
		func() { millis.Add(commit.HoldFor.Milliseconds()) },
		func() {}, // the clock of the call that was killed is ahead: a submission waits as long as it would have held
		func() {
			_, err := c.Hide(t.Context(), "ada", board.Action{By: "ops"})
			require.NoError(t, err)
		},
		func() {
			_, err := c.Rename(t.Context(), "bea", "ada", board.Action{By: "ops", DryRun: true})
			require.ErrorIs(t, err, board.ErrHidden)
			_, err = c.Show(t.Context(), "ada", board.Action{By: "ops"})
			require.NoError(t, err)
		},
	} {
		c.add(t, "bea", "")
		require.NoError(t, c.writer.Hold(t.Context(), []byte("ada"), c.now()))
		counted := make(chan error, 1)
		go func() {
			_, err := c.Apply(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
			counted <- err
		}()
		select {
		case <-counted:
			t.Fatal("a submission to a member that is held has counted")
		case <-time.After(4 * commit.HeldPause):
		}
		c.add(t, "bea", "") // others do not wait
		release()
		require.NoError(t, <-counted)
		c.acked["ada"]++
	}
	require.Zero(t, c.lost(t))
}

// TestModeratedWhileSlotMoves: while the slot of the members goes to another master and back, key by key, every call of an operator is made once, and is once in the audit log;
// what is submitted meanwhile counts once.
func TestModeratedWhileSlotMoves(t *testing.T) {
	s := startCluster(t, 3, 0)
	client := s.client(t)
	c := newCounter(t, client, Options{})
	slot, err := client.ClusterKeySlot(t.Context(), c.keys.Fence(0)).Result()
	require.NoError(t, err)
	ops := board.Action{By: "ops"}
	for _, member := range []string{"ada", "bea"} {
		c.add(t, member, "")
	}
	master, err := client.MasterForKey(t.Context(), c.keys.Fence(0))
	require.NoError(t, err)
	from := slices.IndexFunc(s.ports, func(port int) bool { return s.addr(port) == master.Options().Addr })
	moved := make(chan error, 1)
	go func() {
		err := s.moveSlot(int(slot), from, (from+1)%3)
		if err == nil {
			err = s.moveSlot(int(slot), (from+1)%3, from)
		}
		moved <- err
	}()
	entries := 0
	for moving := true; moving; {
		select {
		case err := <-moved:
			require.NoError(t, err)
			moving = false
		default:
		}
		_, err := c.Hide(t.Context(), "ada", ops)
		require.NoError(t, err)
		c.add(t, "ada", fmt.Sprint("once", entries))
		_, err = c.Show(t.Context(), "ada", ops)
		require.NoError(t, err)
		_, err = c.Ban(t.Context(), "cy", ops)
		require.NoError(t, err)
		_, err = c.Unban(t.Context(), "cy", ops)
		require.NoError(t, err)
		require.NoError(t, c.SaveBaseline(t.Context(), "all", "now"))
		r, err := c.Erase(t.Context(), "bea", ops)
		require.NoError(t, err)
		require.Len(t, r.Places, 1)
		require.Len(t, r.Traces, 1)
		delete(c.acked, "bea")
		changes, err := c.SubmitAll(t.Context(), []board.Submission{{Member: "bea", Score: board.Ints(1)}, {Member: "ada", Score: board.Ints(1)}})
		require.NoError(t, err)
		require.Len(t, changes, 2)
		c.acked["bea"]++
		c.acked["ada"]++
		entries += 5
	}
	require.Empty(t, c.undecided)
	require.Zero(t, c.lost(t))
	require.Len(t, auditOf(t, c.clusterBoard), entries)
}
