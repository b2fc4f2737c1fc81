package board

import (
	"github.com/zrankdb/zrank/engine/board/internal/specs"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// Spec says what a board's scores mean and how it is cut in time. It is stored with the board, and only Migrate changes it. Fields
// that are zero stand for their defaults. Its JSON is that of spec files: see ReadSpec.
//
//	Name       string           1 to MaxName bytes of UTF-8 without control characters; "/" divides it into parts, none of them empty
//	Columns    []Column         the numbers of a score, at most 32, of which the first decides; none: one of int64, higher is better
//	Op         Op               how a submission is combined with the member's present score: Best unless set
//	K          int              the number of results that BestOf or LastOf adds up, or DropWorst leaves out, 1 to MaxK; 0 with other operators
//	Ties       Ties             who stands first among equals: FirstToReach unless set
//	Windows    []Window         how the board is cut in time, of different names; none: All
//	Top        *Top             the ranking has the best members only, and everybody's score is kept; nil: all members are ranked
//	MaxMeta    int              the length of the longest metadata of an entry, in bytes, at most 64 KiB; 0: entries have none
//	BestRanks  bool             each member's best rank ever is kept, for every window
//	Parts      int              the number of sets that hold each ranking, at most MaxParts: see "Boards in parts"; 0 and 1 are one set
//	PartMembers int             the number of members for each of which a ranking has a set of its own, at most MaxParts sets; 0: Parts says how many
//	Journal    int              the number of the last submissions that are kept in a journal, at most MaxJournal: see "Journal"; 0: none
//	Feed       *Feed            what happens on the board is written into its commits: see "Feed"; nil: it is not
//	Awards     []AwardPlan      what the periods of windows award when they close: see "Awards"
//	Leagues    *Leagues         the members of each period of a window are put into cohorts, and promoted and relegated: see "Leagues"; nil: there are none
//	OnceFor    window.Duration  how long a Once key is remembered, at least one second; 0: 24 hours; window.Forever
//
// Validate reports every impossible value; Differences compares two specs.
type Spec = specs.Spec

// Top is a ranking of the best N members: see "Top n". With Reserve members behind them in order, scores can fall without a look at the others: 1 to
// MaxTop; 0: a quarter of N, and 16 at least.
type Top = specs.Top

// Feed makes a board write events, see "Feed". Top is the number of the first places of each window whose changes are events: 1 to MaxFeedTop, or -1 for
// none; 0: 10.
type Feed = specs.Feed

const (
	// MaxFeedTop is the most that Feed.Top may be.
	MaxFeedTop = specs.MaxFeedTop
	// MaxName is the length of the longest name of a board, in bytes.
	MaxName = specs.MaxName
	// MaxParts is the most that Spec.Parts may be.
	MaxParts = specs.MaxParts
	// MaxPartMembers is the most that Spec.PartMembers may be.
	MaxPartMembers = specs.MaxPartMembers
	// MaxK is the most that Spec.K may be.
	MaxK = rules.MaxK
	// MaxTop is the most that the fields of Top may be.
	MaxTop = specs.MaxTop
	// MaxJournal is the most that Spec.Journal may be.
	MaxJournal = specs.MaxJournal
	// MaxMeta is the most that Spec.MaxMeta may be, in bytes.
	MaxMeta = specs.MaxMeta
)
