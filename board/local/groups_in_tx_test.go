package local

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/cutcontext"
	"github.com/zrankdb/zrank/internal/hangtest"
	"github.com/zrankdb/zrank/internal/matrix"
)

// update runs a transaction over the guilds.
func (w *cutWorld) update(ctx context.Context, fn func(tx *engine.Tx, guilds GroupsInTx) error) error {
	return w.e.Update(ctx, func(tx *engine.Tx) error { return fn(tx, groupsIn(w.guilds, tx)) })
}

// TestGroupsInTxReads: reads in a transaction see what it has changed, and others see nothing of it before the commit.
func TestGroupsInTxReads(t *testing.T) {
	w := newCutWorld(t)
	require.NoError(t, w.update(t.Context(), func(tx *engine.Tx, guilds GroupsInTx) error {
		day := must(in(w.b, tx).Live("day"))
		require.NoError(t, guilds.Create("lions", []byte("roar")))
		require.NoError(t, guilds.Move("ada", "lions"))
		require.NoError(t, guilds.Join("zoe", "lions"))
		require.NoError(t, guilds.Join("bob", "lions"))
		require.NoError(t, guilds.Leave("zoe"))
		info := must(guilds.Info("lions"))
		require.Equal(t, "lions 2 roar", fmt.Sprintf("%s %d %s", info.Name, info.Members, info.Meta))
		require.True(t, info.Created.Equal(tx.Now().Truncate(time.Microsecond)))
		require.Equal(t, []string{"ada", "bob"}, must(guilds.Members("lions", "", 9)))
		require.Equal(t, []string{"bob"}, must(guilds.Members("lions", "ada", 1)))
		require.Empty(t, must(guilds.Members("bears", "", 9)))
		among := must(guilds.Among(day, "lions"))
		require.Len(t, among, 1, "bob has no score today")
		require.Equal(t, "ada", among[0].Member)
		for member, want := range map[string]string{"ada": "lions", "bob": "lions", "zoe": "", "cyd": ""} {
			group, ok, err := guilds.Of(member)
			require.NoError(t, err)
			require.Equal(t, want != "", ok)
			require.Equal(t, want, group)
		}
		_, err := guilds.Members("lions", "", -1)
		require.ErrorIs(t, err, board.ErrCount)
		was, _, err := w.guilds.Of(tx.Context(), "ada")
		require.NoError(t, err)
		require.Equal(t, "bears", was, "as it was before the transaction")
		_, err = w.guilds.Members(tx.Context(), "lions", "", 9)
		require.ErrorIs(t, err, board.ErrNoGroup)
		return nil
	}))
	require.Equal(t, []string{"ada", "bob"}, must(w.guilds.Members(t.Context(), "lions", "", 9)))
}

// TestGroupsInTxRefused: calls that cannot be get the errors that they get outside, and the transaction goes on.
func TestGroupsInTxRefused(t *testing.T) {
	w, other := newCutWorld(t), newCutWorld(t)
	long := strings.Repeat("x", board.MaxMember+1)
	before := w.state()
	require.NoError(t, w.update(t.Context(), func(_ *engine.Tx, guilds GroupsInTx) error {
		for _, c := range []struct {
			want error
			err  error
		}{
			{board.ErrGroups, guilds.Create("", nil)}, {board.ErrGroups, guilds.Create(long, nil)}, {board.ErrGroupExists, guilds.Create("bears", nil)},
			{board.ErrMeta, guilds.Create("lions", make([]byte, board.MaxMeta+1))}, {board.ErrNoGroup, guilds.SetMeta("lions", nil)},
			{board.ErrNoGroup, guilds.Join("bob", "lions")}, {board.ErrInGroup, guilds.Join("ada", "wolves")}, {board.ErrMember, guilds.Join("", "wolves")},
			{board.ErrMember, guilds.Join(long, "wolves")}, {board.ErrNotInGroup, guilds.Move("bob", "wolves")}, {board.ErrInGroup, guilds.Move("ada", "bears")},
			{board.ErrNoGroup, guilds.Move("ada", "")}, {board.ErrNotInGroup, guilds.Leave("bob")}, {board.ErrNoGroup, guilds.Dissolve("lions")},
			{board.ErrNoGroup, errorOf(guilds.Info("lions"))}, {board.ErrNoGroup, errorOf(guilds.Members("lions", "", 1))},
		} {
			require.ErrorIs(t, c.err, c.want)
		}
		return nil
	}))
	require.Equal(t, before, w.state())
	require.NoError(t, other.e.Update(t.Context(), func(tx *engine.Tx) error {
		require.ErrorIs(t, groupsIn(w.guilds, tx).Join("bob", "wolves"), engine.ErrReserved)
		return nil
	}))
	require.Equal(t, before, w.state())
	require.NoError(t, w.bs.Close())
	require.NoError(t, w.update(t.Context(), func(_ *engine.Tx, guilds GroupsInTx) error {
		require.ErrorIs(t, guilds.Create("lions", nil), board.ErrClosed)
		require.ErrorIs(t, guilds.Join("bob", "wolves"), board.ErrClosed)
		require.ErrorIs(t, errorOf2(guilds.Of("ada")), board.ErrClosed)
		return nil
	}))
}

