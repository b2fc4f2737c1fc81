package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
)

// moderated is a pair whose members are moderated at random.
type moderated struct{ *pair }

// sentinels are the errors that both must agree on.
var sentinels = []error{board.ErrAction, board.ErrBanned, board.ErrNotBanned, board.ErrHidden, board.ErrNotHidden, board.ErrNotRanked, board.ErrMember, board.ErrPeriodClosed,
	board.ErrBounds, board.ErrExists, board.ErrPeriodOpen, board.ErrNoPeriod, board.ErrTime}

// kindOf returns which of the sentinels an error is.
func kindOf(t *testing.T, err error) error {
	if err == nil {
		return nil
	}
	i := slices.IndexFunc(sentinels, func(s error) bool { return errors.Is(err, s) })
	require.GreaterOrEqual(t, i, 0, "%v", err)
	return sentinels[i]
}

// operator is what both kinds of boards have.
type operator interface {
	Submit(context.Context, board.Submission) (board.Change, error)
	SubmitAll(context.Context, []board.Submission) ([]board.Change, error)
	Remove(context.Context, string) ([]board.Removed, error)
	SetMeta(ctx context.Context, window, member string, meta []byte) error
	Hide(context.Context, string, board.Action) (board.Moderated, error)
	Show(context.Context, string, board.Action) (board.Moderated, error)
	Ban(context.Context, string, board.Action) (board.Moderated, error)
	Unban(context.Context, string, board.Action) (board.Moderated, error)
	Erase(context.Context, string, board.Action) (board.Moderated, error)
	Correct(context.Context, string, board.ClosedSubmission, board.Action) (board.Moderated, error)
	Rename(ctx context.Context, member, to string, a board.Action) (board.Moderated, error)
	Merge(ctx context.Context, from, into string, a board.Action) (board.Moderated, error)
	Periods(context.Context, string) ([]board.Usage, error)
	Member(context.Context, string) (board.Member, error)
	AuditPlaces(context.Context, uint64) ([]board.Place, error)
	SaveBaseline(ctx context.Context, window, name string) error
	DropBaseline(ctx context.Context, window, name string) error
	Baselines(ctx context.Context, window string) ([]string, error)
	Baseline(ctx context.Context, window, name string) (board.Ranking, error)
}

// step makes one random call, and returns what to compare.
func (m *moderated) step(rng *rand.Rand, b operator) (any, error) {
	ctx, member := context.Background(), fmt.Sprint("m", rng.IntN(12))
	a := board.Action{By: "ops", Reason: fmt.Sprint(rng.IntN(5)), DryRun: rng.IntN(4) == 0}
	switch rng.IntN(28) {
	case 0:
		return b.Hide(ctx, member, a)
	case 1, 2:
		return b.Show(ctx, member, a)
	case 3:
		return b.Ban(ctx, member, a)
	case 4, 5:
		return b.Unban(ctx, member, a)
	case 6:
		return b.Remove(ctx, member)
	case 7:
		return b.Member(ctx, member)
	case 8:
		return b.AuditPlaces(ctx, uint64(rng.IntN(60)))
	case 10:
		r, err := b.Erase(ctx, member, a)
		r.Hash = "" // each has a salt of its own
		return r, err
	case 11, 12:
		return m.correct(rng, b, member, a)
	case 13:
		return b.Rename(ctx, member, m.neighbour(rng, member), a)
	case 14, 15:
		return b.Merge(ctx, member, m.neighbour(rng, member), a)
	case 16, 17:
		return nil, b.SaveBaseline(ctx, "hour", fmt.Sprint(rng.IntN(3)))
	case 18:
		return nil, b.DropBaseline(ctx, "hour", fmt.Sprint(rng.IntN(3)))
	case 9:
		return nil, b.SetMeta(ctx, "all", member, fmt.Append(nil, rng.IntN(9)))
	}
	if n := rng.IntN(6); n > 1 && m.there.partitions() == 1 {
		batch := make([]board.Submission, n)
		for i := range batch {
			batch[i] = m.submission(rng, fmt.Sprint("m", rng.IntN(12)))
		}
		return b.SubmitAll(ctx, batch)
	}
	return b.Submit(ctx, m.submission(rng, member))
}

