package relocation

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// Archive is boards that can be written to a file, and made of one. They stay where they are, and so may have more than those that move.
type Archive interface {
	Store
	// Written returns a board to be written. Errors: board.ErrNoBoard, those of the store.
	Written(ctx context.Context, name string) (Written, error)
	// Made returns a new board that nobody sees yet. Errors: board.ErrBoardExists, those of the store.
	Made(ctx context.Context, spec board.Spec) (Made, error)
	// Groups returns the groups of a kind, in the order of their names, as they are at one moment. O(members log members). Errors: board.ErrNoGroups, that of ctx, those of the store.
	Groups(ctx context.Context, kind string) ([]Group, error)
	// PutGroups makes a kind of groups with its groups, whole or not at all, unless there is such a kind. O(members). Errors: board.ErrGroups, board.ErrGroupExists, board.ErrMeta,
	// board.ErrMember and board.ErrInGroup for groups that cannot be; that of ctx, those of the store.
	PutGroups(ctx context.Context, kind string, groups []Group) (made bool, err error)
}

// Group is a group with its members.
type Group struct {
	Name    string
	Created int64    // microseconds after 1970
	Meta    []byte   // empty: none
	Members []string // in the order of their names
}

// Written is a board that is written to a file.
type Written interface {
	Source
	// Rules are those of the board.
	Rules() *rules.Rules
	// Ordered calls fn with the entries of a ranking in order, hidden ones among the others, some at a time.
	Ordered(ctx context.Context, r Ranking, fn func([]Entry) error) error
	// Best calls fn with the best ranks of a window, by rank and member.
	Best(ctx context.Context, window string, fn func(member string, rank int64) error) error
	// Tiers calls fn with the tiers of members in the leagues of a window, by tier and member; those in the lowest one, 0, are left out.
	Tiers(ctx context.Context, window string, fn func(member string, tier int64) error) error
	// Cohorts calls fn with the members of the cohorts of a period, by cohort and member.
	Cohorts(ctx context.Context, r Ranking, fn func(Cohort) error) error
	// Points calls fn with what is stored of the points of members in an open period of a derived board, by member. Parts of groups that are gone are left out.
	Points(ctx context.Context, r Ranking, fn func(Points) error) error
	// Settlement returns what a closed period awards; nil: nothing.
	Settlement(ctx context.Context, r Ranking) (*Settlement, error)
}

// Made is a board that is made of a file.
type Made interface {
	Target
	// Rules are those of the board.
	Rules() *rules.Rules
	// CheckPeriod returns an error for a period that the window does not have.
	CheckPeriod(name string, p window.Period) error
	// PutBest stores the best rank of a member.
	PutBest(window, member string, rank int64) error
	// PutTier stores the tier of a member.
	PutTier(window, member string, tier int64) error
	// PutCohort stores that a member is in a cohort.
	PutCohort(r Ranking, c Cohort) error
	// PutPoints stores the points of a member of a derived board when the board is opened, as far as they are those of groups that there are then.
	PutPoints(r Ranking, p Points) error
	// PutSettlement stores what a closed period awards, after Finish.
	PutSettlement(ctx context.Context, r Ranking, s *Settlement) error
}

// Cohort is the place of a member in the cohorts of a period: see leagues.Stored.
type Cohort struct {
	Member  string
	Tier    int
	Band    int
	Number  int64
	Outcome uint8
}

// Points is what is stored of the points of a member in a period of a derived board: see totals.Points.
type Points struct {
	Member string
	Base   *Part // for the group that the member is in; nil: none
	Left   []Part
}

// Part is a part of the score of a member: the columns that are added up.
type Part struct {
	Group string
	Score rules.Score
}

// Settlement is what a closed period awards.
type Settlement struct {
	State  *state.Settling
	Awards []Award // by place
}

// Award is an award: see settlement.Stored.
type Award struct {
	Member       string
	Place        int64
	Rank         uint32
	Revision     uint8
	Due, Granted uint64
	Failed       bool
	Withheld     bool
	Failures     int
	Next         int64
	Reason       string
}
