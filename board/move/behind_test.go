package move

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/testclock"
)

// overtaken is an engine whose log is cut before a move has read it, just before it holds the changes.
type overtaken struct {
	place
	change func() // what the move does not hear of
	left   int    // how often
	holds  int
}

func (o *overtaken) Relocation() (relocation.Store, error) {
	s, err := o.place.Relocation()
	return overtakenStore{s, o}, err
}

type overtakenStore struct {
	relocation.Store
	o *overtaken
}

func (s overtakenStore) Source(ctx context.Context, name string) (relocation.Source, error) {
	source, err := s.Store.Source(ctx, name)
	return overtakenSource{source, s.o}, err
}

type overtakenSource struct {
	relocation.Source
	o *overtaken
}

func (s overtakenSource) Hold(ctx context.Context) error {
	if s.o.holds++; s.o.left > 0 {
		s.o.left--
		s.o.change()
		if err := s.o.e.Snapshot(); err != nil {
			return err
		}
	}
	return s.Source.Hold(ctx)
}

// TestLogCut: the log of an engine is cut before a move has read the last changes. The board is copied again, and nothing is lost. A move to which that happens again and again
// fails, and the board stays where it was.
func TestLogCut(t *testing.T) {
	testLogCut(t, func(t *testing.T, clock *testclock.Clock) site { return newPlace(t, clock) })
}

// TestLogCutToCluster is TestLogCut of a board that moves to a server.
func TestLogCutToCluster(t *testing.T) {
	client := server(t)
	testLogCut(t, func(t *testing.T, clock *testclock.Clock) site { return newServers(t, client, clock, 2) })
}

func testLogCut(t *testing.T, newTarget func(t *testing.T, clock *testclock.Clock) site) {
	for _, cuts := range []int{1, 2, 3} {
		t.Run(fmt.Sprint("cuts=", cuts), func(t *testing.T) {
			clock := testclock.New()
			here, there := openPlace(t, engine.Options{Clock: clock.Now, FeedBytes: 1}), newTarget(t, clock)
			b, err := here.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day}, MaxMeta: 8})
			require.NoError(t, err)
			total, want := 0, contents{}
			submit := func() {
				for range 10 {
					clock.Add(time.Microsecond) // equals of one microsecond rank by name on some targets
					_, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprint("m", total%7), Score: board.Ints(1), Meta: fmt.Append(nil, total), Once: fmt.Sprint("once", total)})
					require.NoError(t, err)
					total++
				}
				_, err := b.Remove(t.Context(), fmt.Sprint("m", total%7))
				require.NoError(t, err)
				want = everything(t, b)
			}
			submit()
			from := &overtaken{place: here, left: cuts, change: submit}
			report, err := Board(t.Context(), "arena", from, there, Options{})
			if cuts == 3 { // as often as everything is copied
				require.ErrorIs(t, err, relocation.ErrFellBehind)
				require.Equal(t, cuts, from.holds)
				_, err = there.store().Board(t.Context(), "arena")
				require.ErrorIs(t, err, board.ErrNoBoard)
				submit()
				report, err = Board(t.Context(), "arena", from, there, Options{})
			}
			require.NoError(t, err)
			require.True(t, report.Finished)
			require.Equal(t, cuts+1, from.holds)
			moved, err := there.store().Board(t.Context(), "arena")
			require.NoError(t, err)
			require.Equal(t, want, everything(t, moved))
			for i := range total {
				c, err := moved.Submit(t.Context(), board.Submission{Member: fmt.Sprint("m", i%7), Score: board.Ints(1), Once: fmt.Sprint("once", i)})
				require.NoError(t, err)
				require.True(t, c.Duplicate, i)
			}
		})
	}
}
