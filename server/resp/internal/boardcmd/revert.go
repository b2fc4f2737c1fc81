package boardcmd

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// revert is BOARD.REVERT name member ROW n|SINCE unix-seconds[.fraction] [REASON text] [DRYRUN]
func (b *commands) revert(c *session.Client, a [][]byte) error {
	which, err := parseReversion(a[3], a[4])
	if err != nil {
		return err
	}
	action, err := parseAction(c, a[5:], false)
	if err != nil {
		return err
	}
	of, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	r, err := of.Revert(c.Host.Ctx, string(a[2]), which, action)
	if err != nil {
		return err
	}
	w := &c.Out
	w.Map(3 + int(command.Bit(action.DryRun)))
	writeEntryNumber(w, r.Entry)
	w.BulkString("rows") // as a number: after a change the reply is short
	w.Int(int64(len(r.Rows)))
	w.BulkString("places")
	w.Int(int64(len(r.Places)))
	if action.DryRun {
		writeChanged(w, "changes", r.Places)
	}
	return nil
}

// parseReversion reads ROW n or SINCE t.
func parseReversion(how, word []byte) (r board.Reversion, err error) {
	switch command.Upper(string(how)) {
	case "ROW":
		n, err := command.ParseInt[int64](word)
		if err == nil && n < 1 {
			err = command.ErrPositive
		}
		return board.Reversion{Row: uint64(max(n, 0))}, err
	case "SINCE":
		r.Since, err = parseTime(string(word))
		return r, err
	}
	return r, command.ErrSyntax
}
