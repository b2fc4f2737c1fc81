package wire

import (
	"time"

	"github.com/zrankdb/zrank/board/awards"
)

// Award is awards.Award.
type Award struct {
	ID       string        `json:"id" doc:"Stays the same after a resettlement and when the member is renamed."`
	Board    string        `json:"board"`
	Window   string        `json:"window"`
	Period   string        `json:"period"`
	Member   Text          `json:"member"`
	Revision int           `json:"revision" doc:"1, or that of the resettlement that has changed what is due. A payment goes by id and revision, so that it is made once."`
	Rank     int           `json:"rank,omitempty" doc:"From 1, in the mode of the plan; absent if the member is not ranked any more."`
	Score    Score         `json:"score,omitempty"`
	Tier     string        `json:"tier,omitempty" doc:"The name of the first of tiers."`
	Payload  string        `json:"payload,omitempty" doc:"What the first of tiers gives."`
	Owed     int64         `json:"owed,omitempty" doc:"What has to be paid, if all payloads are whole numbers: that of tiers, less what had has paid unless tiers stack."`
	Tiers    []awards.Tier `json:"tiers,omitempty" doc:"What is to be granted; or what was granted, if nothing is."`
	Had      []awards.Tier `json:"had,omitempty" doc:"What was granted for the period before a resettlement."`
	State    string        `json:"state" enum:"waiting,failed,granted,withheld,expired"`
	TooMuch  []awards.Tier `json:"tooMuch,omitempty" doc:"What was granted and is not due any more."`
	Expires  *time.Time    `json:"expires,omitempty" doc:"When it cannot be claimed any more."`
	Failures int           `json:"failures,omitempty" doc:"How often it could not be delivered."`
	Next     *time.Time    `json:"next,omitempty" doc:"When delivery is tried again."`
	Reason   string        `json:"reason,omitempty" doc:"Of the last failure, or why it is withheld."`
}

// AwardOf returns an award as JSON has it.
func AwardOf(a awards.Award) Award {
	return Award{ID: a.ID, Board: a.Board, Window: a.Window, Period: a.Period, Member: Text(a.Member), Revision: a.Revision, Rank: a.Rank, Score: ScoreOf(a.Score),
		Tier: a.Tier, Payload: a.Payload, Owed: a.Owed, Tiers: a.Tiers, Had: a.Had, State: a.State.String(), TooMuch: a.TooMuch, Expires: timeOf(a.Expires), Failures: a.Failures,
		Next: timeOf(a.Next), Reason: a.Reason}
}

// AwardsOf returns awards as JSON has them.
func AwardsOf(all []awards.Award) []Award { return list(all, AwardOf) }

// Award is the inverse of AwardOf. Error: awards.ErrNoAward for a state that does not exist.
func (a Award) Award() (awards.Award, error) {
	state, err := awards.ParseState(a.State)
	return awards.Award{ID: a.ID, Board: a.Board, Window: a.Window, Period: a.Period, Member: string(a.Member), Revision: a.Revision, Rank: a.Rank, Score: a.Score.Board(),
		Tier: a.Tier, Payload: a.Payload, Owed: a.Owed, Tiers: a.Tiers, Had: a.Had, State: state, TooMuch: a.TooMuch, Expires: orZero(a.Expires), Failures: a.Failures,
		Next: orZero(a.Next), Reason: a.Reason}, err
}

// BoardAwards is the inverse of AwardsOf. Error: awards.ErrNoAward.
func BoardAwards(all []Award) ([]awards.Award, error) {
	var list []awards.Award
	for _, a := range all {
		award, err := a.Award()
		if err != nil {
			return nil, err
		}
		list = append(list, award)
	}
	return list, nil
}

// Settlement is awards.Settlement.
type Settlement struct {
	Board    string      `json:"board"`
	Window   string      `json:"window"`
	Period   string      `json:"period"`
	End      *time.Time  `json:"end,omitempty"`
	ClosedAt *time.Time  `json:"closedAt,omitempty"`
	Settled  bool        `json:"settled" doc:"The winners are known."`
	Revision int         `json:"revision" doc:"1, and one more with each resettlement."`
	Plan     awards.Plan `json:"plan"`
	Without  []Text      `json:"without,omitempty" doc:"Members that get nothing."`
	Reason   string      `json:"reason,omitempty" doc:"Of the last resettlement."`
	Awards   int         `json:"awards" doc:"The number of members with an award, once settled."`
	Waiting  int         `json:"waiting" doc:"How many of them wait to be delivered or claimed."`
	Failed   int         `json:"failed,omitempty" doc:"How many of those have failed."`
	Expired  int         `json:"expired,omitempty" doc:"How many were not claimed in time."`
	Expires  *time.Time  `json:"expires,omitempty" doc:"When claims end."`
}