// TestInTxOverflow: a transaction that makes the score of a group too big, by a submission or because a member joins, ends with that error even if the closure goes on, and nothing has
// changed.
func TestInTxOverflow(t *testing.T) {
	w := newCutWorld(t)
	w.score(w.b, "ada", math.MaxInt64-10)
	w.score(w.b, "bob", 100)
	before := w.state()
	too := new(board.ScoreError)
	require.ErrorAs(t, w.guilds.Join(t.Context(), "bob", "bears"), &too)
	for name, call := range map[string]func(guilds GroupsInTx, arena InTx) error{
		"join": func(guilds GroupsInTx, _ InTx) error { return guilds.Join("bob", "bears") },
		"submit": func(guilds GroupsInTx, arena InTx) error {
			require.NoError(t, guilds.Join("dan", "bears"))
			_, err := arena.Submit(board.Submission{Member: "dan", Score: board.Ints(100)})
			return err
		},
		"apply": func(guilds GroupsInTx, arena InTx) error {
			require.NoError(t, guilds.Join("dan", "bears"))
			_, err := arena.Apply(board.Submission{Member: "dan", Score: board.Ints(100)})
			return err
		},
	} {
		err := w.update(t.Context(), func(tx *engine.Tx, guilds GroupsInTx) error {
			require.ErrorAs(t, call(guilds, in(w.b, tx)), &too, name)
			return nil
		})
		require.ErrorAs(t, err, &too, name)
		require.Equal(t, before, w.state(), name)
	}
}

// TestGroupsInTxCrash: after a power cut before any operation on the disk all of a transaction with a new guild, its first member, a submission and coins is there, or nothing.
func TestGroupsInTxCrash(t *testing.T) {
	c := &crasher{}
	w := &cutWorld{game: newGame(t, true, crashing(c))}
	w.b = w.define(board.Spec{Name: "arena", Op: board.Sum})
	w.guilds = must(w.bs.DefineGroups(t.Context(), "guild"))
	w.define(board.Spec{Name: "guilds", Derived: &board.Derived{From: "arena", Groups: "guild", Points: board.Stay}})
	for i := range 12 {
		c.take()
		member, guild := fmt.Sprint("m", i%5), fmt.Sprint("guild", i)
		before := groupText(t, w.bs)
		require.NoError(t, w.update(t.Context(), func(tx *engine.Tx, guilds GroupsInTx) error {
			if group, ok := must2(guilds.Of(member)); ok {
				require.NoError(t, guilds.Leave(member))
				require.NoError(t, guilds.Dissolve(group))
			}
			require.NoError(t, guilds.Create(guild, nil))
			require.NoError(t, guilds.Join(member, guild))
			_, err := in(w.b, tx).Submit(board.Submission{Member: member, Score: board.Ints(int64(i + 1))})
			require.NoError(t, err)
			return tx.Put("coins", []byte(guild))
		}))
		after := groupText(t, w.bs)
		for _, d := range c.take() {
			_, err := recovered(d.disk, w.clock.Now(), func(bs *Boards) error {
				if is := groupText(t, bs); is != before && is != after {
					return fmt.Errorf("%s\nis neither\n%s\nnor\n%s", is, before, after)
				}
				return nil
			})
			require.NoError(t, err, d.point)
		}
	}
}

// groupText is what can be read of guilds, boards and coins.
func groupText(t testing.TB, bs *Boards) string {
	text := errorless(dump(bs))
	k := errorless(bs.Groups(context.Background(), "guild"))
	for _, g := range errorless(k.All(context.Background())) {
		text += fmt.Sprint(" ", g.Name, errorless(k.Members(context.Background(), g.Name, "", 10)))
	}
	require.NoError(t, bs.catalog.Engine.View(context.Background(), func(tx *engine.Tx) error {
		coins, _, err := tx.Get("coins")
		text += " " + string(coins)
		return err
	}))
	return text
}

func must2[T any](v T, ok bool, err error) (T, bool) {
	if err != nil {
		panic(err)
	}
	return v, ok
}

