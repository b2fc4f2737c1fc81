package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// groupCalls are the calls on groups that a transaction has too.
type groupCalls interface {
	Create(group string, meta []byte) error
	SetMeta(group string, meta []byte) error
	Dissolve(group string) error
	Join(member, group string) error
	Move(member, group string) error
	Leave(member string) error
	Of(member string) (group string, ok bool, err error)
	Info(group string) (board.GroupInfo, error)
	Members(group, after string, n int) ([]string, error)
}

var _ groupCalls = GroupsInTx{}

// outside makes each call in a transaction of its own.
type outside struct{ k board.Groups }

func (o outside) Create(group string, meta []byte) error {
	return o.k.Create(context.Background(), group, meta)
}
func (o outside) SetMeta(group string, meta []byte) error {
	return o.k.SetMeta(context.Background(), group, meta)
}
func (o outside) Dissolve(group string) error { return o.k.Dissolve(context.Background(), group) }
func (o outside) Join(member, group string) error {
	return o.k.Join(context.Background(), member, group)
}
func (o outside) Move(member, group string) error {
	return o.k.Move(context.Background(), member, group)
}
func (o outside) Leave(member string) error { return o.k.Leave(context.Background(), member) }
func (o outside) Of(member string) (group string, ok bool, err error) {
	return o.k.Of(context.Background(), member)
}
func (o outside) Info(group string) (board.GroupInfo, error) {
	return o.k.Info(context.Background(), group)
}
func (o outside) Members(group, after string, n int) ([]string, error) {
	return o.k.Members(context.Background(), group, after, n)
}

// submitCalls are the calls on a board that a transaction has too.
type submitCalls struct {
	submit func(board.Submission) (board.Change, error)
	remove func(member string) ([]board.Removed, error)
}

// deed is one call of a transaction. It returns what the call has returned, as text.
type deed func(guilds, alliances groupCalls, arena submitCalls) string

// randomDeed returns a call on groups, or a submission or removal.
func randomDeed(rng *rand.Rand, at time.Time) deed {
	member, group := fmt.Sprint("m", rng.IntN(8)), fmt.Sprint("guild", rng.IntN(3))
	alliance, score := fmt.Sprint("alliance", rng.IntN(2)), int64(rng.IntN(50)-10)
	say := func(values ...any) string { return strings.TrimSpace(fmt.Sprintln(values...)) }
	switch rng.IntN(14) {
	case 0, 1:
		return func(g, _ groupCalls, _ submitCalls) string {
			return say("create", g.Create(group, []byte("of "+group)))
		}
	case 2:
		return func(g, _ groupCalls, _ submitCalls) string { return say("meta", g.SetMeta(group, []byte(member))) }
	case 3:
		return func(g, _ groupCalls, _ submitCalls) string { return say("dissolve", g.Dissolve(group)) }
	case 4, 5:
		return func(g, _ groupCalls, _ submitCalls) string { return say("join", g.Join(member, group)) }
	case 6, 7:
		return func(g, _ groupCalls, _ submitCalls) string { return say("move", g.Move(member, group)) }
	case 8:
		return func(g, _ groupCalls, _ submitCalls) string { return say("leave", g.Leave(member)) }
	case 9:
		return func(g, a groupCalls, _ submitCalls) string {
			_, _, err := a.Of(group)
			return say("higher", err, a.Create(alliance, nil), a.Join(group, alliance), a.Move(group, alliance))
		}
	case 10:
		return func(_, _ groupCalls, s submitCalls) string {
			removed, err := s.remove(member)
			return say("remove", len(removed), err)
		}
	}
	return func(g, _ groupCalls, s submitCalls) string {
		c, err := s.submit(board.Submission{Member: member, Score: board.Ints(score), At: at})
		of, ok, ofErr := g.Of(member)
		info, infoErr := g.Info(group)
		members, membersErr := g.Members(group, "m1", 3)
		return say("submit", c.After.Score, err, of, ok, ofErr, info, infoErr, members, membersErr)
	}
}

// newGroupWorld is a game with all kinds of derived boards.
func newGroupWorld(t testing.TB, spec board.Spec, durable bool) *cutWorld {
	w := &cutWorld{game: newGame(t, durable)}
	spec.Name, spec.Windows = "arena", append([]board.Window{{Kind: window.Day, Grace: hour, Keep: 3}, board.All}, spec.Windows...)
	w.b = w.define(spec)
	for _, kind := range []string{"guild", "country", "alliance", "continent"} {
		k, err := w.bs.DefineGroups(t.Context(), kind)
		require.NoError(t, err)
		if kind == "guild" {
			w.guilds = k
		}
	}
	for _, d := range derivedSpecs {
		d.Derived = new(*d.Derived)
		switch d.Derived.Groups {
		case "country":
			d.Derived.Groups = "guild"
		case "continent":
			d.Derived.Groups = "alliance"
		}
		if _, err := w.bs.Define(t.Context(), d); !errors.Is(err, board.ErrSpec) {
			require.NoError(t, err)
		}
	}
	return w
}

