package boardcmd

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// correct is BOARD.CORRECT name member window period score [score ...] [AT unix-seconds[.fraction]] [REASON text] [DRYRUN].
func (b *commands) correct(c *session.Client, a [][]byte) error {
	of, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	sub, rest, err := parseClosedSubmission(of, a)
	if err != nil {
		return err
	}
	do := b.moderate(false, func(of board.Board, ctx context.Context, member string, action board.Action) (board.Moderated, error) {
		return of.Correct(ctx, member, sub, action)
	})
	return do(c, append(slices.Clone(a[:3]), rest...))
}

// parseClosedSubmission reads window period score [score ...] [AT t], and returns the words behind it.
func parseClosedSubmission(b board.Board, a [][]byte) (sub board.ClosedSubmission, rest [][]byte, err error) {
	sub.Window, sub.Period = string(a[3]), string(a[4])
	var values []board.Value
	for rest = a[5:]; len(rest) > 0; rest = rest[1:] {
		v, err := parseValue(rest[0])
		if err != nil {
			break
		}
		values = append(values, v)
	}
	if err := notValue(b, len(values), rest); err != nil {
		return sub, nil, err
	}
	sub.Score = board.Values(values...)
	if len(rest) > 1 && command.Is(rest[0], "at") {
		sub.At, err = parseTime(string(rest[1]))
		rest = rest[2:]
	}
	return sub, rest, err
}
