package ops

import (
	"context"
	"iter"

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

// AwardsArgs selects the awards of a period.
type AwardsArgs struct {
	OnWindow
	Period string        `path:"period" doc:"The name of a closed period."`
	State  *awards.State `query:"state" doc:"Those of a state: waiting, failed, granted, withheld or expired."`
	Member string        `query:"member,text" doc:"That of a member."`
	Skip   int           `query:"skip" minimum:"0" doc:"How many awards to leave out."`
	N      int           `query:"n" default:"100" minimum:"0" doc:"How many at most."`
}

// ResettleArgs is a resettlement.
type ResettleArgs struct {
	OnWindow
	Period string `path:"period" doc:"The name of a closed period."`
	Body   awards.Resettlement
}

// ClaimArgs is a claim.
type ClaimArgs struct {
	OnBoard
	Body struct {
		Member string `json:"member,text"`
		ID     string `json:"id" doc:"The id of the award."`
	}
}

// MemberName returns the name of the member.
func (a *ClaimArgs) MemberName() string { return a.Body.Member }

// WithholdArgs is an award and why it is withheld.
type WithholdArgs struct {
	OnBoard
	Body struct {
		ID     string `json:"id" doc:"The id of the award."`
		Reason string `json:"reason,omitempty" doc:"Why it is withheld."`
	}
}

// ReleaseArgs is an award.
type ReleaseArgs struct {
	OnBoard
	Body struct {
		ID string `json:"id" doc:"The id of the award."`
	}
}

const awarding = "Awards"

// Operations on awards.
var (
	// ListAwards is board.Board.Awards.
	ListAwards = onBoard(Op{ID: "listAwards", Route: "GET /boards/{board}/windows/{window}/periods/{period}/awards",
		Command: "BOARD.AWARDS board window period [STATE state] [MEMBER member] [SKIP skip] [COUNT n]", Cost: "O(A) for A awards", Heading: awarding,
		Summary: "The awards of a closed period, by place"},
		func(ctx context.Context, e *Env, b board.Board, a *AwardsArgs) (o Awards, err error) {
			o.Awards, o.More, err = page(e, a.N, behind(a.Skip, a.selected(ctx, b)))
			return o, err
		})
	// Resettle is board.Board.Resettle.
	Resettle = onBoard(Op{ID: "resettle", Route: "POST /boards/{board}/windows/{window}/periods/{period}/resettle", Heading: awarding,
		Right: ToModerate, Summary: "Settles a closed period again, without some members or by another plan"},
		func(ctx context.Context, e *Env, b board.Board, a *ResettleArgs) (awards.Difference, error) {
			return b.Resettle(ctx, a.Window, a.Period, a.Body)
		})
	// ListSettlements is board.Board.Settlements.
	ListSettlements = onBoard(Op{ID: "listSettlements", Route: "GET /boards/{board}/windows/{window}/settlements",
		Command: "BOARD.SETTLEMENTS board window", Cost: "O(S) for S settled periods", Heading: awarding,
		Summary: "The periods of a window that award something"},
		func(ctx context.Context, e *Env, b board.Board, a *OnWindow) (o Settlements, err error) {
			o.Settlements, err = b.Settlements(ctx, a.Window)
			return o, err
		})
	// ListAwardsOf is board.Board.AwardsOf.
	ListAwardsOf = onBoard(Op{ID: "listAwardsOf", Route: "GET /boards/{board}/awards",
		Command: "BOARD.AWARDSOF board member", Cost: "O(S*log(A)) for S settled periods of A awards", Heading: awarding, Own: true,
		Summary: "The awards of a member in all periods"},
		func(ctx context.Context, e *Env, b board.Board, a *MemberArgs) (o Awards, err error) {
			o.Awards, err = b.AwardsOf(ctx, a.Member)
			return o, err
		})
	// ListClaimable is board.Board.Claimable.
	ListClaimable = onBoard(Op{ID: "listClaimable", Route: "GET /boards/{board}/claimable",
		Command: "BOARD.CLAIM board member", Cost: "O(S*log(A)) for S settled periods of A awards", Heading: awarding, Own: true,
		Summary: "The awards that a member can claim now"},
		func(ctx context.Context, e *Env, b board.Board, a *MemberArgs) (o Awards, err error) {
			o.Awards, err = b.Claimable(ctx, a.Member)
			return o, err
		})
	// ClaimAward is board.Board.Claim.
	ClaimAward = onBoard(Op{ID: "claimAward", Route: "POST /boards/{board}/awards/claim",
		Command: "BOARD.CLAIM board member id", Cost: "O(log(A)) for A awards", Heading: awarding, Right: ToSubmit, Own: true,
		Summary: "Grants an award to its member, once"},
		func(ctx context.Context, e *Env, b board.Board, a *ClaimArgs) (awards.Award, error) {
			return b.Claim(ctx, a.Body.Member, a.Body.ID)
		})
	// WithholdAward is board.Board.Withhold.
	WithholdAward = onBoard(Op{ID: "withholdAward", Route: "POST /boards/{board}/awards/withhold",
		Command: "BOARD.WITHHOLD board id [REASON reason]", Cost: "O(log(A)) for A awards", Heading: awarding, Right: ToModerate,
		Summary: "Withholds an award that waits"},
		func(ctx context.Context, e *Env, b board.Board, a *WithholdArgs) (None, error) {
			return None{}, b.Withhold(ctx, a.Body.ID, a.Body.Reason)
		})
	// ReleaseAward is board.Board.Release.
	ReleaseAward = onBoard(Op{ID: "releaseAward", Route: "POST /boards/{board}/awards/release",
		Command: "BOARD.RELEASE board id", Cost: "O(log(A)) for A awards", Heading: awarding, Right: ToModerate,
		Summary: "Makes a withheld award wait again"},
		func(ctx context.Context, e *Env, b board.Board, a *ReleaseArgs) (None, error) {
			return None{}, b.Release(ctx, a.Body.ID)
		})
)

// selected returns the awards that the arguments select.
func (a *AwardsArgs) selected(ctx context.Context, b board.Board) iter.Seq2[awards.Award, error] {
	return func(yield func(awards.Award, error) bool) {
		for x, err := range a.all(ctx, b) {
			if (err != nil || a.State == nil || x.State == *a.State) && !yield(x, err) {
				return
			}
		}
	}
}

// all returns the awards of the period: of the member, if one is named.
func (a *AwardsArgs) all(ctx context.Context, b board.Board) iter.Seq2[awards.Award, error] {
	of := b.Awards(ctx, a.Window, a.Period)
	if a.Member == "" {
		return of
	}
	return func(yield func(awards.Award, error) bool) {
		for _, err := range of { // an error says that the period has none
			if err != nil {
				yield(awards.Award{}, err)
				return
			}
			break
		}
		list, err := b.AwardsOf(ctx, a.Member)
		if err != nil {
			yield(awards.Award{}, err)
		}
		for _, x := range list {
			if x.Window == a.Window && x.Period == a.Period && !yield(x, nil) {
				return
			}
		}
	}
}
