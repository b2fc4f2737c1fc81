package boardcmd

import (
	"fmt"
	"math"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// submit is BOARD.SUBMIT name member score [score ...] [AT unix-seconds[.fraction]] [ONCE key] [META text] [SKILL n] [WINDOW name [WINDOW name ...]]
func (b *commands) submit(c *session.Client, a [][]byte) error {
	of, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	sub, err := parseSubmission(of, a)
	if err != nil {
		return err
	}
	change, err := of.Submit(c.Host.Work, sub)
	if err != nil {
		return err
	}
	writeChange(&c.Out, change)
	return nil
}

// parseSubmission reads a submission to b. Its scores are the words before the first that is not a number; the options follow, and no name of
// an option is a number.
func parseSubmission(b board.Board, a [][]byte) (sub board.Submission, err error) {
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
	if err := notValue(b, len(values), words); err != nil {
		return sub, err
	}
	sub.Score = board.Values(values...)
	for ; len(words) > 1; words = words[2:] {
		switch command.Upper(string(words[0])) {
		case "AT":
			if sub.At, err = parseTime(string(words[1])); err != nil {
				return sub, err
			}
		case "ONCE":
			sub.Once = string(words[1])
		case "SKILL":
			if sub.Skill, err = command.ParseInt[int64](words[1]); err != nil {
				return sub, err
			}
		case "WINDOW":
			sub.Windows = append(sub.Windows, string(words[1]))
		case "META":
			sub.Meta = append([]byte{}, words[1]...)
		default:
			return sub, command.ErrSyntax
		}
	}
	if len(words) > 0 {
		return sub, command.ErrSyntax
	}
	return sub, nil
}

// notValue refuses a submission whose word after n values should be the value of a column: that is so if n is 0, or if columns are missing
// and the word is not the name of an option. Otherwise it returns nil.
func notValue(b board.Board, n int, words [][]byte) error {
	columns := slices.DeleteFunc(b.Spec().Columns, func(c board.Column) bool { return c.Of != nil }) // computed ones are not submitted
	if n >= len(columns) || n > 0 && (len(words) == 0 || isOption(words[0])) {
		return nil
	}
	c := columns[n]
	if c.Kind == board.Float64 {
		return command.ErrNotFloat
	}
	least, most := board.Int(math.MinInt64), board.Int(math.MaxInt64)
	if c.Min != nil {
		least = *c.Min
	}
	if c.Max != nil {
		most = *c.Max
	}
	return command.Refusal(fmt.Sprintf("ERR value is not an integer from %v to %v", least, most))
}

// isOption reports whether a word is the name of an option of BOARD.SUBMIT.
func isOption(word []byte) bool {
	return slices.Contains([]string{"AT", "ONCE", "META", "SKILL", "WINDOW"}, command.Upper(string(word)))
}

// writeChange writes the effect of a submission in each window. Ranks are ordinal, from 1; was is the rank before, rank the rank after.
func writeChange(w *wire.Writer, change board.Change) {
	w.Map(2)
	w.BulkString("duplicate")
	w.Bool(change.Duplicate)
	w.BulkString("windows")
	w.Array(1 + len(change.Others))
	writeMove(w, change.Move)
	for _, m := range change.Others {
		writeMove(w, m)
	}
}

// writeMove writes the effect of a submission in one window.
func writeMove(w *wire.Writer, m board.Move) {
	fields := 9
	if m.Ignored != "" {
		fields++
	}
	w.Map(fields)
	writeText(w, "window", m.Window)
	writeText(w, "period", m.Period)
	w.BulkString("changed")
	w.Bool(m.Changed)
	if m.Ignored != "" {
		writeText(w, "ignored", string(m.Ignored))
	}
	w.BulkString("improved")
	w.Bool(m.Improved)
	writeRank(w, "was", m.Before)
	writeRank(w, "rank", m.After)
	w.BulkString("score")
	w.Array(m.After.Score.Len())
	writeScore(w, m.After.Score)
	w.BulkString("passed")
	w.Int(int64(m.Passed))
	w.BulkString("members")
	w.Int(int64(m.Len))
}

// writeRank writes a rank under its name, null for a member without one.
func writeRank(w *wire.Writer, name string, row board.Row) {
	w.BulkString(name)
	if row.Rank == 0 {
		w.Null()
		return
	}
	writeRankOf(w, row)
}
