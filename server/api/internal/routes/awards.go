package routes

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
)

// Awards is a list of awards.
type Awards struct {
	Awards []awards.Award `json:"awards"`
	More   bool           `json:"more,omitempty" doc:"There are more: ask again with skip."`
}

// Settlements is the settlements of a window.
type Settlements struct {
	Settlements []awards.Settlement `json:"settlements" doc:"In order of time."`
}

// Claiming is a claim.
type Claiming struct {
	OnBoard
	Body struct {
		Member string `json:"member,text"`
		ID     string `json:"id" doc:"The id of the award."`
	}
}

func (c Claiming) memberName() string { return string(c.Body.Member) }

// Withholding is an award and why it is withheld.
type Withholding struct {
	OnBoard
	Body struct {
		ID     string `json:"id" doc:"The id of the award."`
		Reason string `json:"reason,omitempty" doc:"Why it is withheld."`
	}
}

// Releasing is an award.
type Releasing struct {
	OnBoard
	Body struct {
		ID string `json:"id" doc:"The id of the award."`
	}
}

// Resettling is a resettlement.
type Resettling struct {
	OnWindow
	Period string `path:"period" doc:"The name of a closed period."`
	Body   awards.Resettlement
}

// AwardsIn selects the awards of a period.
type AwardsIn struct {
	OnWindow
	Period string `path:"period" doc:"The name of a closed period."`
	Skip   int    `query:"skip" minimum:"0" doc:"How many awards to leave out."`
	N      int    `query:"n" default:"100" doc:"How many at most."`
}

// registerAwards registers operations on awards.
func registerAwards(r *Router) {
	const tag = "Awards"
	const what = "awards"
	add(r, operation("listAwards", "GET /v1/boards/{board}/windows/{window}/periods/{period}/awards", tag, "The awards of a closed period, by place"), reader, func(ctx context.Context, in *AwardsIn) (o Awards, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		o.Awards, o.More, err = page(r, in.N, behind(in.Skip, x.Awards(ctx, in.Window, in.Period)))
		return o, err
	})
	add(r, operation("resettle", "POST /v1/boards/{board}/windows/{window}/periods/{period}/resettle", tag, "Settles a closed period again, without some members or by another plan"), moderator, func(ctx context.Context, in *Resettling) (o awards.Difference, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		return x.Resettle(ctx, in.Window, in.Period, in.Body)
	})
	add(r, operation("listSettlements", "GET /v1/boards/{board}/windows/{window}/settlements", tag, "The periods of a window that award something"), reader, func(ctx context.Context, in *OnWindow) (o Settlements, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		list, err := x.Settlements(ctx, in.Window)
		return Settlements{list}, err
	})
	registerMemberAwards(r)
}

func registerMemberAwards(r *Router) {
	const tag = "Awards"
	const what = "awards"
	type aboutMember struct {
		OnBoard
		About
	}
	of := func(id, path, summary string, list func(x board.Board, ctx context.Context, member string) ([]awards.Award, error)) {
		add(r, operation(id, "GET /v1/boards/{board}/"+path, tag, summary), readerOwn, func(ctx context.Context, in *aboutMember) (o Awards, err error) {
			x, err := r.Boards.Board(ctx, in.Board)
			if err != nil {
				return o, err
			}
			all, err := list(x, ctx, in.memberName())
			return Awards{Awards: all}, err
		})
	}
	of("listAwardsOf", "awards", "The awards of a member in all periods", board.Board.AwardsOf)
	of("listClaimable", "claimable", "The awards that a member can claim now", board.Board.Claimable)
	add(r, operation("claimAward", "POST /v1/boards/{board}/awards/claim", tag, "Grants an award to its member, once"), submitOwn, func(ctx context.Context, in *Claiming) (o awards.Award, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		return x.Claim(ctx, in.memberName(), in.Body.ID)
	})
	do(r, operation("withholdAward", "POST /v1/boards/{board}/awards/withhold", tag, "Withholds an award that waits"), moderator, func(ctx context.Context, in *Withholding) error {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return err
		}
		return x.Withhold(ctx, in.Body.ID, in.Body.Reason)
	})
	do(r, operation("releaseAward", "POST /v1/boards/{board}/awards/release", tag, "Makes a withheld award wait again"), moderator, func(ctx context.Context, in *Releasing) error {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return err
		}
		return x.Release(ctx, in.Body.ID)
	})
}
