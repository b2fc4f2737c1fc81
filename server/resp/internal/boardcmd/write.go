package boardcmd

import (
	"context"
	"errors"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// parseValue reads one number of a score, exactly: "15" is an int64, "15.0" and "1e3" are float64.
func parseValue(word []byte) (board.Value, error) { return rules.ParseValue(string(word)) }

// rowsAtATime is the most rows of a ranking that are in memory beside the reply.
const rowsAtATime = 128

// leastRow is the least number of bytes of a row.
const leastRow = len("*2\r\n:1\r\n") + wire.LeastBulk

// writePlaces writes the rows at places first to last, from 1, as far as the ranking has them.
func writePlaces(ctx context.Context, w *wire.Writer, r board.Ranking, first, last int, o choice) error {
	members, err := r.Len(ctx)
	if err != nil {
		return err
	}
	mark, last := w.Len(), min(last, members)
	if !w.Expect(last-first+1, leastRow) {
		return nil
	}
	w.Array(max(last-first+1, 0))
	for ; first <= last && w.Over() == nil; first += rowsAtATime {
		rows, err := r.Places(ctx, first, min(last, first+rowsAtATime-1))
		if err != nil {
			w.Truncate(mark)
			return err
		}
		for _, row := range rows {
			writeRow(w, row, o)
		}
	}
	return nil
}

// writeRow writes a row: its rank, the member, each column of the score, and the metadata, or null without any, if the choice wants it.
func writeRow(w *wire.Writer, row board.Row, o choice) {
	n := 2 + row.Score.Len()
	if o.meta {
		n++
	}
	w.Array(n)
	writeRankOf(w, row)
	w.BulkString(row.Member)
	writeScore(w, row.Score)
	switch {
	case !o.meta:
	case row.Meta == nil:
		w.Null()
	default:
		w.Bulk(row.Meta)
	}
}

// writeScore writes the columns of a score, one after the other: those with decimals as the nearest double.
func writeScore(w *wire.Writer, s board.Score) {
	for i := range s.Len() {
		if v := s.At(i); v.IsFloat() || v.Decimals() > 0 {
			w.Double(v.Float())
		} else {
			w.Int(v.Int())
		}
	}
}

// writeBoards writes the names of the boards.
func (b *commands) writeBoards(w *wire.Writer) {
	if b.boards == nil {
		w.Array(0)
		return
	}
	all := b.boards.All()
	w.Array(len(all))
	for _, one := range all {
		w.BulkString(one.Name())
	}
}

// writeWindows writes the windows of a board under a name.
func writeWindows(ctx context.Context, w *wire.Writer, of board.Board) error {
	windows, version := of.Spec().Windows, of.Version()
	w.BulkString("windows")
	w.Array(len(windows))
	for _, window := range windows {
		if err := writeWindow(ctx, w, of, window, version); err != nil {
			return err
		}
	}
	return nil
}

// writeWindow writes the state of a window. Its live period may have no members; between seasons there is no live period.
func writeWindow(ctx context.Context, w *wire.Writer, of board.Board, window board.Window, version int) error {
	var info board.Info
	members := 0
	r, err := of.Live(ctx, window.Name)
	if err == nil {
		info, err = r.Info(ctx)
	}
	if err == nil {
		members, err = r.Len(ctx)
	}
	if outside := new(board.OutsideError); errors.As(err, &outside) {
		info, members = board.Info{Window: window.Name}, 0
	} else if err != nil {
		return err
	}
	info.Board = of.Name()
	reset, _, err := of.NextReset(ctx, window.Name)
	if err != nil {
		return err
	}
	w.Map(8)
	writeText(w, "window", window.Name)
	writeText(w, "calendar", window.Text())
	writePeriod(w, info, version, members)
	writeTime(w, "next-reset", reset)
	return nil
}

// keyOf returns the key of a period's sorted set.
func keyOf(i board.Info, version int) string {
	return local.Key{Board: i.Board, Kind: i.Window, Period: i.Period, Version: version}.String()
}

// writePeriod writes five pairs: the name of a period, its key, its start and end, and the number of its members.
func writePeriod(w *wire.Writer, i board.Info, version, members int) {
	if i.Period == "" {
		w.BulkString("period")
		w.Null()
		w.BulkString("key")
		w.Null()
	} else {
		writeText(w, "period", i.Period)
		writeText(w, "key", keyOf(i, version))
	}
	writeTime(w, "start", i.Start)
	writeTime(w, "end", i.End)
	w.BulkString("members")
	w.Int(int64(members))
}

// writeText writes a text under a name.
func writeText(w *wire.Writer, name, text string) {
	w.BulkString(name)
	w.BulkString(text)
}

// writeTime writes Unix seconds under a name, null for the zero time.
func writeTime(w *wire.Writer, name string, t time.Time) {
	w.BulkString(name)
	if t.IsZero() {
		w.Null()
		return
	}
	w.Int(t.Unix())
}

// writeRankOf writes the rank of a row: a number, or the text of the rank of a member that is not among the best N: "beyond N" or "RANK±WITHIN".
func writeRankOf(w *wire.Writer, row board.Row) {
	if row.Within > 0 {
		w.BulkString(row.RankText())
		return
	}
	w.Int(int64(row.Rank))
}
