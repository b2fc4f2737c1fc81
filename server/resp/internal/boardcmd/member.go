package boardcmd

import (
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// member is BOARD.MEMBER name member
func (b *commands) member(c *session.Client, a [][]byte) error {
	of, err := b.find(a[1])
	if err != nil {
		return err
	}
	m, err := of.Member(string(a[2]))
	if err != nil {
		return err
	}
	w := &c.Out
	w.Map(3)
	writeText(w, "member", m.Name)
	w.BulkString("banned")
	w.Bool(m.Banned)
	w.BulkString("windows")
	w.Array(len(m.Windows))
	for _, h := range m.Windows {
		some := len(h.Places) > 0
		w.Map(2 + 2*int(command.Bit(some)))
		writeText(w, "window", h.Window)
		if some {
			for i, best := range []board.Place{h.BestRank, h.BestScore} {
				w.BulkString([]string{"best-rank", "best-score"}[i])
				writeChangedPlace(w, &best)
			}
		}
		writeChanged(w, "places", h.Places)
	}
	return nil
}