// outside makes calls each in a transaction of its own.
func (w *cutWorld) outside(deeds []deed) (said []string) {
	ctx := context.Background()
	alliances := errorless(w.bs.Groups(ctx, "alliance"))
	for _, d := range deeds {
		said = append(said, d(outside{w.guilds}, outside{alliances}, submitCalls{
			func(s board.Submission) (board.Change, error) { return w.b.Submit(ctx, s) },
			func(member string) ([]board.Removed, error) { return w.b.Remove(ctx, member) },
		}))
	}
	return said
}

// inside makes calls in one transaction, which end ends.
func (w *cutWorld) inside(deeds []deed, end error) (said []string) {
	ctx := context.Background()
	alliances := errorless(w.bs.Groups(ctx, "alliance"))
	err := w.e.Update(ctx, func(tx *engine.Tx) error {
		said = nil
		arena := in(w.b, tx)
		for _, d := range deeds {
			said = append(said, d(groupsIn(w.guilds, tx), groupsIn(alliances, tx), submitCalls{arena.Submit, arena.Remove}))
		}
		return end
	})
	require.ErrorIs(w.t, err, end)
	return said
}

var errChangedMind = errors.New("changed my mind")

// TestGroupsInTxScript: what one transaction does with groups, members and submissions returns and leaves the same as the same calls one by one, on all derived boards; and one that ends with an
// error leaves nothing, now and when the engine is opened again.
func TestGroupsInTxScript(t *testing.T) {
	specs := map[string]board.Spec{"sum": {Op: board.Sum, Journal: 100}, "kept": {Op: board.BestOf, K: 2}, "top": {Op: board.Sum, Top: &board.Top{N: 4, Reserve: 2}}, "parts": {Op: board.Sum, Parts: 3}, "growing": {Op: board.Sum, PartMembers: 6},
		"rolling": {Op: board.Sum, Windows: lastTwoHours}}
	for name, spec := range specs {
		t.Run(name, func(t *testing.T) {
			a, b := newGroupWorld(t, spec, true), newGroupWorld(t, spec, true)
			rng := rand.New(rand.NewPCG(7, 48))
			for i := range 150 {
				var deeds []deed
				for range 1 + rng.IntN(8) {
					deeds = append(deeds, randomDeed(rng, a.clock.Now()))
				}
				before := a.all()
				a.inside(deeds, errChangedMind)
				require.Equal(t, before, a.all(), "step %d: nothing has changed", i)
				if i%50 == 0 {
					a.reopenAll()
					require.Equal(t, before, a.all(), "step %d: nothing was stored", i)
				}
				want := b.outside(deeds)
				require.Equal(t, want, a.inside(deeds, nil), "step %d", i)
				require.Equal(t, b.all(), a.all(), "step %d: %q", i, want)
				a.requireFollowed(i)
				if i%50 == 0 {
					a.reopenAll()
					require.Equal(t, b.all(), a.all(), "step %d: what was stored", i)
				}
				later := time.Duration(rng.IntN(200)) * time.Minute
				for _, w := range []*cutWorld{a, b} {
					w.clock.Add(later)
					_, err := w.bs.CloseDue(t.Context())
					require.NoError(t, err)
				}
			}
			rep, err := a.bs.Check(t.Context(), nil)
			require.NoError(t, err)
			require.Empty(t, rep.Problems)
		})
	}
}

// all is the state, with the groups of groups.
func (w *cutWorld) all() string {
	text := w.state()
	for i := range 3 {
		group, _, err := errorless(w.bs.Groups(context.Background(), "alliance")).Of(context.Background(), fmt.Sprint("guild", i))
		require.NoError(w.t, err)
		text += " " + group
	}
	return text
}

func (w *cutWorld) reopenAll() {
	w.reopen()
	w.b, w.guilds = w.board("arena"), errorless(w.bs.Groups(context.Background(), "guild"))
}

// requireFollowed requires that the scores of all groups are those that follow from their members.
func (w *cutWorld) requireFollowed(step int) {
	for _, b := range w.bs.All() {
		if b.Spec().Derived == nil {
			continue
		}
		n, err := b.Rebuild(context.Background())
		require.NoError(w.t, err)
		require.Zero(w.t, n, "step %d: %s", step, b.Name())
	}
}
