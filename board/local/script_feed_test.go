package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// feedScript makes random calls on a board with a feed, and compares the events of each with those that a naive observer expects of the rankings before and
// after it: through closings, moderation, restarts and power cuts.
type feedScript struct {
	*game
	rng    *rand.Rand
	o      *observer
	spec   board.Spec
	events []feed.Event // all so far
	after  feed.Position
	audits uint64
	counts map[string]int
}

// members is how many members there are.
const feedMembers = 9

// everybody returns the names of all members.
func (s *feedScript) everybody() (all []string) {
	for i := range feedMembers {
		all = append(all, string(rune('a'+i)))
	}
	return all
}

func (s *feedScript) member() string { return string(rune('a' + s.rng.IntN(feedMembers))) }

// feedSpec returns a random spec with a feed.
func (s *feedScript) feedSpec() board.Spec {
	for {
		pick := s.rng.IntN
		spec := board.Spec{Name: "shop", Op: []board.Op{board.Best, board.Last, board.First, board.Sum, board.Min, board.Max, board.BestOf, board.LastOf}[pick(8)], Ties: []board.Ties{board.FirstToReach, board.LastToReach, board.ByMember}[pick(3)],
			Columns: []board.Column{{Name: "points", Order: []board.Order{board.Asc, board.Desc}[pick(2)]}}, Windows: []board.Window{board.All}, Feed: &board.Feed{Top: []int{-1, 1, 2, 3, 20}[pick(5)]}}
		if spec.Op == board.BestOf || spec.Op == board.LastOf {
			spec.K = 1 + pick(3)
		}
		if pick(2) == 0 {
			spec.Windows = append(spec.Windows, board.Window{Name: "day", Kind: window.Day, Grace: window.Duration(90 * time.Minute)})
		}
		if pick(4) == 0 {
			spec.Windows = append(spec.Windows, board.Rolling("hours", 3*time.Hour))
		} else if pick(2) == 0 {
			spec.Journal = 200
		}
		if pick(3) == 0 {
			spec.Top = &board.Top{N: 1 + pick(4), Reserve: 1 + pick(3), Segments: pick(3)}
		}
		if spec.Validate() == nil {
			return spec
		}
	}
}

// drain reads the events that have come since, and requires that their positions rise.
func (s *feedScript) drain() (fresh []feed.Event) {
	s.t.Helper()
	fresh = readEvents(s.t, s.bs, s.after)
	for _, e := range fresh {
		require.Equal(s.t, "shop", e.Board)
		require.True(s.t, e.At.Equal(s.clock.Now()))
		require.Positive(s.t, e.Position.Compare(s.after))
		s.after = e.Position
		s.counts[e.Kind.String()]++
	}
	s.events = append(s.events, fresh...)
	return fresh
}

// readEvents reads all events after a position that are there. In the bubble of a synctest the time passes when the feed waits.
func readEvents(t testing.TB, bs *Boards, after feed.Position) (all []feed.Event) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	for e, err := range bs.Feed(ctx, after, feed.Filter{}) {
		if errors.Is(err, context.DeadlineExceeded) {
			return all
		}
		require.NoError(t, err)
		all = append(all, e)
	}
	return all
}

// same requires that the events since the last call are those expected.
func (s *feedScript) same(want []feed.Event, what string) {
	s.t.Helper()
	require.Equal(s.t, byWindow(want), byWindow(s.drain()), "%s of %+v", what, s.spec)
}

// audited returns the event of the next entry in the audit log.
func (s *feedScript) audited(kind feed.Kind, member, other string, count int) feed.Event {
	s.audits++
	return feed.Event{Kind: kind, Member: member, Other: other, By: ops.By, Audit: s.audits, Count: count}
}

// submit submits once, by one of the ways to do so.
func (s *feedScript) submit() {
	before, b := s.o.see(), s.o.b
	sub := board.Submission{Member: s.member(), Score: board.Ints(int64(s.rng.IntN(12))), At: s.clock.Now()}
	if s.rng.IntN(4) == 0 {
		sub.At = sub.At.Add(-time.Duration(s.rng.IntN(170)) * time.Minute)
	}
	if s.rng.IntN(5) == 0 {
		sub.Once = fmt.Sprint(s.rng.IntN(9))
	}
	var err error
	switch s.rng.IntN(4) {
	case 0:
		_, err = b.Apply(context.Background(), sub)
	case 1:
		err = s.submitIn(sub)
	default:
		_, err = b.Submit(context.Background(), sub)
	}
	after := s.o.see()
	if err != nil {
		require.True(s.t, errors.Is(err, board.ErrPeriodClosed) || errors.Is(err, board.ErrBanned), "%v", err)
		after = before
	}
	s.same(s.o.submitted(before, after, sub.Member), "submit")
}