// submission returns a random submission.
func (m *moderated) submission(rng *rand.Rand, member string) board.Submission {
	s := board.Submission{Member: member, Score: board.Ints(rng.Int64N(20)), If: board.Condition(rng.IntN(4)), Near: rng.IntN(3), Overtaken: rng.IntN(3)}
	if rng.IntN(3) == 0 {
		s.Once = fmt.Sprint(member, "/", rng.IntN(30))
	}
	if rng.IntN(3) == 0 {
		s.Meta = fmt.Append(nil, rng.IntN(100))
	}
	if rng.IntN(5) == 0 {
		s.At = m.clock.Now().Add(-time.Duration(rng.IntN(60)) * time.Minute)
	}
	return s
}

// neighbour returns a member, or a name, of the same partition as another one.
func (m *moderated) neighbour(rng *rand.Rand, member string) string {
	for {
		other, keys := fmt.Sprint("m", rng.IntN(15)), m.there.keys
		if keys.PartitionOf([]byte(other)) == keys.PartitionOf([]byte(member)) {
			return other
		}
	}
}

// correct corrects a random period, open or closed.
func (m *moderated) correct(rng *rand.Rand, b operator, member string, a board.Action) (any, error) {
	periods, err := b.Periods(context.Background(), "hour")
	if err != nil || len(periods) == 0 {
		return nil, err
	}
	p := periods[rng.IntN(len(periods))]
	sub := board.ClosedSubmission{Window: "hour", Period: p.Period, Score: board.Ints(rng.Int64N(20))}
	if rng.IntN(2) == 0 {
		sub.At = p.Start.Add(time.Duration(rng.IntN(70)) * time.Minute)
	}
	return b.Correct(context.Background(), member, sub, a)
}

// both makes the same call on both.
func (m *moderated) both(t *testing.T, i int) {
	m.clock.Add(time.Microsecond)
	seed := m.rng.Uint64()
	want, wrong := m.step(rand.New(rand.NewPCG(seed, 1)), m.here)
	got, err := m.step(rand.New(rand.NewPCG(seed, 1)), m.there)
	require.Equal(t, kindOf(t, wrong), kindOf(t, err), "step %d: %v", i, wrong)
	if _, ok := want.(board.Moderated); ok && wrong != nil { // the engine has the receipt of the call that has done it already, a cluster none
		want = board.Moderated{}
	}
	require.Equal(t, want, got, "step %d", i)
	var one, other *board.BatchError
	require.Equal(t, errors.As(wrong, &one), errors.As(err, &other))
	if one != nil {
		require.Equal(t, one.Index, other.Index)
	}
}

// compareAll compares what both have.
func (m *moderated) compareAll(t *testing.T) {
	for _, window := range []string{"all", "hour"} {
		want, err := m.here.Periods(t.Context(), window)
		require.NoError(t, err)
		got, err := m.there.Periods(t.Context(), window)
		require.NoError(t, err)
		require.Len(t, got, len(want), window)
		for i, p := range want {
			require.Equal(t, []any{p.Period, p.Closed, p.Members}, []any{got[i].Period, got[i].Closed, got[i].Members})
			here, err := m.here.Period(t.Context(), window, p.Period)
			require.NoError(t, err)
			there, err := m.there.Period(t.Context(), window, p.Period)
			require.NoError(t, err)
			wantRows, err := here.Top(t.Context(), 100)
			require.NoError(t, err)
			gotRows, err := there.Top(t.Context(), 100)
			require.NoError(t, err)
			require.Equal(t, wantRows, gotRows, "%s %s", window, p.Period)
		}
	}
	require.Equal(t, baselinesOf(t, m.here), baselinesOf(t, m.there))
	var want, got []audit.Entry
	for e, err := range m.here.Audit(t.Context(), audit.Filter{}) {
		require.NoError(t, err)
		e.Parts, e.Hash, e.ToHash = 0, "", "" // parts are how an engine stores places
		want = append(want, e)
	}
	for e, err := range m.there.Audit(t.Context(), audit.Filter{}) {
		require.NoError(t, err)
		e.Hash, e.ToHash = "", ""
		got = append(got, e)
	}
	require.Equal(t, want, got)
}

