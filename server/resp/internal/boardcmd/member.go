package boardcmd

import (
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// member is BOARD.MEMBER name member
func (b *commands) member(c *session.Client, a [][]byte) error {
	of, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	m, err := of.Member(c.Host.Work, string(a[2]))
	if err != nil {
		return err
	}
	w := &c.Out
	w.Map(4)
	writeText(w, "member", m.Name)
	w.BulkString("banned")
	w.Bool(m.Banned)
	w.BulkString("hidden")
	w.Bool(m.Hidden)
	w.BulkString("windows")
	w.Array(len(m.Windows))
	for _, h := range m.Windows {
		rank, score := h.BestRank.Window != "", h.BestScore.Window != "" // a member that is hidden in all periods has no best rank
		w.Map(2 + int(command.Bit(rank)) + int(command.Bit(score)))
		writeText(w, "window", h.Window)
		if rank {
			w.BulkString("best-rank")
			writeChangedPlace(w, &h.BestRank)
		}
		if score {
			w.BulkString("best-score")
			writeChangedPlace(w, &h.BestScore)
		}
		writeChanged(w, "places", h.Places)
	}
	return nil
}
