package resp

import (
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// boardSubmit: BOARD.SUBMIT name member score [score ...] [AT unix-seconds[.fraction]] [ONCE key] [META text]
func boardSubmit(c *client, a [][]byte) error {
	sub, err := parseSubmission(a)
	if err != nil {
		return err
	}
	b, err := c.board(a[1])
	if err != nil {
		return err
	}
	change, err := b.Submit(sub)
	if err != nil {
		return err
	}
	c.writeChange(change)
	return nil
}

// parseSubmission reads a submission. Its scores are as many words as are numbers: no option is one.
func parseSubmission(a [][]byte) (sub board.Submission, err error) {
	sub.Member = string(a[2])
	var values []board.Value
	words := a[3:]
	for ; len(words) > 0; words = words[1:] {
		v, err := parseValue(words[0])
		if err != nil {
			break
		}
		values = append(values, v)
	}
	if values == nil {
		return sub, errNotFloat
	}
	sub.Score = board.Values(values...)
	for ; len(words) > 1; words = words[2:] {
		switch upper(string(words[0])) {
		case "AT":
			if sub.At, err = parseTime(string(words[1])); err != nil {
				return sub, err
			}
		case "ONCE":
			sub.Once = string(words[1])
		case "META":
			sub.Meta = append([]byte{}, words[1]...)
		default:
			return sub, errSyntax
		}
	}
	if len(words) > 0 {
		return sub, errSyntax
	}
	return sub, nil
}

// errNotTime is for what is no time after 1970 and before the year 10000.
const errNotTime = refusal("ERR value is not a time in seconds after 1970")

const lastSecond = 253402300799 // of the year 9999

// parseTime reads seconds after 1970, with up to six digits of a fraction.
func parseTime(text string) (time.Time, error) {
	whole, fraction, dot := strings.Cut(text, ".")
	s, ok := wire.ParseInt([]byte(whole))
	if !ok || s < 0 || s > lastSecond || dot && (fraction == "" || len(fraction) > 6) {
		return time.Time{}, errNotTime
	}
	micros := int64(0)
	for i := range 6 {
		micros *= 10
		if i < len(fraction) {
			if fraction[i] < '0' || fraction[i] > '9' {
				return time.Time{}, errNotTime
			}
			micros += int64(fraction[i] - '0')
		}
	}
	return time.Unix(s, micros*1000).UTC(), nil
}

// writeChange tells what a submission has done to each window. Ranks are ordinal; was is the rank before, rank the one now.
func (c *client) writeChange(change board.Change) {
	c.out.Map(2)
	c.out.BulkString("duplicate")
	c.out.Bool(change.Duplicate)
	c.out.BulkString("windows")
	c.out.Array(1 + len(change.Others))
	c.writeMove(change.Move)
	for _, m := range change.Others {
		c.writeMove(m)
	}
}

func (c *client) writeMove(m board.Move) {
	c.out.Map(9)
	c.writeText("window", m.Window)
	c.writeText("period", m.Period)
	c.out.BulkString("changed")
	c.out.Bool(m.Changed)
	c.out.BulkString("improved")
	c.out.Bool(m.Improved)
	c.writeRank("was", m.Before)
	c.writeRank("rank", m.After)
	c.out.BulkString("score")
	c.out.Array(m.After.Score.Len())
	c.writeScore(m.After.Score)
	c.out.BulkString("passed")
	c.out.Int(int64(m.Passed))
	c.out.BulkString("members")
	c.out.Int(int64(m.Len))
}

// writeRank writes a rank under its name, null for who has none.
func (c *client) writeRank(name string, row board.Row) {
	c.out.BulkString(name)
	if row.Rank == 0 {
		c.out.Null()
		return
	}
	c.out.Int(int64(row.Rank))
}
