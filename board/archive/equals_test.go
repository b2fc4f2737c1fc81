package archive

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/testclock"
)

// TestEquals has members who come to a score in the same microsecond, most of whom are hidden, before a board is written and after it was made again: all stand in the same order.
func TestEquals(t *testing.T) {
	for _, spec := range []board.Spec{
		{Name: "first"}, {Name: "last", Ties: board.LastToReach}, {Name: "names", Ties: board.ByMember}, {Name: "parts", Parts: 3}, {Name: "growing", PartMembers: 2}, {Name: "top", Top: &board.Top{N: 2, Reserve: 1}},
	} {
		t.Run(spec.Name, func(t *testing.T) {
			clock := testclock.New()
			w, o := newWorld(t, clock), newWorld(t, clock)
			b, err := w.boards.Define(t.Context(), spec)
			require.NoError(t, err)
			for i := range 12 { // those with even numbers first
				name := fmt.Sprintf("m%02d", i*2%13)
				_, err := b.Submit(t.Context(), board.Submission{Member: name, Score: board.Ints(1)})
				require.NoError(t, err)
				if i > 2 {
					_, err = b.Hide(t.Context(), name, action)
					require.NoError(t, err)
				}
			}
			text := w.write(spec.Name)
			o.read(text)
			require.Equal(t, text, o.write(spec.Name))
			o.close()
			o.open()
			for i, name := range []string{"m05x", "m00", "m01x"} { // one of them is there
				for _, x := range []board.Board{b, o.board(spec.Name)} {
					_, err := x.Submit(t.Context(), board.Submission{Member: name, Score: board.Ints(int64(1 + i%2))})
					require.NoError(t, err)
				}
			}
			for i := 3; i < 12; i++ {
				for _, x := range []board.Board{b, o.board(spec.Name)} {
					_, err := x.Show(t.Context(), fmt.Sprintf("m%02d", i*2%13), action)
					require.NoError(t, err)
				}
			}
			require.Equal(t, order(t, b), order(t, o.board(spec.Name)))
		})
	}
}

// order returns the members of a board.
func order(t *testing.T, b board.Board) (names []string) {
	for _, row := range rows(t, b, "all", "all") {
		names = append(names, row.Member)
	}
	return names
}
