package board

import (
	"context"
	"iter"
	"math"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board/rules"
)

// Ranking is the members of one period, best first: live, closed, pinned, or a baseline. A ranking of Board.Live is about the period that
// is live when it is called; every other stays with its period. Each call reads the ranking as it is at one moment; in a View several calls
// read the same moment. The first call on a ranking after the engine was opened, or after its period was closed, reads it from the disk,
// O(members); the costs of the methods are those of later calls. Many goroutines may use one Ranking, but only its closure one of InTx.
//
// Around gives each rows before the member's own and each after it. Near an end of the ranking, where one side has fewer, the other side has more: around the
// first member are the 2*each behind it. Only a ranking with fewer rows gives fewer. AroundScore, Card and Submission.Near do the same.
//
// Places count from 1, best first, whatever the mode; negative ones count from the end. Ranks count from 1 too, and are the mode's.
// Ranges of places and of scores include both ends. (Ranks of the sets below a board, in package engine, count from 0, and their
// intervals leave out the end.)
//
// Every call may return an error of the engine; ErrMigrating after the board was migrated, ErrNoBoard after it was dropped; an
// *OutsideError of Board.Live's while no period is live; ErrMode for a mode that does not exist, and ErrCount for a number of rows, bins
// or places that it cannot have. A member that cannot be in any ranking, with an empty name or one too long, is not ranked.
type Ranking interface {
	// Info tells which ranking it is; of Board.Live, which period is live now. O(1).
	Info(ctx context.Context) (Info, error)
	// By returns the same ranking with ranks in another mode.
	By(mode rules.Mode) Ranking
	// Len returns the number of members. O(1).
	Len(ctx context.Context) (int, error)
	// Rank returns a member's row, whose Rank counts from 1, and false if it is not ranked. O(log n).
	Rank(ctx context.Context, member string) (row Row, ok bool, err error)
	// Score returns a member's score, and false if it is not ranked. O(1).
	Score(ctx context.Context, member string) (score rules.Score, ok bool, err error)
	// At returns the row at a place, from 1, or from the end: -1 is the last; false if the ranking has fewer members. O(log n).
	At(ctx context.Context, place int) (row Row, ok bool, err error)
	// Top returns the rows at places 1 to rows, or all rows if there are fewer. O(log n + rows).
	Top(ctx context.Context, rows int) ([]Row, error)
	// AppendTop appends the rows of Top to dst. Rows of dst beyond its length whose members are the same keep their strings, so that a caller
	// who uses one slice again and again allocates only for members that are new in their row. After an error it returns dst. O(log n + rows).
	AppendTop(ctx context.Context, dst []Row, rows int) ([]Row, error)
	// Places returns the rows at places first to last, both included: from 1, or from the end, -1 the last. Places(1, 10) is Top(10).
	// Places beyond the number of members are left out. O(log n + rows).
	Places(ctx context.Context, first, last int) ([]Row, error)
	// AppendPlaces is Places as AppendTop is Top.
	AppendPlaces(ctx context.Context, dst []Row, first, last int) ([]Row, error)
	// Around returns a member's row with each rows before it and each after, and false if it is not ranked. Near an end of the ranking
	// it returns more rows of the other side, so that there are 2*each+1 rows unless the ranking has fewer: around the first member are the
	// 2*each behind it. O(log n + rows).
	Around(ctx context.Context, member string, each int) (rows []Row, ok bool, err error)
	// AppendAround is Around as AppendTop is Top.
	AppendAround(ctx context.Context, dst []Row, member string, each int) (rows []Row, ok bool, err error)
	// AroundScore returns the rows around the place that a new member with a score would take, see RankOf: each before it and each
	// after. Near an end of the ranking it returns more rows of the other side, 2*each in all. Errors: those of rules.Check. O(log n + rows).
	AroundScore(ctx context.Context, score rules.Score, each int) ([]Row, error)
	// Between returns the rows with scores from best to worst, both included, leaving out the first skip of them, 0 for none, and
	// returning limit at most; a negative limit is none. A nil bound leaves that end open. Errors: those of rules.Check. O(log n + rows).
	Between(ctx context.Context, best, worst *rules.Score, skip, limit int) ([]Row, error)
	// Count returns the number of members with scores from best to worst, both included; a nil bound leaves that end open. Errors: those of
	// rules.Check. O(log n).
	Count(ctx context.Context, best, worst *rules.Score) (int, error)
	// RankOf returns the rank, from 1, that a new member with a score would have now: behind its equals, or before them with the tie rule
	// LastToReach. With ByMember the rank depends on the name; RankOf returns the one behind all equals. Errors: those of rules.Check. O(log n).
	RankOf(ctx context.Context, score rules.Score) (int, error)
	// Among returns those of the members that are ranked, best first, each once, with ranks among themselves and in the whole
	// ranking, both from 1 and in the ranking's mode: friends, a guild. O(members log n).
	Among(ctx context.Context, members ...string) ([]AmongRow, error)
	// Percentile says how far up a member is, and false if it is not ranked. O(log n).
	Percentile(ctx context.Context, member string) (p Percentile, ok bool, err error)
	// AtPercentile returns the last row that is in the best percent of the ranking, 0 to 100 with both ends, and at least the first row: 10
	// percent of 25 members gives the second row. It is the inverse of Percentile.Top: no row after it is in the top percent, except rows of
	// equal score. ok is false for an empty ranking, and for a percentage out of range. O(log n).
	AtPercentile(ctx context.Context, percent float64) (row Row, ok bool, err error)
	// Histogram divides the range from the best value of the first column to the worst into bins of equal width, the best first, and
	// counts the members in each; every member is in one. The widths of bins of integers differ by 1 where the range does not divide, and
	// some bins are empty where the range has fewer integers than bins. An empty ranking has no bins. From 1 to MaxBins bins.
	// O(bins log n).
	Histogram(ctx context.Context, bins int) ([]Bin, error)
	// Gap returns the difference between a member's score and that of the row above places before it: 1 is the row right before it. If
	// there are fewer rows before it, Gap takes the first row. ok is false if the member is not ranked, or is the first. O(log n).
	Gap(ctx context.Context, member string, above int) (gap Gap, ok bool, err error)
	// Page returns the rows after a cursor, at most rows of them, and the cursor behind them. The zero Cursor begins, and the cursor
	// behind the last row is Done. A walk from page to page returns each member exactly once, unless its score changes during the walk;
	// the scores of a closed or pinned ranking, or of one in a View, do not change. Ranks are those at the time of the call, in any mode. Error:
	// ErrCursor for a cursor of another ranking; a ranking of Board.Live returns ErrPeriodOver where Board.Period continues. O(log n + rows).
	Page(ctx context.Context, after Cursor, rows int) ([]Row, Cursor, error)
	// All iterates over all rows, best first, by calls of Page. It stays with the period that is live when it begins. An error ends it. O(n).
	All(ctx context.Context) iter.Seq2[Row, error]
	// Card returns top rows from place 1 on, a member's own row, the rows around it as Around does, and the number of members, all of one
	// moment: what a leaderboard on a screen shows. O(log n + rows).
	Card(ctx context.Context, member string, top, each int) (Card, error)
	// Arrows returns the rank, from 1, that each of the members has here and had in a base, in the order given. A base is a closed period, a
	// baseline or a pinned ranking; in a View, a pinned one only. Error: ErrNoPeriod if base is nil, as before the first close.
	// O(members log n).
	Arrows(ctx context.Context, base Ranking, members ...string) ([]Arrow, error)
	// View runs fn on the ranking as it is at one moment. Writers to the ranking wait until fn returns; fn must not call the board or the
	// engine. The Ranking that fn gets is for fn's goroutine only, and returns ErrViewDone after fn has
	// returned. Error: that of fn.
	View(ctx context.Context, fn func(Ranking) error) error
	// Pin returns a copy of the ranking as it is at one moment. The copy does not change, and readers of it make no writer wait: a program
	// can page through it for minutes. It takes as much memory as the ranking. A closed period needs no Pin. Pin does not copy metadata: a pinned
	// ranking reads the present metadata, and has none if it was pinned in a View or in a transaction. O(n log n). Error: that of ctx.
	Pin(ctx context.Context) (Ranking, error)
}