// submitIn submits in a transaction of the caller's; one that fails goes before it.
func (s *feedScript) submitIn(sub board.Submission) error {
	submit := func(end error) error {
		return s.e.Update(context.Background(), func(tx *engine.Tx) error {
			if _, err := in(s.o.b, tx).Submit(sub); err != nil {
				return err
			}
			return end
		})
	}
	if err := submit(errChanged); !errors.Is(err, errChanged) {
		return err
	}
	return submit(nil)
}

// submitAll submits a batch, and then expects the events that single submissions to a board of the same entries would write.
func (s *feedScript) submitAll() {
	subs := make([]board.Submission, 1+s.rng.IntN(4))
	for i := range subs {
		subs[i] = board.Submission{Member: s.member(), Score: board.Ints(int64(s.rng.IntN(12))), At: s.clock.Now()}
	}
	if slices.ContainsFunc(subs, func(sub board.Submission) bool { return isBanned(s.o.b, sub.Member) }) {
		return
	}
	before := s.o.see()
	_, err := s.o.b.SubmitAll(context.Background(), subs)
	require.NoError(s.t, err)
	fresh, after := s.drain(), s.o.see()
	if len(subs) == 1 {
		require.Equal(s.t, byWindow(s.o.submitted(before, after, subs[0].Member)), byWindow(fresh))
	}
	for k, l := range after { // replay the first places by the events
		if s.o.top() == 0 {
			continue
		}
		require.Equal(s.t, l.first(1), leadersAfter(before[k].first(1), fresh, k), "%+v", s.spec)
	}
	s.counts["batches"]++
}

// leadersAfter returns who leads a ranking after events, as a list.
func leadersAfter(leaders []string, all []feed.Event, k slotName) []string {
	for _, e := range all {
		if e.Kind == feed.NewLeader && e.Window == k.window && e.Period == k.period {
			leaders = []string{e.Member}
		}
	}
	return leaders
}

// moderate makes one call of an operator.
func (s *feedScript) moderate() {
	ctx, b, o, member := context.Background(), s.o.b, s.o, s.member()
	before, banned, hidden := o.see(), isBanned(b, member), isHidden(b, member)
	to := s.member()
	busy := banned || hidden || isBanned(b, to) || isHidden(b, to)
	var want func(after map[slotName]standing) []feed.Event
	var err error
	what := s.rng.IntN(8)
	switch {
	case what == 0 && !banned:
		_, err = b.Ban(ctx, member, ops)
		want = func(after map[slotName]standing) []feed.Event {
			return append(o.changed(before, after, member, member, false), s.audited(feed.Banned, member, "", 0))
		}
	case banned:
		_, err = b.Unban(ctx, member, ops)
		want = func(map[slotName]standing) []feed.Event {
			return []feed.Event{s.audited(feed.Unbanned, member, "", 0)}
		}
	case what == 1 && !hidden:
		_, err = b.Hide(ctx, member, ops)
		want = func(after map[slotName]standing) []feed.Event {
			return append(o.changed(before, after, member, member, false), s.audited(feed.Hidden, member, "", 0))
		}
	case hidden:
		_, err = b.Show(ctx, member, ops)
		want = func(after map[slotName]standing) []feed.Event {
			return append(o.changed(before, after, member, member, false), s.audited(feed.Shown, member, "", 0))
		}
	case what == 2:
		_, err = b.Erase(ctx, member, ops)
		delete(o.watches, member)
		want = func(after map[slotName]standing) []feed.Event {
			return append(o.changed(before, after, member, "", false), s.audited(feed.Erased, "", "", 0))
		}
	case what < 5 && member != to && !busy:
		want, err = s.join(before, member, to, what == 3)
	case what < 7:
		_, err = b.Remove(ctx, member)
		want = func(after map[slotName]standing) []feed.Event { return o.changed(before, after, member, member, true) }
	case s.spec.Journal > 0:
		var r board.Reverted
		r, err = b.Revert(ctx, member, board.Reversion{Since: s.clock.Now().Add(-time.Duration(s.rng.IntN(200)) * time.Minute)}, ops)
		if len(r.Rows) == 0 {
			require.True(s.t, err == nil || errors.Is(err, board.ErrNotInJournal))
			return
		}
		want = func(after map[slotName]standing) []feed.Event {
			return append(o.changed(before, after, member, member, false), s.audited(feed.Reverted, member, "", len(r.Rows)))
		}
	default:
		return
	}
	if errors.Is(err, board.ErrExists) {
		return
	}
	require.NoError(s.t, err)
	s.same(want(o.see()), fmt.Sprint("moderation ", what))
}

