package resp

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// BOARD.* are zrank's own commands: leaderboards. They show all that a board knows of a member, where the sorted sets of its periods show
// one number: see keyspace.Tx.Read. Scores are exact: a column of int64 is an integer, one of float64 a double. Ranks count from 1.
//
// They are refused between MULTI and EXEC: which sets a submission touches depends on when it is executed. BOARD.SUBMIT is answered when
// its own commit is durable; those of a pipeline follow each other.

// boardCommands are the commands on the boards of one engine.
type boardCommands struct {
	e      *engine.Engine
	boards *board.Boards // nil: the boards are not open
}

// boardTable returns the commands BOARD.*. boards may be nil: there are no boards then.
func boardTable(e *engine.Engine, boards *board.Boards) []command {
	b := &boardCommands{e, boards}
	return []command{
		{name: "board.submit", arity: -4, flags: write | denyoom | noMulti, alone: b.submit,
			doc: doc{"Applies a member's result to every window of a board", "", "board", "O(W*log(N)) for W windows of N members"}},
		{name: "board.top", arity: -4, flags: readonly | noMulti, alone: b.top,
			doc: doc{"Returns the first rows of a ranking", "", "board", "O(log(N)+M) for M rows"}},
		{name: "board.rank", arity: -4, flags: readonly | noMulti, alone: b.rank,
			doc: doc{"Returns a member's row in a ranking", "", "board", "O(log(N))"}},
		{name: "board.around", arity: -5, flags: readonly | noMulti, alone: b.around,
			doc: doc{"Returns a member's row with the rows before and after it", "", "board", "O(log(N)+M) for M rows"}},
		{name: "board.periods", arity: 3, flags: readonly | noMulti, alone: b.periods,
			doc: doc{"Returns the periods of a window that hold anybody", "", "board", "O(P) for P periods"}},
		{name: "board.info", arity: -1, flags: readonly | noMulti, alone: b.info,
			doc: doc{"Returns the names of boards, or what one is like", "", "board", "O(B) for B boards, or O(W) for W windows"}},
	}
}

// find returns a board by its name.
func (b *boardCommands) find(name []byte) (*board.Board, error) {
	missing := refusal("ERR no such board '" + clip(name, 128) + "'")
	if b.boards == nil {
		return nil, missing
	}
	found, err := b.boards.Board(string(name))
	if errors.Is(err, board.ErrNoBoard) {
		return nil, missing
	}
	return found, err
}

// noWindow says in words of the server that a board lacks a window; other errors stay what they are.
func noWindow(b *board.Board, window []byte, err error) error {
	if !errors.Is(err, board.ErrNoWindow) {
		return err
	}
	var names []string
	for _, w := range b.Spec().Windows {
		names = append(names, w.Name)
	}
	return refusal("ERR no such window '" + clip(window, 128) + "'; it has " + strings.Join(names, ", "))
}

// choice is what BOARD.TOP and its like say of the ranking that they want, after the words that each has.
type choice struct {
	period string // empty: the live one
	mode   board.Mode
	meta   bool
}

// parseChoice reads [PERIOD p] [MODE m] [META], in any order.
func parseChoice(words [][]byte) (o choice, err error) {
	for i := 0; i < len(words); i++ {
		option := upper(string(words[i]))
		if option == "META" {
			o.meta = true
			continue
		}
		if i++; i == len(words) {
			return o, errSyntax
		}
		switch option {
		case "PERIOD":
			o.period = string(words[i])
		case "MODE":
			if o.mode, err = board.ParseMode(strings.ToLower(string(words[i]))); err != nil {
				return o, refusal("ERR no such mode '" + clip(words[i], 128) + "'; there are ordinal, competition, modified, dense")
			}
		default:
			return o, errSyntax
		}
	}
	return o, nil
}