// Row is one place of a ranking.
type Row struct {
	Rank    int         `json:"rank"`             // from 1, in the ranking's Mode
	Member  string      `json:"member,text"`      // whose row it is
	Score   rules.Score `json:"score,exact"`      // the member's score
	Reached time.Time   `json:"reached,omitzero"` // when the member came to the score, in UTC, to the microsecond; zero with the tie rule ByMember
	Meta    []byte      `json:"meta,omitzero"`    // the entry's metadata, nil for none
	// Beyond: the member has a score, and is not among the best n of a board with Spec.Top.
	Beyond bool `json:"beyond,omitempty"`
	// Within is how far the true rank may be from Rank: it is from Rank - Within to Rank + Within. 0 unless the member is Beyond. Unknown if it is, and Top
	// has no Segments, or the others have not been counted yet; then Rank is n + 1, in every mode.
	Within int `json:"-"`
}

// RankText returns the rank as text: "17"; "4711±20" if it is that within a bound; "beyond 1000" if nothing is known but that.
func (row *Row) RankText() string {
	switch row.Within {
	case 0:
		return strconv.Itoa(row.Rank)
	case Unknown:
		return "beyond " + strconv.Itoa(row.Rank-1)
	}
	return strconv.Itoa(row.Rank) + "±" + strconv.Itoa(row.Within)
}

// Unknown is the Within of a Row whose rank is not known.
const Unknown = math.MaxInt

