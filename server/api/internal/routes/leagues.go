package routes

import (
	"context"

	"github.com/zrankdb/zrank/board"
)

// LeagueIn selects a cohort.
type LeagueIn struct {
	OnBoard
	About
	Period string `query:"period" doc:"The name of a period; absent: the live one."`
}

// TierOf is a tier.
type TierOf struct {
	Tier string `json:"tier"`
}

// SettingTier gives a member another tier.
type SettingTier struct {
	OnBoard
	Body struct {
		Member string `json:"member,text"`
		Tier   string `json:"tier"`
		board.Action
	}
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

// PromotionsIn selects promotions.
type PromotionsIn struct {
	OnBoard
	Period string `query:"period" required:"true" doc:"The name of a closed period."`
	Skip   int    `query:"skip" minimum:"0" doc:"How many to leave out."`
	N      int    `query:"n" default:"100" doc:"How many at most."`
}

// registerLeagues registers operations on cohorts and tiers, and on who wants to hear of overtaking.
func registerLeagues(r *Router) {
	const tag = "Leagues"
	const what = "leagues"
	add(r, operation("getLeague", "GET /v1/boards/{board}/league", tag, "The cohort of a member"), readerOwn, func(ctx context.Context, in *LeagueIn) (o board.League, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		var l board.League
		if in.Period == "" {
			l, err = x.League(ctx, in.memberName())
		} else {
			l, err = x.LeagueOf(ctx, in.Period, in.memberName())
		}
		return l, err
	})
	add(r, operation("getTier", "GET /v1/boards/{board}/tier", tag, "The tier of a member"), readerOwn, func(ctx context.Context, in *struct {
		OnBoard
		About
	}) (o TierOf, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		o.Tier, err = x.Tier(ctx, in.memberName())
		return o, err
	})
	add(r, operation("setTier", "PUT /v1/boards/{board}/tier", tag, "Gives a member another tier"), moderator, func(ctx context.Context, in *SettingTier) (o Entry, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		o.Entry, err = x.SetTier(ctx, in.Body.Member, in.Body.Tier, action(ctx, in.Body.Action))
		return o, err
	})
	add(r, operation("listPromotions", "GET /v1/boards/{board}/promotions", tag, "Who was promoted and relegated"), reader, r.promotions)
	registerWatches(r)
}

func (r *Router) promotions(ctx context.Context, in *PromotionsIn) (o Promotions, err error) {
	x, err := r.Boards.Board(ctx, in.Board)
	if err != nil {
		return o, err
	}
	o.Promotions, o.More, err = page(r, in.N, behind(in.Skip, x.Promotions(ctx, in.Period)))
	return o, err
}

// registerWatches registers who wants to hear of everybody who overtakes it.
func registerWatches(r *Router) {
	type aboutMember struct {
		OnBoard
		About
	}
	do(r, operation("watch", "PUT /v1/boards/{board}/watch", "Feed", "The member wants to hear of everybody who overtakes it"), submitOwn, func(ctx context.Context, in *aboutMember) error {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return err
		}
		return x.Watch(ctx, in.memberName())
	})
	do(r, operation("unwatch", "DELETE /v1/boards/{board}/watch", "Feed", "The member does not want to hear of it any more"), submitOwn, func(ctx context.Context, in *aboutMember) error {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return err
		}
		return x.Unwatch(ctx, in.memberName())
	})
}