// join renames or merges a member.
func (s *feedScript) join(before map[slotName]standing, member, to string, rename bool) (func(map[slotName]standing) []feed.Event, error) {
	o := s.o
	kind, call := feed.Merged, o.b.Merge
	if rename {
		kind, call = feed.Renamed, o.b.Rename
	}
	_, err := call(context.Background(), member, to, ops)
	if err == nil && o.watches[member] {
		delete(o.watches, member)
		o.watches[to] = true
	}
	return func(after map[slotName]standing) (all []feed.Event) {
		if all = o.merged(before, after, member, to); rename {
			all = nil
			for k, l := range after {
				all = append(all, o.moved(k, before[k].renamed(member, to), l, to, to)...)
			}
		}
		return append(all, s.audited(kind, member, to, 0))
	}, err
}

// pass lets time pass, closes what is due, and expects an event of each period that was open and is closed.
func (s *feedScript) pass() {
	before := s.o.see()
	s.clock.Add([]time.Duration{time.Minute, 40 * time.Minute, 5 * time.Hour, 26 * time.Hour}[s.rng.IntN(4)])
	_, err := s.bs.CloseDue(context.Background())
	require.NoError(s.t, err)
	after := s.o.see()
	var want []feed.Event
	for k, l := range before {
		if _, open := after[k]; !open {
			e := k.event(feed.PeriodClosed, "")
			e.Count = len(l)
			want = append(want, e)
		}
	}
	s.same(want, "closing")
}

// restart reopens everything, or cuts the power. All events so far must be there, at the same positions; and from any position on the rest.
func (s *feedScript) restart() {
	switch {
	case s.mem == nil:
		s.reopenBoards()
	case s.rng.IntN(2) == 0:
		s.reopen()
	default:
		s.powerCut(s.rng.IntN(3)*50, s.rng.Uint64())
	}
	s.o.b = s.board("shop")
	s.counts["restarts"]++
	require.Empty(s.t, s.drain(), "a restart writes no events")
	require.Equal(s.t, s.events, readEvents(s.t, s.bs, feed.Position{}))
	if n := len(s.events); n > 0 {
		i := s.rng.IntN(n)
		require.Empty(s.t, slices.Compact(s.events[i+1:])[len(s.events[i+1:]):])
		require.Equal(s.t, append([]feed.Event(nil), s.events[i+1:]...), readEvents(s.t, s.bs, s.events[i].Position))
	}
}

// watch makes a member watch, or not any more.
func (s *feedScript) watch() {
	member := s.member()
	if s.rng.IntN(2) == 0 {
		require.NoError(s.t, s.o.b.Watch(context.Background(), member))
		s.o.watches[member] = true
	} else {
		require.NoError(s.t, s.o.b.Unwatch(context.Background(), member))
		delete(s.o.watches, member)
	}
	require.Empty(s.t, s.drain())
}

func (s *feedScript) step() {
	switch k := s.rng.IntN(100); {
	case k < 60:
		s.submit()
	case k < 66:
		s.submitAll()
	case k < 82:
		s.moderate()
	case k < 90:
		s.pass()
	case k < 95:
		s.watch()
	default:
		s.restart()
	}
}

// runFeedScript runs one script.
func runFeedScript(t testing.TB, durable bool, seed uint64, steps int, counts map[string]int) {
	buckets.SetFull(3)
	t.Cleanup(func() { buckets.SetFull(0) })
	g := newGame(t, durable, func(g *game) { g.o = engine.Options{FeedLogBytes: 1 << 30, SnapshotBytes: 8 << 10} })
	s := &feedScript{game: g, rng: rand.New(rand.NewPCG(seed, 22)), counts: counts}
	s.spec = s.feedSpec()
	s.o = &observer{s: s, b: s.define(s.spec), watches: map[string]bool{}}
	for range steps {
		s.step()
	}
}

// runFeedScripts runs a script for each seed.
func runFeedScripts(t *testing.T, durable bool, seeds, steps int) {
	total := map[string]int{}
	for seed := range uint64(seeds) {
		synctest.Test(t, func(t *testing.T) {
			defer func() {
				if t.Failed() {
					t.Logf("seed %d", seed)
				}
			}()
			runFeedScript(t, durable, seed, steps, total)
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d scripts of %d steps: %v", seeds, steps, total)
}

func TestFeedScriptsInMemory(t *testing.T) { runFeedScripts(t, false, howMany(90), 150) }

func TestFeedScriptsDurable(t *testing.T) { runFeedScripts(t, true, howMany(40), 150) }