// Info tells which ranking it is.
type Info struct {
	Board    string     `json:"board"`             // the board's name
	Window   string     `json:"window,omitempty"`  // the window's name; of a baseline, the window it was taken of
	Period   string     `json:"period,omitempty"`  // the period's name; of a baseline, its own
	Start    time.Time  `json:"start,omitzero"`    // the period's first moment; zero for the window All, and for a baseline
	End      time.Time  `json:"end,omitzero"`      // the first moment after the period; zero where Start is
	Closed   bool       `json:"closed,omitempty"`  // it has ended, and takes no more results
	ClosedAt time.Time  `json:"closedAt,omitzero"` // when it was closed; zero if it had no members, and for a baseline
	Mode     rules.Mode `json:"mode"`              // which ranks members of equal score have
}

// AmongRow is a Row of some members among themselves: its Rank is the rank in the whole ranking, Local the rank among the members asked for.
// Both count from 1, in the ranking's mode.
type AmongRow struct {
	Row       // Rank is the rank in the whole ranking
	Local int `json:"local"` // rank among the members asked for, from 1, in the ranking's mode
}

// Percentile says how far up a member is, by score alone: members of equal score have equal percentiles. Ahead is the percentage of the other
// members that have a worse score, 0 to 100. Top is the place of the best member with the same score, in percent of the ranking's length and
// rounded up to a whole number, 1 to 100: "top 3 %".
type Percentile struct {
	// Ahead is the percentage of the other members that have a worse score: 0 for the last member and 100 for the first, if no other
	// member has the same score. A single member has 100.
	Ahead float64 `json:"ahead"`
	// Top is the place of the best member with the same score, in percent of the ranking's length and rounded up to a whole number, from 1 to
	// 100: "top 3 %". The first of a million members has 1, and a single member has 100.
	Top int `json:"top"`
}

// MaxBins is the largest number of bins that a Histogram has.
const MaxBins = 1 << 16

// Bin is a range of values of the first column, from Best to Worst, with its number of Members. The best bin includes both ends; others leave
// out Best, which is Worst of the bin before.
type Bin struct {
	Best    rules.Value `json:"best"`    // its best value
	Worst   rules.Value `json:"worst"`   // the best bin includes both; every other bin excludes Best, which is Worst of the bin before
	Members int         `json:"members"` // how many members have a value in it
}

// Gap is the difference between a member's score and that at a better place. To is the row at that place. Column is the first column, from 0,
// in which the scores differ. By is the difference in that column, a positive number, limited to the range of the column's kind. Column is -1
// and By 0 if the scores are equal and the tie rule decides.
type Gap struct {
	To     Row         `json:"to,omitzero"` // the row at that place
	Column int         `json:"column"`      // the first column, from 0, in which the scores differ; -1: they are equal, and the tie rule decides
	By     rules.Value `json:"by"`          // how much better the other is in that column, a positive number, limited to the range of its kind; 0 if they are equal
}

// Card is what a leaderboard on a screen shows: the Top rows; the member's Own row and those Around it, as Ranking.Around gives them, if it is Ranked; and Len, the
// number of members.
type Card struct {
	Top    []Row `json:"top"`             // the first rows
	Own    Row   `json:"own,omitzero"`    // the member's own row; zero if it is not ranked
	Ranked bool  `json:"-"`               // the member is ranked; if not, Own is zero and Around is nil
	Around []Row `json:"around,omitzero"` // includes Own; nil if Own is beyond the best n
	Len    int   `json:"members"`         // the number of members of the ranking
}

// Arrow compares a member's rank with its rank in a base.
type Arrow struct {
	Member    string `json:"member,text"`    // the member's name
	Ranked    bool   `json:"-"`              // it is ranked
	Rank      int    `json:"rank,omitempty"` // its rank, from 1, in the ranking's mode, if it is ranked
	WasRanked bool   `json:"-"`              // it was ranked in the base
	Was       int    `json:"was,omitempty"`  // its rank in the base, from 1, in the same mode, if it was ranked there
	Up        int    `json:"up"`             // Was - Rank: positive if it has risen; 0 if it is not ranked in both
}

// ParseMode returns the mode of a name. Error: ErrMode.
func ParseMode(name string) (Mode, error) { return rules.ParseMode(name) }

// Mode says which rank members of equal score have. The numbers are the ranks of scores 50, 40, 40 and 30. Equal are scores
// whose columns are all equal.
type Mode = rules.Mode

const (
	// Ordinal gives every member a rank of its own: 1 2 3 4. The tie rule decides. It is the mode of a new ranking.
	Ordinal = rules.Ordinal
	// Competition gives equals the best rank among them, and leaves a gap after them: 1 2 2 4.
	Competition = rules.Competition
	// Modified gives equals the worst rank among them, and leaves a gap before them: 1 3 3 4.
	Modified = rules.Modified
	// Dense gives equals one rank and leaves no gap: 1 2 2 3.
	Dense = rules.Dense
)
