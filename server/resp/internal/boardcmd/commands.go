package boardcmd

import (
	"encoding/json"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// BOARD.* show all that a board knows of a member, where the sorted sets of its periods show one number: see keyspace.Tx.Read. A column of
// int64 is an integer, one of float64 a double.
//
// They are refused between MULTI and EXEC: which sets a submission changes depends on when it is executed. BOARD.SUBMIT is answered when its
// own commit is durable.

// Commands returns the commands BOARD.*. boards may be nil: there are no boards then.
func Commands(e *engine.Engine, boards *board.Boards) []session.Command {
	b := &commands{e, boards}
	return []session.Command{
		{Name: "board.submit", Arity: -4, Flags: command.Write | command.DenyOOM | command.NoMulti, Alone: b.submit,
			Doc: command.NewDoc("Applies a member's result to every window of a board", "", "board", "O(W*log(N)) for W windows of N members")},
		{Name: "board.top", Arity: -4, Flags: command.ReadOnly | command.NoMulti, Alone: b.top,
			Doc: command.NewDoc("Returns the first rows of a ranking", "", "board", "O(log(N)+M) for M rows")},
		{Name: "board.rank", Arity: -4, Flags: command.ReadOnly | command.NoMulti, Alone: b.rank,
			Doc: command.NewDoc("Returns a member's row in a ranking", "", "board", "O(log(N))")},
		{Name: "board.around", Arity: -5, Flags: command.ReadOnly | command.NoMulti, Alone: b.around,
			Doc: command.NewDoc("Returns a member's row with the rows before and after it", "", "board", "O(log(N)+M) for M rows")},
		{Name: "board.periods", Arity: 3, Flags: command.ReadOnly | command.NoMulti, Alone: b.periods,
			Doc: command.NewDoc("Returns the periods of a window that hold anybody", "", "board", "O(P) for P periods")},
		{Name: "board.info", Arity: -1, Flags: command.ReadOnly | command.NoMulti, Alone: b.info,
			Doc: command.NewDoc("Returns the names of boards, or what one is like", "", "board", "O(B) for B boards, or O(W) for W windows")},
	}
}

// top is BOARD.TOP name window n [PERIOD p] [MODE m] [META].
func (b *commands) top(c *session.Client, a [][]byte) error {
	n, r, o, err := b.rows(a, 3)
	if err != nil {
		return err
	}
	return r.View(func(r board.Ranking) error { return writePlaces(&c.Out, r, 1, n, o) })
}

// rank is BOARD.RANK name window member [PERIOD p] [MODE m] [META].
func (b *commands) rank(c *session.Client, a [][]byte) error {
	r, o, err := b.ranking(a, 4)
	if err != nil {
		return err
	}
	row, ok, err := r.Rank(string(a[3]))
	switch {
	case err != nil:
		return err
	case ok:
		writeRow(&c.Out, row, o)
	default:
		c.Out.NullArray()
	}
	return nil
}

// around is BOARD.AROUND name window member n [PERIOD p] [MODE m] [META].
func (b *commands) around(c *session.Client, a [][]byte) error {
	n, r, o, err := b.rows(a, 4)
	if err != nil {
		return err
	}
	return r.View(func(r board.Ranking) error {
		row, ok, err := r.By(board.Ordinal).Rank(string(a[3]))
		if err != nil {
			return err
		}
		if !ok {
			c.Out.NullArray()
			return nil
		}
		members, err := r.Len()
		if err != nil {
			return err
		}
		n := min(n, members) // on each side; near an end of the ranking more on the other side
		first := max(min(row.Rank-n, members-2*n), 1)
		return writePlaces(&c.Out, r, first, first+2*n, o)
	})
}

// periods is BOARD.PERIODS name window
func (b *commands) periods(c *session.Client, a [][]byte) error {
	found, err := b.find(a[1])
	if err != nil {
		return err
	}
	version := found.Version()
	periods, err := found.Periods(string(a[2]))
	if err != nil {
		return noWindow(found, a[2], err)
	}
	c.Out.Array(len(periods))
	for _, u := range periods {
		c.Out.Map(7)
		writePeriod(&c.Out, u.Info, version, u.Members)
		c.Out.BulkString("closed")
		c.Out.Bool(u.Closed)
		writeTime(&c.Out, "closed-at", u.ClosedAt)
	}
	return nil
}

// info is BOARD.INFO [name]
func (b *commands) info(c *session.Client, a [][]byte) error {
	switch {
	case len(a) > 2:
		return command.ErrArity("board.info")
	case len(a) == 1:
		b.writeBoards(&c.Out)
		return nil
	}
	found, err := b.find(a[1])
	if err != nil {
		return err
	}
	spec := found.Spec()
	text, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	version, mark := found.Version(), c.Out.Len()
	c.Out.Map(4)
	writeText(&c.Out, "board", spec.Name)
	c.Out.BulkString("version")
	c.Out.Int(int64(version))
	writeText(&c.Out, "spec", string(text))
	c.Out.BulkString("windows")
	c.Out.Array(len(spec.Windows))
	for _, w := range spec.Windows {
		if err := b.writeWindow(&c.Out, found, w, version); err != nil {
			c.Out.Truncate(mark)
			return err
		}
	}
	return nil
}
