package boardcmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// commands are the commands on the boards of one engine.
type commands struct {
	boards  *local.Boards // nil: the boards are not open
	cluster OpenCluster   // nil: boards do not move
}

// choice has the options of BOARD.TOP, BOARD.RANK and BOARD.AROUND: which ranking they read, and what they show.
type choice struct {
	period string // "": the live one
	past   moment
	mode   board.Mode
	meta   bool
}

// find returns the board of a name. Errors: a refusal.
func (b *commands) find(ctx context.Context, name []byte) (board.Board, error) {
	missing := command.Refusal("ERR no such board '" + command.Clip(name, 128) + "'")
	if b.boards == nil {
		return nil, missing
	}
	found, err := b.boards.Board(ctx, string(name))
	if errors.Is(err, board.ErrNoBoard) {
		return nil, missing
	}
	return found, err
}

// noWindow returns the server's refusal for a window that the board lacks, and other errors as they are.
func noWindow(b board.Board, window []byte, err error) error {
	if !errors.Is(err, board.ErrNoWindow) {
		return err
	}
	var names []string
	for _, w := range b.Spec().Windows {
		names = append(names, w.Name)
	}
	return command.Refusal("ERR no such window '" + command.Clip(window, 128) + "'; it has " + strings.Join(names, ", "))
}

// parseChoice reads [PERIOD p] [ASOF t|#row] [MODE m] [META], in any order.
func parseChoice(words [][]byte) (o choice, err error) {
	for i := 0; i < len(words); i++ {
		option := command.Upper(string(words[i]))
		if option == "META" {
			o.meta = true
			continue
		}
		if i++; i == len(words) {
			return o, command.ErrSyntax
		}
		switch option {
		case "PERIOD":
			o.period = string(words[i])
		case "ASOF":
			if o.past, err = parseMoment(words[i]); err != nil {
				return o, err
			}
		case "MODE":
			if o.mode, err = board.ParseMode(strings.ToLower(string(words[i]))); err != nil {
				return o, command.Refusal("ERR no such mode '" + command.Clip(words[i], 128) + "'; there are ordinal, competition, modified, dense")
			}
		default:
			return o, command.ErrSyntax
		}
	}
	if o.period != "" && !o.past.at.IsZero() {
		return o, command.Refusal("ERR PERIOD and a time of ASOF name a period each")
	}
	return o, nil
}

// ranking returns the ranking that a request reads, and its options. Words 1 and 2 of the request name a board and a window; the options are
// the words from n on.
func (b *commands) ranking(c *session.Client, a [][]byte, n int) (r board.Ranking, o choice, err error) {
	if o, err = parseChoice(a[n:]); err != nil {
		return nil, o, err
	}
	found, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return nil, o, err
	}
	if r, err = o.open(c.Host.Ctx, found, string(a[2])); err != nil {
		return nil, o, noWindow(found, a[2], err)
	}
	return r.By(o.mode), o, nil
}

// open returns the chosen ranking of a window.
func (o *choice) open(ctx context.Context, b board.Board, window string) (r board.Ranking, err error) {
	if !o.past.at.IsZero() {
		return b.AsOf(ctx, window, o.past.at)
	}
	if o.period == "" {
		r, err = b.Live(ctx, window)
	} else {
		r, err = b.Period(ctx, window, o.period)
	}
	if err != nil || !o.past.isRow {
		return r, err
	}
	info, err := r.Info(ctx)
	if err != nil {
		return nil, err
	}
	return b.AsOfRow(ctx, window, info.Period, o.past.row)
}

// rows is ranking for a request whose word n is a number of rows, before the words of the choice.
func (b *commands) rows(c *session.Client, a [][]byte, n int) (rows int, r board.Ranking, o choice, err error) {
	if rows, err = parseRows(a[n]); err != nil {
		return 0, nil, o, err
	}
	r, o, err = b.ranking(c, a, n+1)
	return rows, r, o, err
}

// maxRows is the most rows of a reply: of rankings, journals, logs and lists. It is checked before any is read.
const maxRows = 10_000

// parseRows reads a number of rows. Errors: a refusal.
func parseRows(word []byte) (int, error) {
	n, err := command.ParseInt[int](word)
	switch {
	case err != nil:
		return 0, err
	case n < 0:
		return 0, command.ErrPositive
	}
	return n, checkRows(n)
}

// checkRows refuses a reply of too many rows.
func checkRows(n int) error {
	if n > maxRows {
		return command.Refusal(fmt.Sprintf("ERR a reply has at most %d rows", maxRows))
	}
	return nil
}
