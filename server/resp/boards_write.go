package resp

import (
	"errors"
	"time"

	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// parseValue reads one number of a score, exactly: "15" is an int64, "15.0" and "1e3" are float64.
func parseValue(word []byte) (board.Value, error) { return rules.ParseValue(string(word)) }

// rowsAtATime is how many rows of a ranking are held beside the reply.
const rowsAtATime = 128

// leastRow is how many bytes a row takes at least.
const leastRow = len("*2\r\n:1\r\n") + wire.LeastBulk

// writePlaces writes the rows of a ranking at places, as far as there are any.
func (c *client) writePlaces(r board.Ranking, first, last int, o choice) error {
	members, err := r.Len()
	if err != nil {
		return err
	}
	mark, last := c.out.Len(), min(last, members)
	if !c.out.Expect(last-first+1, leastRow) {
		return nil
	}
	c.out.Array(max(last-first+1, 0))
	for ; first <= last && c.out.Over() == nil; first += rowsAtATime {
		rows, err := r.Places(first, min(last, first+rowsAtATime-1))
		if err != nil {
			c.out.Truncate(mark)
			return err
		}
		for _, row := range rows {
			c.writeRow(row, o)
		}
	}
	return nil
}

// writeRow writes a row: its rank, the member, each column of the score, and the metadata, null for none, if they are asked for.
func (c *client) writeRow(row board.Row, o choice) {
	n := 2 + row.Score.Len()
	if o.meta {
		n++
	}
	c.out.Array(n)
	c.out.Int(int64(row.Rank))
	c.out.BulkString(row.Member)
	c.writeScore(row.Score)
	switch {
	case !o.meta:
	case row.Meta == nil:
		c.out.Null()
	default:
		c.out.Bulk(row.Meta)
	}
}

// writeScore writes the columns of a score, one after the other.
func (c *client) writeScore(s board.Score) {
	for i := range s.Len() {
		if v := s.At(i); v.IsFloat() {
			c.out.Double(v.Float())
		} else {
			c.out.Int(v.Int())
		}
	}
}

// writeBoards writes the names of the boards.
func (c *client) writeBoards() {
	if c.s.o.Boards == nil {
		c.out.Array(0)
		return
	}
	all := c.s.o.Boards.All()
	c.out.Array(len(all))
	for _, b := range all {
		c.out.BulkString(b.Name())
	}
}

// writeWindow writes what a window is like now. Its live period may hold nobody yet; between seasons there is none.
func (c *client) writeWindow(b *board.Board, w board.Window, version int) error {
	var info board.Info
	r, err := b.Live(w.Name)
	if outside := new(board.OutsideError); errors.As(err, &outside) {
		info.Window = w.Name
	} else if err != nil {
		return err
	} else {
		info = r.Info()
	}
	info.Board = b.Name()
	members := 0
	if info.Period != "" {
		u, _, err := c.s.e.Usage(keyOf(info, version))
		if err != nil {
			return err
		}
		members = u.Members
	}
	reset, _, err := b.NextReset(w.Name)
	if err != nil {
		return err
	}
	c.out.Map(8)
	c.writeText("window", w.Name)
	c.writeText("calendar", w.Text())
	c.writePeriod(info, version, members)
	c.writeTime("next-reset", reset)
	return nil
}

// keyOf returns the key of a period's sorted set.
func keyOf(i board.Info, version int) string {
	return board.Key{Board: i.Board, Kind: i.Window, Period: i.Period, Version: version}.String()
}

// writePeriod writes five pairs: what a period is called, its key, its times, and how many it holds.
func (c *client) writePeriod(i board.Info, version, members int) {
	if i.Period == "" {
		c.out.BulkString("period")
		c.out.Null()
		c.out.BulkString("key")
		c.out.Null()
	} else {
		c.writeText("period", i.Period)
		c.writeText("key", keyOf(i, version))
	}
	c.writeTime("start", i.Start)
	c.writeTime("end", i.End)
	c.out.BulkString("members")
	c.out.Int(int64(members))
}

func (c *client) writeText(name, text string) {
	c.out.BulkString(name)
	c.out.BulkString(text)
}

// writeTime writes a time in seconds after 1970 under its name, null for none.
func (c *client) writeTime(name string, t time.Time) {
	c.out.BulkString(name)
	if t.IsZero() {
		c.out.Null()
		return
	}
	c.out.Int(t.Unix())
}
