package wire

import (
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
)

// Moderated is board.Moderated.
type Moderated struct {
	Entry  uint64  `json:"entry,omitempty" doc:"The number of its entry in the audit log; absent in a dry run."`
	Places []Place `json:"places" doc:"The places that have changed."`
	Awards int     `json:"awards,omitempty" doc:"How many awards were withheld."`
	Hash   string  `json:"hash,omitempty" doc:"Of an erased member: what stands for its name in the audit log."`
	Traces []Trace `json:"traces,omitempty" doc:"Of an erased member: what was erased besides the places."`
}

// ModeratedOf returns what a change did as JSON has it.
func ModeratedOf(m board.Moderated) Moderated {
	return Moderated{m.Entry, PlacesOf(m.Places), m.Awards, m.Hash, each(m.Traces, traceOf)}
}

// Board is the inverse of ModeratedOf.
func (m Moderated) Board() board.Moderated {
	return board.Moderated{Entry: m.Entry, Places: BoardPlaces(m.Places), Awards: m.Awards, Hash: m.Hash, Traces: each(m.Traces, Trace.board)}
}

// Receipt is board.Erased.
type Receipt struct {
	Boards map[string]Moderated `json:"boards" doc:"By board, those that had the member."`
	Unions []string             `json:"unions,omitempty" doc:"The stored unions that had it."`
	Groups []string             `json:"groups,omitempty" doc:"The kinds of groups that it was in."`
}

// ReceiptOf returns a receipt as JSON has it.
func ReceiptOf(r board.Erased) Receipt {
	boards := make(map[string]Moderated, len(r.Boards))
	for name, m := range r.Boards {
		boards[name] = ModeratedOf(m)
	}
	return Receipt{boards, r.Unions, r.Groups}
}

// Board is the inverse of ReceiptOf.
func (r Receipt) Board() board.Erased {
	boards := make(map[string]board.Moderated, len(r.Boards))
	for name, m := range r.Boards {
		boards[name] = m.Board()
	}
	return board.Erased{Boards: boards, Unions: r.Unions, Groups: r.Groups}
}

// Reverted is board.Reverted.
type Reverted struct {
	Entry  uint64   `json:"entry,omitempty"`
	Rows   []uint64 `json:"rows,omitempty" doc:"The rows of the journal that are reverted."`
	Places []Place  `json:"places"`
}

// RevertedOf returns what a revert did as JSON has it.
func RevertedOf(r board.Reverted) Reverted { return Reverted{r.Entry, r.Rows, PlacesOf(r.Places)} }

// Board is the inverse of RevertedOf.
func (r Reverted) Board() board.Reverted {
	return board.Reverted{Entry: r.Entry, Rows: r.Rows, Places: BoardPlaces(r.Places)}
}

// History is board.History.
type History struct {
	Window    string  `json:"window"`
	Places    []Place `json:"places" doc:"Closed periods, and then open ones, in order of time."`
	BestRank  *Place  `json:"bestRank,omitempty" doc:"The place with the best rank."`
	BestScore *Place  `json:"bestScore,omitempty" doc:"The place with the best score."`
}

// Member is board.Member.
type Member struct {
	Member  Text      `json:"member"`
	Banned  bool      `json:"banned,omitempty"`
	Hidden  bool      `json:"hidden,omitempty"`
	Windows []History `json:"windows"`
}

// MemberOf returns what a board has of a member as JSON has it.
func MemberOf(m board.Member) Member {
	return Member{Text(m.Name), m.Banned, m.Hidden, list(m.Windows, func(h board.History) History {
		return History{h.Window, PlacesOf(h.Places), somePlace(h.BestRank), somePlace(h.BestScore)}
	})}
}

// Board is the inverse of MemberOf.
func (m Member) Board() board.Member {
	return board.Member{Name: string(m.Member), Banned: m.Banned, Hidden: m.Hidden, Windows: each(m.Windows, func(h History) board.History {
		return board.History{Window: h.Window, Places: BoardPlaces(h.Places), BestRank: orNowhere(h.BestRank), BestScore: orNowhere(h.BestScore)}
	})}
}

// Job is board.Job.
type Job struct {
	Entry  uint64 `json:"entry"`
	Kind   string `json:"kind"`
	Member Text   `json:"member"`
	To     Text   `json:"to,omitempty"`
	Done   int    `json:"done" doc:"Closed periods that are changed."`
	Total  int    `json:"total" doc:"Closed periods that were to be changed."`
}

// JobsOf returns jobs as JSON has them.
func JobsOf(all []board.Job) []Job {
	return list(all, func(j board.Job) Job {
		return Job{j.Entry, string(j.Kind), Text(j.Member), Text(j.To), j.Done, j.Total}
	})
}

// BoardJobs is the inverse of JobsOf.
func BoardJobs(all []Job) []board.Job {
	return each(all, func(j Job) board.Job {
		return board.Job{Entry: j.Entry, Kind: audit.Kind(j.Kind), Member: string(j.Member), To: string(j.To), Done: j.Done, Total: j.Total}
	})
}

// ClosedSubmission is board.ClosedSubmission.
type ClosedSubmission struct {
	Window string     `json:"window"`
	Period string     `json:"period" doc:"The name of a closed period."`
	Score  Score      `json:"score"`
	At     *time.Time `json:"at,omitempty" doc:"When it happened, in the period; absent: its last moment."`
}

// ClosedSubmissionOf returns a result for a closed period as JSON has it.
func ClosedSubmissionOf(s board.ClosedSubmission) ClosedSubmission {
	return ClosedSubmission{s.Window, s.Period, append(Score{}, ScoreOf(s.Score)...), timeOf(s.At)}
}

// Board is the inverse of ClosedSubmissionOf.
func (s ClosedSubmission) Board() board.ClosedSubmission {
	return board.ClosedSubmission{Window: s.Window, Period: s.Period, Score: s.Score.Given(), At: orZero(s.At)}
}

// Reversion is board.Reversion.
type Reversion struct {
	Row   uint64     `json:"row,omitempty" doc:"The number of a row in the journal; absent: all since a time."`
	Since *time.Time `json:"since,omitempty" doc:"All that arrived then or later; absent: all."`
}

// ReversionOf returns a reversion as JSON has it.
func ReversionOf(r board.Reversion) Reversion { return Reversion{r.Row, timeOf(r.Since)} }

// Board is the inverse of ReversionOf.
func (r Reversion) Board() board.Reversion {
	return board.Reversion{Row: r.Row, Since: orZero(r.Since)}
}
