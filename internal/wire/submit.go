package wire

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board"
)

// Submission is board.Submission.
type Submission struct {
	Member    Text       `json:"member" doc:"The name of the member: 1 to 1024 bytes."`
	Score     Score      `json:"score" doc:"One number for each column, or a number alone for a board of one column. Integers beyond 2^53 may be strings."`
	At        *time.Time `json:"at,omitempty" doc:"When it happened; absent: now. It decides the period, and ties."`
	Once      Text       `json:"once,omitempty" doc:"A key of your own: a later submission with the same key does nothing. The header Idempotency-Key is the same."`
	Meta      *Text      `json:"meta,omitempty" doc:"Metadata of the entry; an empty text removes it, absent keeps it."`
	Windows   []string   `json:"windows,omitempty" doc:"The windows that it goes to; absent: all."`
	Skill     int64      `json:"skill,omitempty" doc:"By what the member is put together with others, on boards with leagues that have bands."`
	If        string     `json:"if,omitempty" enum:"new,ranked,better" doc:"When it counts: only if the member is not ranked, is ranked, or has a worse score."`
	Near      int        `json:"near,omitempty" doc:"Asks for so many rows before the member's own and after it; near an end of the ranking there are more on the other side. Those of each window, and of a whole batch, count as rows of the answer."`
	Overtaken int        `json:"overtaken,omitempty" doc:"Asks for the rows of so many of the members passed."`
}

// conditions are the texts of Submission.If.
var conditions = [...]string{board.Always: "", board.IfNew: "new", board.IfRanked: "ranked", board.IfBetter: "better"}

// SubmissionOf returns a submission as JSON has it. A Condition that does not exist becomes a text that the server refuses.
func SubmissionOf(s board.Submission) Submission {
	condition := fmt.Sprint(uint8(s.If))
	if int(s.If) < len(conditions) {
		condition = conditions[s.If]
	}
	return Submission{Member: Text(s.Member), Score: append(Score{}, ScoreOf(s.Score)...), At: timeOf(s.At), Once: Text(s.Once), Meta: textOf(s.Meta), Windows: s.Windows, Skill: s.Skill,
		If: condition, Near: s.Near, Overtaken: s.Overtaken}
}

// Board is the inverse of SubmissionOf. Error: board.ErrCondition.
func (s Submission) Board() (board.Submission, error) {
	sub := board.Submission{Member: string(s.Member), Score: s.Score.Given(), At: orZero(s.At), Once: string(s.Once), Meta: BytesOf(s.Meta), Windows: s.Windows, Skill: s.Skill,
		Near: s.Near, Overtaken: s.Overtaken}
	for i, text := range conditions {
		if text == s.If {
			sub.If = board.Condition(i)
			return sub, nil
		}
	}
	return sub, fmt.Errorf("%w: %.64q, want one of new, ranked, better", board.ErrCondition, s.If)
}

// Move is board.Move.
type Move struct {
	Window    string `json:"window"`
	Period    string `json:"period,omitempty"`
	Before    *Row   `json:"before,omitempty" doc:"The row of the member before; absent if it was not ranked."`
	After     *Row   `json:"after,omitempty" doc:"Its row now; absent if it is not ranked."`
	Ranked    bool   `json:"ranked,omitempty" doc:"The member was ranked before."`
	Hidden    bool   `json:"hidden,omitempty" doc:"The member is hidden: its score counts, and it has no rank."`
	Changed   bool   `json:"changed" doc:"The score, or when it was reached, is not what it was."`
	Ignored   string `json:"ignored,omitempty" enum:"older,later,not_better" doc:"Why the result does not count here: a newer, an earlier, or a result as good or better counts; absent if it counts."`
	Improved  bool   `json:"improved" doc:"The score is better than before, or the first."`
	Passed    int    `json:"passed" doc:"How many members it has overtaken."`
	Members   int    `json:"members" doc:"How many members are ranked now."`
	Near      []Row  `json:"near,omitzero"`
	Overtaken []Row  `json:"overtaken,omitzero"`
}

func moveOf(m board.Move) Move {
	return Move{Window: m.Window, Period: m.Period, Before: some(m.Before), After: some(m.After), Ranked: m.Ranked, Hidden: m.Hidden, Changed: m.Changed,
		Ignored: string(m.Ignored), Improved: m.Improved, Passed: m.Passed, Members: m.Len, Near: each(m.Near, RowOf), Overtaken: each(m.Overtaken, RowOf)}
}

// Board is the inverse of moveOf.
func (m Move) Board() board.Move {
	return board.Move{Window: m.Window, Period: m.Period, Before: orNone(m.Before), After: orNone(m.After), Ranked: m.Ranked, Hidden: m.Hidden, Changed: m.Changed,
		Ignored: board.Ignored(m.Ignored), Improved: m.Improved, Passed: m.Passed, Len: m.Members, Near: BoardRows(m.Near), Overtaken: BoardRows(m.Overtaken)}
}

// Change is board.Change.
type Change struct {
	Moves     []Move `json:"moves" doc:"What it did in each window, in the order of the spec."`
	Duplicate bool   `json:"duplicate,omitempty" doc:"A submission with the same key has been counted before. Nothing has changed."`
	Skipped   bool   `json:"skipped,omitempty" doc:"The condition did not hold. Nothing has changed."`
}

// ChangeOf returns a change as JSON has it.
func ChangeOf(c board.Change) Change {
	moves := make([]Move, 0, 1+len(c.Others))
	moves = append(moves, moveOf(c.Move))
	for _, m := range c.Others {
		moves = append(moves, moveOf(m))
	}
	return Change{Moves: moves, Duplicate: c.Duplicate, Skipped: c.Skipped}
}

// Board is the inverse of ChangeOf.
func (c Change) Board() board.Change {
	change := board.Change{Duplicate: c.Duplicate, Skipped: c.Skipped}
	for i, m := range c.Moves {
		if i == 0 {
			change.Move = m.Board()
		} else {
			change.Others = append(change.Others, m.Board())
		}
	}
	return change
}

// Removed is board.Removed.
type Removed struct {
	Window string `json:"window"`
	Period string `json:"period"`
	Row    Row    `json:"row"`
	Hidden bool   `json:"hidden,omitempty"`
}

// RemovedOf returns removed entries as JSON has them.
func RemovedOf(all []board.Removed) []Removed {
	return list(all, func(r board.Removed) Removed { return Removed{r.Window, r.Period, RowOf(r.Row), r.Hidden} })
}

// BoardRemoved is the inverse of RemovedOf.
func BoardRemoved(all []Removed) []board.Removed {
	return each(all, func(r Removed) board.Removed {
		return board.Removed{Window: r.Window, Period: r.Period, Row: r.Row.Board(), Hidden: r.Hidden}
	})
}
