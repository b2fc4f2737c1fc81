package boardcmd

import (
	"encoding/json"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// BOARD.* show all that a board knows of a member, where the sorted sets of its periods show one number: see keyspace.Tx.Read. A column of
// int64 is an integer, one of float64 a double.
//
// They are refused between MULTI and EXEC: which sets a submission changes depends on when it is executed. BOARD.SUBMIT is answered when its
// own commit is durable.

// Commands returns the commands BOARD.* and GROUP.*. boards may be nil: there are no boards then. So may cluster: BOARD.MOVE is refused then.
func Commands(boards *local.Boards, cluster OpenCluster) []session.Command {
	b := &commands{boards, cluster}
	return append([]session.Command{
		{Name: "board.submit", Arity: -4, Flags: command.Write | command.DenyOOM | command.NoMulti, Alone: b.submit,
			Doc: command.NewDoc("Applies a member's result to every window of a board", "", "board", "O(W*log(N)) for W windows of N members")},
		{Name: "board.top", Arity: -4, Flags: command.ReadOnly | command.NoMulti, Alone: b.top,
			Doc: command.NewDoc("Returns the first rows of a ranking", "", "board", "O(log(N)+M) for M rows; with ASOF O(N) more")},
		{Name: "board.rank", Arity: -4, Flags: command.ReadOnly | command.NoMulti, Alone: b.rank,
			Doc: command.NewDoc("Returns a member's row in a ranking", "", "board", "O(log(N)); with ASOF O(N) more")},
		{Name: "board.around", Arity: -5, Flags: command.ReadOnly | command.NoMulti, Alone: b.around,
			Doc: command.NewDoc("Returns a member's row with the rows before and after it, more on one side near an end", "", "board", "O(log(N)+M) for M rows; with ASOF O(N) more")},
		{Name: "board.periods", Arity: 3, Flags: command.ReadOnly | command.NoMulti, Alone: b.periods,
			Doc: command.NewDoc("Returns the periods of a window that hold anybody", "", "board", "O(P) for P periods")},
		{Name: "board.remove", Arity: 3, Flags: command.Write | command.NoMulti, Alone: b.remove,
			Doc: command.NewDoc("Removes a member from every period of a board that takes results", "", "board", "O(P*log(N)) for P open periods of N members")},
		{Name: "board.awards", Arity: -4, Flags: command.ReadOnly | command.NoMulti, Alone: b.awards,
			Doc: command.NewDoc("Returns what a closed period awards, and what has become of it", "", "board", "O(A) for A awards, or with MEMBER O(S*log(A)) for S settled periods")},
		{Name: "board.claim", Arity: -3, Flags: command.Write | command.NoMulti, Alone: b.claim,
			Doc: command.NewDoc("Returns the awards that a member can claim, or claims one", "", "board", "O(S*log(A)) for S settled periods of A awards, or O(log(A))")},
		{Name: "board.league", Arity: -3, Flags: command.ReadOnly | command.NoMulti, Alone: b.league,
			Doc: command.NewDoc("Returns the cohort of a member with its places and zones", "", "board", "O(S*log(N)) for a cohort of S members")},
		{Name: "board.tier", Arity: 3, Flags: command.ReadOnly | command.NoMulti, Alone: b.tier,
			Doc: command.NewDoc("Returns the tier of a member", "", "board", "O(1)")},
		{Name: "board.move", Arity: -4, Flags: command.Write | command.Admin | command.NoMulti | command.Blocking, Alone: b.move,
			Doc: command.NewDoc("Moves a board to a cluster, or from one, while it is used", "", "board", "O(N) for N entries")},
		{Name: "board.list", Arity: 1, Flags: command.ReadOnly | command.NoMulti, Alone: b.list,
			Doc: command.NewDoc("Returns the boards with their windows and numbers of members", "", "board", "O(W) for W windows of all boards")},
		{Name: "board.info", Arity: -1, Flags: command.ReadOnly | command.NoMulti, Alone: b.info,
			Doc: command.NewDoc("Returns the names of boards, or what one is like", "", "board", "O(B) for B boards, or O(W) for W windows")},
	}, append(b.moderation(), b.groups()...)...)
}

// top is BOARD.TOP name window n [PERIOD p] [ASOF t|#row] [MODE m] [META].
func (b *commands) top(c *session.Client, a [][]byte) error {
	n, r, o, err := b.rows(c, a, 3)
	if err != nil {
		return err
	}
	return r.View(c.Host.Work, func(r board.Ranking) error { return writePlaces(c.Host.Work, &c.Out, r, 1, n, o) })
}

// rank is BOARD.RANK name window member [PERIOD p] [ASOF t|#row] [MODE m] [META].
func (b *commands) rank(c *session.Client, a [][]byte) error {
	r, o, err := b.ranking(c, a, 4)
	if err != nil {
		return err
	}
	row, ok, err := r.Rank(c.Host.Work, string(a[3]))
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

// around is BOARD.AROUND name window member n [PERIOD p] [ASOF t|#row] [MODE m] [META].
func (b *commands) around(c *session.Client, a [][]byte) error {
	n, r, o, err := b.rows(c, a, 4)
	if err == nil {
		err = checkRows(2*n + 1)
	}
	if err != nil {
		return err
	}
	return r.View(c.Host.Work, func(r board.Ranking) error {
		row, ok, err := r.By(board.Ordinal).Rank(c.Host.Work, string(a[3]))
		if err != nil {
			return err
		}
		if !ok {
			c.Out.NullArray()
			return nil
		}
		members, err := r.Len(c.Host.Work)
		if err != nil {
			return err
		}
		n := min(n, members) // on each side; near an end of the ranking more on the other side
		first := max(min(row.Rank-n, members-2*n), 1)
		return writePlaces(c.Host.Work, &c.Out, r, first, first+2*n, o)
	})
}

// periods is BOARD.PERIODS name window
func (b *commands) periods(c *session.Client, a [][]byte) error {
	found, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	version := found.Version()
	periods, err := found.Periods(c.Host.Work, string(a[2]))
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
	found, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	spec := found.Spec()
	text, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	mark := c.Out.Len()
	c.Out.Map(4)
	writeText(&c.Out, "board", spec.Name)
	c.Out.BulkString("version")
	c.Out.Int(int64(found.Version()))
	writeText(&c.Out, "spec", string(text))
	return truncated(&c.Out, mark, writeWindows(c.Host.Work, &c.Out, found))
}

// list is BOARD.LIST
func (b *commands) list(c *session.Client, _ [][]byte) error {
	if b.boards == nil {
		c.Out.Array(0)
		return nil
	}
	all, mark := b.boards.All(), c.Out.Len()
	c.Out.Array(len(all))
	for _, of := range all {
		c.Out.Map(3)
		writeText(&c.Out, "board", of.Name())
		c.Out.BulkString("version")
		c.Out.Int(int64(of.Version()))
		if err := writeWindows(c.Host.Work, &c.Out, of); err != nil {
			return truncated(&c.Out, mark, err)
		}
	}
	return nil
}

// truncated takes back what was written behind a mark if there is an error, and returns the error.
func truncated(w *wire.Writer, mark int, err error) error {
	if err != nil {
		w.Truncate(mark)
	}
	return err
}

// remove is BOARD.REMOVE name member
func (b *commands) remove(c *session.Client, a [][]byte) error {
	of, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	removed, err := of.Remove(c.Host.Work, string(a[2]))
	if err != nil {
		return err
	}
	c.Out.Array(len(removed))
	for _, r := range removed {
		c.Out.Map(4)
		writeText(&c.Out, "window", r.Window)
		writeText(&c.Out, "period", r.Period)
		writeRank(&c.Out, "rank", r.Row)
		c.Out.BulkString("score")
		c.Out.Array(r.Row.Score.Len())
		writeScore(&c.Out, r.Row.Score)
	}
	return nil
}