// ranking finds the ranking that a request is about: its second and third words are a board and a window, and those that make a
// choice come after the first n.
func (b *boardCommands) ranking(a [][]byte, n int) (r board.Ranking, o choice, err error) {
	if o, err = parseChoice(a[n:]); err != nil {
		return nil, o, err
	}
	of, err := b.find(a[1])
	if err != nil {
		return nil, o, err
	}
	if o.period == "" {
		r, err = of.Live(string(a[2]))
	} else {
		r, err = of.Period(string(a[2]), o.period)
	}
	if err != nil {
		return nil, o, noWindow(of, a[2], err)
	}
	return r.By(o.mode), o, nil
}

// top is BOARD.TOP name window n [PERIOD p] [MODE m] [META]
func (b *boardCommands) top(c *client, a [][]byte) error {
	n, err := parseRows(a[3])
	if err != nil {
		return err
	}
	r, o, err := b.ranking(a, 4)
	if err != nil {
		return err
	}
	return r.View(func(r board.Ranking) error { return writePlaces(&c.out, r, 1, n, o) })
}

// rank is BOARD.RANK name window member [PERIOD p] [MODE m] [META]
func (b *boardCommands) rank(c *client, a [][]byte) error {
	r, o, err := b.ranking(a, 4)
	if err != nil {
		return err
	}
	row, ok, err := r.Rank(string(a[3]))
	switch {
	case err != nil:
		return err
	case ok:
		writeRow(&c.out, row, o)
	default:
		c.out.NullArray()
	}
	return nil
}

// around is BOARD.AROUND name window member n [PERIOD p] [MODE m] [META]
func (b *boardCommands) around(c *client, a [][]byte) error {
	n, err := parseRows(a[4])
	if err != nil {
		return err
	}
	r, o, err := b.ranking(a, 5)
	if err != nil {
		return err
	}
	return r.View(func(r board.Ranking) error {
		row, ok, err := r.By(board.Ordinal).Rank(string(a[3]))
		if err != nil {
			return err
		}
		if !ok {
			c.out.NullArray()
			return nil
		}
		members, err := r.Len()
		if err != nil {
			return err
		}
		n := min(n, members) // on each side, and more on one near the end of the other
		first := max(min(row.Rank-n, members-2*n), 1)
		return writePlaces(&c.out, r, first, first+2*n, o)
	})
}

// parseRows reads a number of rows.
func parseRows(word []byte) (int, error) {
	n, err := parseInt[int](word)
	if err != nil {
		return 0, err
	}
	if n < 0 {
		return 0, errPositive
	}
	return n, nil
}

// periods is BOARD.PERIODS name window
func (b *boardCommands) periods(c *client, a [][]byte) error {
	of, err := b.find(a[1])
	if err != nil {
		return err
	}
	version := of.Version()
	periods, err := of.Periods(string(a[2]))
	if err != nil {
		return noWindow(of, a[2], err)
	}
	c.out.Array(len(periods))
	for _, u := range periods {
		c.out.Map(7)
		writePeriod(&c.out, u.Info, version, u.Members)
		c.out.BulkString("closed")
		c.out.Bool(u.Closed)
		writeTime(&c.out, "closed-at", u.ClosedAt)
	}
	return nil
}

// info is BOARD.INFO [name]
func (b *boardCommands) info(c *client, a [][]byte) error {
	switch {
	case len(a) > 2:
		return errArity("board.info")
	case len(a) == 1:
		b.writeBoards(&c.out)
		return nil
	}
	of, err := b.find(a[1])
	if err != nil {
		return err
	}
	spec := of.Spec()
	text, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	version, mark := of.Version(), c.out.Len()
	c.out.Map(4)
	writeText(&c.out, "board", spec.Name)
	c.out.BulkString("version")
	c.out.Int(int64(version))
	writeText(&c.out, "spec", string(text))
	c.out.BulkString("windows")
	c.out.Array(len(spec.Windows))
	for _, w := range spec.Windows {
		if err := b.writeWindow(&c.out, of, w, version); err != nil {
			c.out.Truncate(mark)
			return err
		}
	}
	return nil
}
