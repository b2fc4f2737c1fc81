package boardtest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
)

// errorNames has the names of errors in answers. The first entry that matches counts.
var errorNames = []struct {
	name string
	err  error
}{
	{"ErrClosed", board.ErrClosed}, {"ErrNoUnion", board.ErrNoUnion}, {"ErrUnion", board.ErrUnion}, {"ErrNoBoard", board.ErrNoBoard}, {"ErrSpecChanged", board.ErrSpecChanged},
	{"ErrNoWindow", board.ErrNoWindow}, {"ErrNoPeriod", board.ErrNoPeriod}, {"ErrPeriodOpen", board.ErrPeriodOpen}, {"ErrPeriodName", board.ErrPeriodName},
	{"ErrPeriodClosed", board.ErrPeriodClosed}, {"ErrOutside", board.ErrOutside}, {"ErrNoEnd", board.ErrNoEnd},
	{"ErrMember", board.ErrMember}, {"ErrTime", board.ErrTime}, {"ErrTime", window.ErrTime}, {"ErrOnce", board.ErrOnce},
	{"ErrMeta", board.ErrMeta}, {"ErrCondition", board.ErrCondition}, {"ErrNotRanked", board.ErrNotRanked}, {"ErrCount", board.ErrCount},
	{"ErrPeriodOver", board.ErrPeriodOver}, {"ErrCursor", board.ErrCursor}, {"ErrMigrating", board.ErrMigrating}, {"ErrMode", board.ErrMode}, {"ErrBaseline", board.ErrBaseline},
	{"ErrColumns", board.ErrColumns}, {"ErrKind", board.ErrKind}, {"ErrNotFinite", board.ErrNotFinite},
	{"ErrAward", awards.ErrNoAward}, {"ErrNotYours", awards.ErrNotYours}, {"ErrGranted", awards.ErrGranted}, {"ErrWithheld", awards.ErrWithheld}, {"ErrExpired", awards.ErrExpired},
	{"ErrSettling", awards.ErrSettling}, {"ErrUndelivered", awards.ErrUndelivered}, {"ErrPlan", awards.ErrPlan},
	{"ErrNoJournal", board.ErrNoJournal}, {"ErrNotInJournal", board.ErrNotInJournal}, {"ErrNoLeagues", board.ErrNoLeagues}, {"ErrNoCohort", board.ErrNoCohort}, {"ErrTier", board.ErrTier}, {"ErrUnsettled", board.ErrUnsettled}, {"ErrBeforeJournal", board.ErrBeforeJournal}, {"ErrUndo", board.ErrUndo}, {"ErrReverted", board.ErrReverted}, {"ErrAction", board.ErrAction}, {"ErrBanned", board.ErrBanned}, {"ErrNotBanned", board.ErrNotBanned}, {"ErrExists", board.ErrExists}, {"ErrHidden", board.ErrHidden}, {"ErrNotHidden", board.ErrNotHidden}, {"ErrBounds", board.ErrBounds}, {"ErrAbsent", board.ErrAbsent}, {"ErrOverflow", board.ErrOverflow}, {"ErrWindow", window.ErrWindow}, {"ErrCircle", board.ErrCircle}, {"ErrGroups", board.ErrGroups}, {"ErrNoGroups", board.ErrNoGroups}, {"ErrNoGroup", board.ErrNoGroup}, {"ErrGroupExists", board.ErrGroupExists},
	{"ErrInGroup", board.ErrInGroup}, {"ErrNotInGroup", board.ErrNotInGroup}, {"ErrDerived", board.ErrDerived}, {"ErrFollowed", board.ErrFollowed}, {"ErrSpec", board.ErrSpec},
}

