package local

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/engine"
)

// pausing is an observer that pauses a transaction which changes the entry of ada in arena, before it tells the boards that follow.
type pausing struct{ reached, leave chan struct{} }

func (p pausing) Changed(_ *engine.Tx, _ *catalog.Board, c *catalog.Change) error {
	if c.State.Name == "arena" && string(c.Member) == "ada" {
		close(p.reached)
		<-p.leave
	}
	return nil
}

// TestFreezeWaitsForSources: who drops or migrates a derived board, or defines one that follows it, waits for a submission to the board that it follows, which has not
// come to the sets of the derived one.
func TestFreezeWaitsForSources(t *testing.T) {
	guilds := board.Spec{Name: "guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}}
	inParts := guilds
	inParts.Parts = 2
	for name, call := range map[string]func(g *game) error{
		"Drop":    func(g *game) error { return g.bs.Drop(context.Background(), "guilds") },
		"Migrate": func(g *game) error { return errorOf(g.bs.Migrate(context.Background(), inParts)) },
		"Define": func(g *game) error {
			return errorOf(g.bs.Define(context.Background(), board.Spec{Name: "alliances", Derived: &board.Derived{From: "guilds", Groups: "alliance"}}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, true)
			arena := g.define(board.Spec{Name: "arena", Op: board.Sum})
			for _, x := range [][3]string{{"guild", "bears", "ada"}, {"alliance", "north", "bears"}} {
				k, err := g.bs.DefineGroups(t.Context(), x[0])
				require.NoError(t, err)
				require.NoError(t, k.Create(t.Context(), x[1], nil))
				require.NoError(t, k.Join(t.Context(), x[2], x[1]))
			}
			derived := g.define(guilds)
			g.score(arena, "ada", 5)
			p := pausing{make(chan struct{}), make(chan struct{})}
			observers := g.bs.catalog.Observers
			g.bs.catalog.Observers = append([]catalog.Observer{p}, observers...)
			submitted, called := make(chan error, 1), make(chan error, 1)
			go func() {
				_, err := arena.Submit(context.Background(), board.Submission{Member: "ada", Score: board.Ints(7)})
				submitted <- err
			}()
			<-p.reached
			go func() { called <- call(g) }()
			for range 10_000 { // the call comes as far as it can
				runtime.Gosched()
			}
			select {
			case err := <-called:
				t.Errorf("the call has not waited: %v", err)
				called <- err
			default:
			}
			close(p.leave)
			require.NoError(t, <-submitted)
			require.NoError(t, <-called)
			g.bs.catalog.Observers = observers
			if name == "Drop" {
				require.Empty(t, must(g.e.Keys("board/guilds/")))
			} else {
				require.Equal(t, "bears 12 1", g.live(derived, "all"))
			}
			g.requireSound(0, 0)
		})
	}
}