// SettlementsOf returns settlements as JSON has them.
func SettlementsOf(all []awards.Settlement) []Settlement {
	return list(all, func(s awards.Settlement) Settlement {
		return Settlement{s.Board, s.Window, s.Period, timeOf(s.End), timeOf(s.ClosedAt), s.Settled, s.Revision, s.Plan, Texts(s.Without), s.Reason, s.Awards, s.Waiting,
			s.Failed, s.Expired, timeOf(s.Expires)}
	})
}

// BoardSettlements is the inverse of SettlementsOf.
func BoardSettlements(all []Settlement) []awards.Settlement {
	return each(all, func(s Settlement) awards.Settlement {
		return awards.Settlement{Board: s.Board, Window: s.Window, Period: s.Period, End: orZero(s.End), ClosedAt: orZero(s.ClosedAt), Settled: s.Settled, Revision: s.Revision,
			Plan: s.Plan, Without: Strings(s.Without), Reason: s.Reason, Awards: s.Awards, Waiting: s.Waiting, Failed: s.Failed, Expired: s.Expired, Expires: orZero(s.Expires)}
	})
}

// Resettlement is awards.Resettlement.
type Resettlement struct {
	Reason  string       `json:"reason,omitempty" doc:"Why: it is kept with the settlement."`
	Without []Text       `json:"without,omitempty" doc:"Members that get nothing: the ranks of the others close up."`
	Plan    *awards.Plan `json:"plan,omitempty" doc:"Another plan; absent: as it was."`
	DryRun  bool         `json:"dryRun,omitempty"`
}

// ResettlementOf returns a resettlement as JSON has it.
func ResettlementOf(r awards.Resettlement) Resettlement {
	return Resettlement{r.Reason, Texts(r.Without), r.Plan, r.DryRun}
}

// Board is the inverse of ResettlementOf.
func (r Resettlement) Board() awards.Resettlement {
	return awards.Resettlement{Reason: r.Reason, Without: Strings(r.Without), Plan: r.Plan, DryRun: r.DryRun}
}

// AwardChange is awards.Change.
type AwardChange struct {
	Member  Text          `json:"member"`
	Rank    int           `json:"rank,omitempty" doc:"From 1, by now; absent if nothing is due any more."`
	Was     []awards.Tier `json:"was,omitempty" doc:"What was due."`
	Is      []awards.Tier `json:"is,omitempty" doc:"What is due."`
	Granted []awards.Tier `json:"granted,omitempty" doc:"What was granted already."`
	ToGrant []awards.Tier `json:"toGrant,omitempty" doc:"What will be granted."`
	TooMuch []awards.Tier `json:"tooMuch,omitempty" doc:"What was granted and is not due."`
}

// Correction is awards.Difference.
type Correction struct {
	Gained  int           `json:"gained"`
	Lost    int           `json:"lost"`
	TooMuch int           `json:"tooMuch"`
	Changes []AwardChange `json:"changes"`
}

// CorrectionOf returns a correction as JSON has it.
func CorrectionOf(c awards.Difference) Correction {
	return Correction{c.Gained, c.Lost, c.TooMuch, list(c.Changes, func(x awards.Change) AwardChange {
		return AwardChange{Text(x.Member), x.Rank, x.Was, x.Is, x.Granted, x.ToGrant, x.TooMuch}
	})}
}

// Board is the inverse of CorrectionOf.
func (c Correction) Board() awards.Difference {
	return awards.Difference{Gained: c.Gained, Lost: c.Lost, TooMuch: c.TooMuch, Changes: each(c.Changes, func(x AwardChange) awards.Change {
		return awards.Change{Member: string(x.Member), Rank: x.Rank, Was: x.Was, Is: x.Is, Granted: x.Granted, ToGrant: x.ToGrant, TooMuch: x.TooMuch}
	})}
}