// errorText writes an error as an answer: its name, and the fields of its type.
func errorText(err error) string {
	text := "error"
	var batch *board.BatchError
	if errors.As(err, &batch) {
		text += fmt.Sprintf(" submission %d:", batch.Index)
	}
	name := "unknown: " + err.Error()
	for _, known := range errorNames {
		if errors.Is(err, known.err) {
			name = known.name
			break
		}
	}
	text += " " + name
	var union *board.UnionError
	if errors.As(err, &union) {
		text += unionText(union)
	}
	var score *board.ScoreError
	if errors.As(err, &score) {
		text += fmt.Sprintf(" column %s: %v", score.Name, score.Value)
	}
	var closed *board.PeriodClosedError
	if errors.As(err, &closed) {
		live := "none is live"
		if closed.Live != "" {
			live = closed.Live + " is live"
		}
		text += fmt.Sprintf(" %s %s, %s", closed.Window, closed.Period, live)
	}
	var outside *board.OutsideError
	if errors.As(err, &outside) {
		if outside.Before != nil {
			text += " after " + outside.Before.Name
		}
		if outside.After != nil {
			text += " before " + outside.After.Name
		}
	}
	return text
}

// unionText writes the fields of an error of a union that are set.
func unionText(e *board.UnionError) (text string) {
	if e.Source >= 0 {
		text += fmt.Sprintf(" source %d", e.Source)
	}
	if e.Member != "" {
		text += " member " + quote(e.Member)
	}
	if e.Column != "" {
		text += " column " + e.Column
	}
	return text
}

// quote writes a name, in double quotes only if split would not read it back otherwise.
func quote(name string) string {
	if strings.ContainsAny(name, " ,|=") || strconv.Quote(name) != `"`+name+`"` || name == "" {
		return strconv.Quote(name)
	}
	return name
}

// beyond begins the rank of a member beyond the best ones, if it is not known.
const beyond = "beyond "

// rowText writes RANK MEMBER SCORE {META} and, if times is set, @REACHED.
func rowText(row board.Row, times bool) string {
	text := fmt.Sprintf("%s %s %v", row.RankText(), quote(row.Member), row.Score)
	if row.Meta != nil {
		text += " {" + string(row.Meta) + "}"
	}
	if times {
		text += " @" + row.Reached.UTC().Format(time.RFC3339Nano)
	}
	return text
}

// list joins the texts of all with commas. It returns nobody for an empty list.
func list[T any](all []T, text func(T) string) string {
	if len(all) == 0 {
		return "nobody"
	}
	texts := make([]string, len(all))
	for i, element := range all {
		texts[i] = text(element)
	}
	return strings.Join(texts, ", ")
}

func plainRow(row board.Row) string { return rowText(row, false) }

// rowOr writes a row, or otherwise if ok is false.
func rowOr(row board.Row, ok bool, otherwise string) string {
	if !ok {
		return otherwise
	}
	return plainRow(row)
}

// changeText writes what a submission did, in each window.
func changeText(c board.Change) string {
	moves := append([]board.Move{c.Move}, c.Others...)
	text := ""
	switch {
	case c.Duplicate:
		text = "duplicate: "
	case c.Skipped:
		text = "skipped: "
	}
	if len(moves) == 1 {
		return text + moveText(moves[0])
	}
	texts := make([]string, len(moves))
	for i, m := range moves {
		name := m.Window + " " + m.Period
		if m.Window == m.Period {
			name = m.Window
		}
		texts[i] = name + ": " + moveText(m)
	}
	return text + strings.Join(texts, " | ")
}

// moveText writes what a submission did in one window.
func moveText(m board.Move) string {
	if m.After.Rank == 0 {
		return fmt.Sprintf("not ranked, of %d", m.Len)
	}
	text := fmt.Sprintf("%s of %d with %v", m.After.RankText(), m.Len, m.After.Score)
	switch {
	case m.Ignored != "":
		text += fmt.Sprintf(", as before (%s)", m.Ignored)
	case !m.Changed:
		text += ", as before"
	case !m.Ranked:
		text += ", new"
	default:
		text += fmt.Sprintf(", was %s with %v", m.Before.RankText(), m.Before.Score)
	}
	if m.Changed && !m.Improved {
		text += ", no better"
	}
	if m.Passed != 0 {
		text += fmt.Sprintf(", passed %d", m.Passed)
	}
	if m.Overtaken != nil {
		text += " [" + list(m.Overtaken, plainRow) + "]"
	}
	if m.Near != nil {
		text += " (" + list(m.Near, plainRow) + ")"
	}
	return text
}

// timeText writes a time with the offset of its zone, or otherwise if ok is false.
func timeText(t time.Time, ok bool, otherwise string) string {
	if !ok {
		return otherwise
	}
	return t.Format(time.RFC3339Nano)
}
