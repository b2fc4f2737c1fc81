package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/moderation"
	"github.com/zrankdb/zrank/internal/cutcontext"
	"github.com/zrankdb/zrank/internal/matrix"
)

// cutWorld is a game with something for every method to do.
type cutWorld struct {
	*game
	b      board.Board
	guilds board.Groups
}

func newCutWorld(t *testing.T) *cutWorld {
	g := newGame(t, true, func(g *game) { g.alone = true })
	w := &cutWorld{game: g}
	spec := arenaInside
	spec.Journal, spec.Windows = 100, []board.Window{board.All, board.Day}
	w.b = g.define(spec)
	for i, member := range []string{"ada", "bob", "cyd"} {
		g.score(w.b, member, int64(i))
	}
	var err error
	w.guilds, err = g.bs.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	for _, group := range []string{"wolves", "bears"} {
		require.NoError(t, w.guilds.Create(t.Context(), group, nil))
	}
	require.NoError(t, w.guilds.Join(t.Context(), "ada", "bears"))
	g.define(board.Spec{Name: "guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}})
	require.NoError(t, w.b.SaveBaseline(t.Context(), "day", "morning"))
	require.NoError(t, g.bs.StoreUnion(t.Context(), "weeks", arenaUnion))
	g.clock.Add(24 * time.Hour) // a day to be closed
	g.score(w.b, "ada", 4)
	return w
}

// calls returns all methods that take a context.
func (w *cutWorld) calls(ctx context.Context) map[string]func() error {
	day, err := w.b.Live(context.Background(), "day")
	require.NoError(w.t, err)
	all := map[string]func() error{}
	for name, c := range map[string]insideCalls{"Boards": w.boardsInside(ctx), "Board": w.boardInside(ctx, w.b), "Groups": groupsInside(ctx, w.guilds, day), "Ranking": rankingInside(ctx, day)} {
		for _, calls := range []map[string]func() error{c.refused, c.allowed} {
			for method, call := range calls {
				all[name+"."+method] = call
			}
		}
	}
	other, migrated, derived := arenaInside, w.b.Spec(), board.Spec{Name: "bands", Derived: &board.Derived{From: "arena", Groups: "guild"}}
	other.Name, migrated.MaxMeta = "other", 20
	all["Define another"] = func() error { return errorOf(w.bs.Define(ctx, other)) }
	all["Define derived"] = func() error { return errorOf(w.bs.Define(ctx, derived)) }
	all["Migrate"] = func() error { return errorOf(w.bs.Migrate(ctx, migrated)) }
	all["Drop derived"] = func() error { return w.bs.Drop(ctx, "guilds") }
	for _, other := range []string{"Boards.Close", "Boards.Feed"} { // without a context; without an end
		delete(all, other)
	}
	return all
}

// state is all that can be read of the boards, and their sets.
func (w *cutWorld) state() string {
	ctx := context.Background()
	w.t.Helper()
	text, err := dump(w.bs)
	require.NoError(w.t, err)
	for _, member := range []string{"ada", "eva", "eve"} {
		text += fmt.Sprint(" ", isBanned(w.b, member), isHidden(w.b, member))
	}
	groups, err := w.guilds.All(ctx)
	require.NoError(w.t, err)
	for _, g := range groups {
		members, err := w.guilds.Members(ctx, g.Name, "", 100)
		require.NoError(w.t, err)
		text += " " + g.Name + string(g.Meta) + ":" + strings.Join(members, ",")
	}
	return text
}

// reopened returns the state after the engine has been opened again, which closes the day.
func (w *cutWorld) reopened() string {
	w.t.Helper()
	w.reopen()
	if _, err := w.bs.Board(context.Background(), "arena"); err == nil { // not dropped
		w.b = w.board("arena")
	}
	w.guilds = errorless(w.bs.Groups(context.Background(), "guild"))
	return w.state()
}

// TestCutContext ends the context of every call at looks 0, 1, 3, 7 and so on that the call has at it, with -args -long at each: before, while and after it
// commits. The call then returns the error of the context, the boards are sound, and the same call with another context does the rest: all is as if it had not been cut.
func TestCutContext(t *testing.T) {
	names := slices.Sorted(maps.Keys(newCutWorld(t).calls(t.Context())))
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			whole := newCutWorld(t)
			before := whole.state()
			want := whole.calls(t.Context())[name]()
			after, reopened := whole.state(), whole.reopened()
			for n := 0; ; n += matrix.Pick(1+n, 1) { // 0, 1, 3, 7, ...
				w := newCutWorld(t)
				err := w.calls(cutcontext.After(n))[name]()
				if !errors.Is(err, context.Canceled) {
					require.Equal(t, want, err)
					require.Equal(t, after, w.state())
					t.Logf("%d looks", n)
					return
				}
				is := w.state()
				if n == 0 {
					require.Equal(t, before, is, "nothing has changed")
				}
				if is != after {
					again := w.calls(t.Context())[name]()
					if !errors.Is(again, board.ErrBanned) && !errors.Is(again, board.ErrHidden) && !errors.Is(again, board.ErrBusy) { // what a change of a member says that goes on by itself
						require.Equal(t, want, again, "look %d", n)
					}
				}
				require.NoError(t, moderation.Resume(t.Context(), coreOf(w.b)))
				require.Equal(t, reopened, w.reopened(), "look %d", n)
				rep, err := w.bs.Check(t.Context(), nil)
				require.NoError(t, err)
				require.Empty(t, rep.Problems, "look %d", n)
			}
		})
	}
}