// TestGroupsInTxDissolve: what is stored of the members of a group that a transaction has dissolved goes in the background, or when the boards are opened again. Members may join again before.
func TestGroupsInTxDissolve(t *testing.T) {
	for _, alone := range []bool{false, true} {
		w := &cutWorld{game: newGame(t, true, func(g *game) { g.alone = alone })}
		w.guilds = must(w.bs.DefineGroups(t.Context(), "guild"))
		require.NoError(t, w.guilds.Create(t.Context(), "wolves", nil))
		var list []board.Joining
		for i := range 300 {
			list = append(list, board.Joining{Member: fmt.Sprint("m", i), Group: "wolves"})
		}
		require.NoError(t, w.guilds.JoinAll(t.Context(), list, nil))
		require.NoError(t, w.update(t.Context(), func(_ *engine.Tx, guilds GroupsInTx) error {
			require.NoError(t, guilds.Dissolve("wolves"))
			require.NoError(t, guilds.Create("wolves", nil))
			require.NoError(t, guilds.Join("m7", "wolves"))
			require.Equal(t, []string{"m7"}, must(guilds.Members("wolves", "", 9)))
			return nil
		}))
		kept := []string{boardkey.Joined("guild", "m7")}
		if alone {
			require.Len(t, w.privates(boardkey.JoinedPrefix("guild")), 300)
			w.reopen()
			w.guilds = must(w.bs.Groups(t.Context(), "guild"))
		} else {
			hangtest.Do(t, func() {
				for !slices.Equal(kept, w.privates(boardkey.JoinedPrefix("guild"))) {
					runtime.Gosched()
				}
			})
		}
		require.Equal(t, kept, w.privates(boardkey.JoinedPrefix("guild")))
		require.Equal(t, []string{"m7"}, must(w.guilds.Members(t.Context(), "wolves", "", 9)))
		require.Equal(t, 1, must(w.guilds.Info(t.Context(), "wolves")).Members)
	}
}

// TestSubmitUndecided: a submission of a member whom a transaction moves waits for the end of that, also in a period that begins with it and whose sets the transaction does not have.
func TestSubmitUndecided(t *testing.T) { submitUndecided(t) }

func submitUndecided(t testing.TB) {
	w := &cutWorld{game: newGame(t, false)}
	w.b = w.define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day}})
	w.guilds = errorless(w.bs.DefineGroups(context.Background(), "guild"))
	w.define(board.Spec{Name: "guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}})
	require.NoError(t, w.guilds.Create(context.Background(), "bears", nil))
	began, done := make(chan struct{}), make(chan error, 1)
	require.ErrorIs(t, w.update(context.Background(), func(_ *engine.Tx, guilds GroupsInTx) error {
		if err := guilds.Join("bob", "bears"); err != nil {
			return err
		}
		go func() {
			close(began)
			_, err := w.b.Submit(context.Background(), board.Submission{Member: "bob", Score: board.Ints(7)})
			done <- err
		}()
		<-began
		for range 1000 {
			runtime.Gosched() // nobody can wait for a submission that waits
		}
		return errChangedMind
	}), errChangedMind)
	require.NoError(t, <-done)
	w.requireFollowed(0)
	require.NoError(t, w.guilds.Join(context.Background(), "bob", "bears"))
	w.requireFollowed(1)
}

// TestCutGroupsInTx ends the context of a transaction over groups at each look that it has at it, alone and while another transaction has what it needs. Then nothing has changed, or all has, which
// ErrUndecided tells; nobody waits for the transaction any more.
func TestCutGroupsInTx(t *testing.T) {
	for _, busy := range []bool{false, true} {
		for n := 0; ; n += matrix.Pick(1+n, 1) {
			w := newCutWorld(t)
			before := w.state()
			free := func() {}
			if busy {
				free = w.occupy()
			}
			err := w.update(cutcontext.After(n), func(tx *engine.Tx, guilds GroupsInTx) error {
				if err := guilds.Create("lions", nil); err != nil {
					return err
				}
				if err := guilds.Join("bob", "lions"); err != nil {
					return err
				}
				if err := guilds.Move("ada", "lions"); err != nil {
					return err
				}
				_, err := in(w.b, tx).Submit(board.Submission{Member: "bob", Score: board.Ints(5)})
				return err
			})
			free()
			if errors.Is(err, context.Canceled) && !errors.Is(err, engine.ErrUndecided) {
				require.Equal(t, before, w.state(), "look %d", n)
			}
			if err == nil || errors.Is(err, engine.ErrUndecided) {
				require.Equal(t, []string{"ada", "bob"}, must(w.guilds.Members(t.Context(), "lions", "", 9)), "look %d", n)
			}
			text := w.state()
			require.NoError(t, w.guilds.Join(t.Context(), "cyd", "wolves"))
			require.NoError(t, w.guilds.Leave(t.Context(), "cyd"))
			w.score(w.b, "bob", 0)
			w.requireFollowed(n)
			require.NotEmpty(t, text)
			if err == nil {
				t.Logf("%d looks", n)
				break
			}
			require.ErrorIs(t, err, context.Canceled)
		}
	}
}

// occupy makes a transaction begin that has found out where ada is. It ends when another one has restarted for it, or free is called.
func (w *cutWorld) occupy() (free func()) {
	moved, done := make(chan struct{}), make(chan error, 1)
	waits, end := context.WithCancel(context.Background())
	go func() {
		done <- w.update(context.Background(), func(_ *engine.Tx, guilds GroupsInTx) error {
			if _, _, err := guilds.Of("ada"); err != nil {
				return err
			}
			close(moved)
			<-waits.Done()
			return errChangedMind
		})
	}()
	<-moved
	was := must(w.e.Stats()).Restarts
	go func() {
		for waits.Err() == nil && must(w.e.Stats()).Restarts == was {
			runtime.Gosched()
		}
		end()
	}()
	return func() {
		end()
		require.ErrorIs(w.t, <-done, errChangedMind)
	}
}
