package board

import (
	"github.com/zrankdb/zrank/engine/board/internal/ranking"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// Ranking is the members of one period, best first: live, closed, pinned, or a baseline. A ranking of Board.Live is about the period that
// is live when it is called; every other stays with its period. Each call reads the ranking as it is at one moment; in a View several calls
// read the same moment. The first call on a ranking after the engine was opened, or after its period was closed, reads it from the disk,
// O(members); the costs of the methods are those of later calls. Many goroutines may use one Ranking, but only its closure one of InTx.
//
//	Info() Info                                                      which ranking it is
//	By(mode Mode) Ranking                                            the same with ranks in another mode
//	Len() (int, error)                                               the number of members
//	Rank(member) (Row, bool, error)                                  a member's row, whose Rank counts from 1
//	Score(member) (Score, bool, error)                               a member's score
//	At(place) (Row, bool, error)                                     the row at a place
//	Top(rows) ([]Row, error)                                         rows from place 1 on
//	Places(first, last) ([]Row, error)                               the rows at places first to last, both included
//	Around(member, each) ([]Row, bool, error)                        a member's row, with each rows before it and each after
//	AroundScore(score, each) ([]Row, error)                          the rows around the place of a new member with a score
//	Between(best, worst *Score, skip, limit) ([]Row, error)          the rows with scores from best to worst, both included
//	Count(best, worst *Score) (int, error)                           the number of members with scores from best to worst
//	RankOf(score) (int, error)                                       the rank that a new member with a score would have
//	Among(members...) ([]Standing, error)                            some members among themselves: friends, a guild
//	Percentile(member) (Percentile, bool, error)                     how far up a member is
//	AtPercentile(percent) (Row, bool, error)                         the last row in the best percent
//	Histogram(bins) ([]Bin, error)                                   the number of members in ranges of equal width
//	Gap(member, above) (Gap, bool, error)                            the difference to the score at a place above the member's
//	Page(after Cursor, rows) ([]Row, Cursor, error)                  the rows after a cursor, and the cursor behind them
//	All() iter.Seq2[Row, error]                                      all rows, best first
//	Card(member, top, each) (Card, error)                            the first rows, the member's own, and those around it
//	Arrows(base Ranking, members...) ([]Arrow, error)                the ranks of members here and in a base
//	View(fn func(Ranking) error) error                               several calls on the ranking as it is at one moment
//	Pin(ctx) (Ranking, error)                                        a copy that does not change
//
// Places count from 1, best first, whatever the mode; negative ones count from the end. Ranks count from 1 too, and are the mode's.
// Ranges of places and of scores include both ends. (Ranks of the sets below a board, in package engine, count from 0, and their
// intervals leave out the end.)
//
// Every call may return an error of the engine; ErrMigrating after the board was migrated, ErrNoBoard after it was dropped; an
// *OutsideError of Board.Live's while no period is live; ErrMode for a mode that does not exist, and ErrCount for a number of rows, bins
// or places that it cannot have. A member that cannot be in any ranking, with an empty name or one too long, is not ranked.
type Ranking = ranking.Ranking

// Row is one place of a ranking.
//
//	Rank     int        from 1, in the ranking's Mode
//	Member   string
//	Score    Score
//	Reached  time.Time  when the member came to the score, in UTC, to the microsecond; zero with the tie rule ByMember
//	Meta     []byte     the entry's metadata, nil for none
//	Beyond   bool       the member is not among the best n of a board with Spec.Top
//	Within   int        how far the true rank may be from Rank; Unknown: the rank is not known, and Rank is n + 1
type Row = ranking.Row

// Unknown is the Within of a Row whose rank is not known.
const Unknown = ranking.Unknown

// Mode says which rank members of equal score have. The numbers are the ranks of scores 50, 40, 40 and 30. Equal are scores
// whose columns are all equal.
type Mode = rules.Mode

const (
	// Ordinal gives every member a rank of its own: 1 2 3 4. The tie rule decides. It is the mode of a new ranking.
	Ordinal = ranking.Ordinal
	// Competition gives equals the best rank among them, and leaves a gap after them: 1 2 2 4.
	Competition = ranking.Competition
	// Modified gives equals the worst rank among them, and leaves a gap before them: 1 3 3 4.
	Modified = ranking.Modified
	// Dense gives equals one rank and leaves no gap: 1 2 2 3.
	Dense = ranking.Dense
)

// ParseMode returns the mode of a name. Error: ErrMode.
func ParseMode(name string) (Mode, error) { return rules.ParseMode(name) }

// Info tells which ranking it is.
//
//	Board     string
//	Window    string     the window's name; of a baseline, the window it was taken of
//	Period    string     the period's name; of a baseline, its own; "" from a ranking of Board.Live while no period is live
//	Start     time.Time  the period's first moment; zero for the window All, and for a baseline
//	End       time.Time  the first moment after the period; zero where Start is
//	Closed    bool       it has ended, and takes no more results
//	ClosedAt  time.Time  when it was closed; zero if it had no members, and for a baseline
//	Mode      Mode
type Info = ranking.Info

// Standing is a Row of some members among themselves: its Rank is the rank in the whole ranking, Local the rank among the members asked for.
// Both count from 1, in the ranking's mode.
type Standing = ranking.Standing

// Percentile says how far up a member is, by score alone: members of equal score have equal percentiles. Ahead is the percentage of the other
// members that have a worse score, 0 to 100. Top is the place of the best member with the same score, in percent of the ranking's length and
// rounded up to a whole number, 1 to 100: "top 3 %".
type Percentile = ranking.Percentile

// MaxBins is the largest number of bins that a Histogram has.
const MaxBins = ranking.MaxBins

// Bin is a range of values of the first column, from Best to Worst, with its number of Members. The best bin includes both ends; others leave
// out Best, which is Worst of the bin before.
type Bin = ranking.Bin

// Gap is the difference between a member's score and that at a better place. To is the row at that place. Column is the first column, from 0,
// in which the scores differ. By is the difference in that column, a positive number, limited to the range of the column's kind. Column is -1
// and By 0 if the scores are equal and the tie rule decides.
type Gap = ranking.Gap

// Card is what a leaderboard on a screen shows: the Top rows; the member's Own row and the rows Around it, if it is Ranked; and Len, the
// number of members.
type Card = ranking.Card

// Arrow compares a member's rank with its rank in a base.
//
//	Member     string
//	Ranked     bool  it is ranked
//	Rank       int   its rank, from 1, in the ranking's mode, if it is ranked
//	WasRanked  bool  it was ranked in the base
//	Was        int   its rank in the base, from 1, in the same mode, if it was ranked there
//	Up         int   Was - Rank: positive if it has risen; 0 if it is not ranked in both
type Arrow = ranking.Arrow

// Cursor is where a page of a ranking ends. The zero Cursor is the beginning. Cursors can be compared with ==. Done reports whether the
// cursor is behind the last row. String, MarshalText and UnmarshalText make it a text that may go into a URL.
type Cursor = ranking.Cursor

// ParseCursor is the inverse of Cursor.String. Error: ErrCursor.
func ParseCursor(text string) (Cursor, error) { return ranking.ParseCursor(text) }
