package ops

import (
	"context"

	"github.com/zrankdb/zrank/board"
)

// TierOf is a tier.
type TierOf struct {
	Tier string `json:"tier"`
}

// Entry is the number of an entry of the audit log.
type Entry struct {
	Entry uint64 `json:"entry" doc:"The number of the entry in the audit log; 0 in a dry run."`
}

// Promotions is the members that a period has promoted and relegated.
type Promotions struct {
	Promotions []board.Promotion `json:"promotions"`
	More       bool              `json:"more,omitempty" doc:"There are more: ask again with skip."`
}

// LeagueArgs selects a cohort.
type LeagueArgs struct {
	OnBoard
	About
	Period string `query:"period" doc:"The name of a period; absent: the live one."`
}

// TierArgs gives a member another tier.
type TierArgs struct {
	OnBoard
	Body struct {
		Member string `json:"member,text"`
		Tier   string `json:"tier"`
		board.Action
	}
}

// PromotionsArgs selects promotions.
type PromotionsArgs struct {
	OnBoard
	Period string `query:"period" required:"true" doc:"The name of a closed period."`
	Skip   int    `query:"skip" minimum:"0" doc:"How many to leave out."`
	N      int    `query:"n" default:"100" minimum:"0" doc:"How many at most."`
}

const leagues = "Leagues"

// Operations on cohorts and tiers, and on who wants to hear of everybody who overtakes it.
var (
	// GetLeague is board.Board.League and LeagueOf.
	GetLeague = onBoard(Op{ID: "getLeague", Route: "GET /boards/{board}/league",
		Command: "BOARD.LEAGUE board member [PERIOD period]", Cost: "O(S*log(N)) for a cohort of S members", Heading: leagues, Own: true, Summary: "The cohort of a member"},
		func(ctx context.Context, e *Env, b board.Board, a *LeagueArgs) (board.League, error) {
			if a.Period == "" {
				return b.League(ctx, a.Member)
			}
			return b.LeagueOf(ctx, a.Period, a.Member)
		})
	// GetTier is board.Board.Tier.
	GetTier = onBoard(Op{ID: "getTier", Route: "GET /boards/{board}/tier",
		Command: "BOARD.TIER board member", Cost: "O(1)", Heading: leagues, Own: true, Summary: "The tier of a member"},
		func(ctx context.Context, e *Env, b board.Board, a *MemberArgs) (o TierOf, err error) {
			o.Tier, err = b.Tier(ctx, a.Member)
			return o, err
		})
	// SetTier is board.Board.SetTier.
	SetTier = onBoard(Op{ID: "setTier", Route: "PUT /boards/{board}/tier",
		Command: "BOARD.SETTIER board member tier [REASON reason] [DRYRUN=dryRun]", Cost: "O(1)", Heading: leagues, Right: ToModerate, Summary: "Gives a member another tier"},
		func(ctx context.Context, e *Env, b board.Board, a *TierArgs) (o Entry, err error) {
			o.Entry, err = b.SetTier(ctx, a.Body.Member, a.Body.Tier, e.action(a.Body.Action))
			return o, err
		})
	// ListPromotions is board.Board.Promotions.
	ListPromotions = onBoard(Op{ID: "listPromotions", Route: "GET /boards/{board}/promotions",
		Command: "BOARD.PROMOTIONS board period [SKIP skip] [COUNT n]", Cost: "O(P) for P promotions", Heading: leagues, Summary: "Who was promoted and relegated"},
		func(ctx context.Context, e *Env, b board.Board, a *PromotionsArgs) (o Promotions, err error) {
			o.Promotions, o.More, err = page(e, a.N, behind(a.Skip, b.Promotions(ctx, a.Period)))
			return o, err
		})
	// Watch is board.Board.Watch.
	Watch = onBoard(Op{ID: "watch", Route: "PUT /boards/{board}/watch",
		Command: "BOARD.WATCH board member", Cost: "O(1)", Heading: "Feed", Right: ToSubmit, Own: true,
		Summary: "The member wants to hear of everybody who overtakes it"},
		func(ctx context.Context, e *Env, b board.Board, a *MemberArgs) (None, error) {
			return None{}, b.Watch(ctx, a.Member)
		})
	// Unwatch is board.Board.Unwatch.
	Unwatch = onBoard(Op{ID: "unwatch", Route: "DELETE /boards/{board}/watch",
		Command: "BOARD.UNWATCH board member", Cost: "O(1)", Heading: "Feed", Right: ToSubmit, Own: true,
		Summary: "The member does not want to hear of it any more"},
		func(ctx context.Context, e *Env, b board.Board, a *MemberArgs) (None, error) {
			return None{}, b.Unwatch(ctx, a.Member)
		})
)