// baselinesOf returns the rows of all baselines.
func baselinesOf(t *testing.T, b operator) map[string][]board.Row {
	names, err := b.Baselines(t.Context(), "hour")
	require.NoError(t, err)
	all := map[string][]board.Row{}
	for _, name := range names {
		r, err := b.Baseline(t.Context(), "hour", name)
		require.NoError(t, err)
		all[name], err = r.Top(t.Context(), 100)
		require.NoError(t, err)
		for _, row := range all[name] {
			found, ok, err := r.Rank(t.Context(), row.Member)
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, row, found)
		}
	}
	return all
}

// TestModeratedAsEngine: random submissions and calls of an operator, while hours close, have the same answers, rankings and audit logs as on an engine.
func TestModeratedAsEngine(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: start(t, 1).one()})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	for _, partitions := range []int{1, 4} {
		for _, spec := range []board.Spec{{Op: board.Sum}, {Op: board.BestOf, K: 3}, {Op: board.Last},
			{Op: board.Sum, Columns: []board.Column{{Name: "points", Max: new(board.Int(60))}}}} {
			t.Run(fmt.Sprint(spec.Op, " ", partitions), func(t *testing.T) {
				spec.Name, spec.MaxMeta, spec.Windows = "arena", 8, []board.Window{board.All, board.Hour}
				spec.Windows[1].Keep = 4
				m := &moderated{newPair(t, client, partitions, spec)}
				for i := range 1000 {
					m.both(t, i)
					if i%40 == 0 {
						m.clock.Add(time.Hour / 2)
						m.close(t)
						m.compareAll(t)
					}
				}
			})
		}
	}
}

// close closes what is due in both.
func (m *moderated) close(t *testing.T) {
	_, err := m.hereAll.CloseDue(t.Context())
	require.NoError(t, err)
	_, err = m.thereAll.CloseDue(t.Context())
	require.NoError(t, err)
}

// countdown is a connection that loses the answer of the last of a number of reads.
type countdown struct {
	net.Conn
	left *atomic.Int64
}

func (c countdown) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.left.Add(-1) == 0 {
		_ = c.Close()
		return 0, io.EOF
	}
	return n, err
}

// TestActionAnswerLost: an operator's call that loses any one of its answers has happened once, or not at all. Only one that returns ErrUndecided may have happened.
func TestActionAnswerLost(t *testing.T) {
	s, left := start(t, 1), new(atomic.Int64)
	client := redis.NewClient(&redis.Options{Addr: s.one(), MaxRetries: -1, PoolSize: 1, Dialer: func(_ context.Context, network, addr string) (net.Conn, error) {
		c, err := net.Dial(network, addr)
		return countdown{c, left}, err
	}})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	for _, partitions := range []int{1, 2} {
		c := newCounter(t, client, Options{Partitions: partitions})
		entries, undecided := 0, 0
		for lose := int64(1); ; lose++ {
			c.add(t, "ada", "") // the connections are there
			left.Store(lose)
			_, err := c.Ban(t.Context(), "ada", board.Action{By: "ops"})
			isMade := left.Swap(0) > 0
			banned, wrong := c.IsBanned(t.Context(), "ada")
			require.NoError(t, wrong)
			switch {
			case errors.Is(err, ErrUndecided):
				undecided++
			case isMade:
				require.NoError(t, err)
				require.True(t, banned)
			default:
				require.Error(t, err)
				require.False(t, banned, "%v", err)
			}
			if banned {
				_, err = c.Unban(t.Context(), "ada", board.Action{By: "ops"})
				require.NoError(t, err)
				entries += 2
			}
			n := 0
			for _, err := range c.Audit(t.Context(), audit.Filter{}) {
				require.NoError(t, err)
				n++
			}
			require.Equal(t, entries, n)
			if isMade {
				require.GreaterOrEqual(t, lose, int64(5))
				break
			}
		}
		require.Positive(t, undecided)
	}
}
