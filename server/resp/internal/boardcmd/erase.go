package boardcmd

import (
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// erase is BOARD.ERASE name member [REASON text] [KEEPRANKS] [DRYRUN]
func (b *commands) erase(c *session.Client, a [][]byte) error {
	action, err := parseAction(c, a[3:], true)
	if err != nil {
		return err
	}
	of, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	m, err := of.Erase(c.Host.Ctx, string(a[2]), action)
	if err != nil {
		return err
	}
	w := &c.Out
	w.Map(5 + int(command.Bit(action.DryRun)))
	writeCounts(w, m)
	writeSome(w, "hash", m.Hash)
	writeTraces(w, m.Traces)
	if action.DryRun {
		writeChanged(w, "changes", m.Places)
	}
	return nil
}

// writeTraces writes how much of each kind was erased besides the places.
func writeTraces(w *wire.Writer, traces []audit.Trace) {
	var kinds []string
	counts := map[string]int{}
	for _, t := range traces {
		if counts[t.Kind] == 0 {
			kinds = append(kinds, t.Kind)
		}
		counts[t.Kind] += t.Count
	}
	w.BulkString("traces")
	w.Map(len(kinds))
	for _, kind := range kinds {
		w.BulkString(kind)
		w.Int(int64(counts[kind]))
	}
}
