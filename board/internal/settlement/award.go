package settlement

import (
	"math/big"
	"strconv"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/state"
)

// award returns the award of an entry. now is in microseconds after 1970.
func (w work) award(n *names, s *state.Settling, member string, e entry, now int64) awards.Award {
	a := awards.Award{Board: w.b.State().Name, Window: w.s.Window, Period: w.s.Period, Member: member, Revision: int(e.revision), Rank: int(e.rank)}
	a.ID = id{board: a.Board, window: a.Window, period: a.Period, name: n.inID(member)}.String()
	give := e.toGrant(s)
	switch {
	case e.flag == withheld:
		a.State = awards.Withheld
	case give == 0:
		a.State = awards.Granted
	case e.flag == failed:
		a.State = awards.Failed
	}
	if at, ok := s.Expires(); ok {
		a.Expires = at
		if a.State == awards.Waiting && now >= at.UnixMicro() {
			a.State = awards.Expired
		}
	}
	if a.TooMuch = tiersOf(s, e.tooMuch(s)); give != 0 {
		a.Tiers, a.Had = tiersOf(s, give), tiersOf(s, e.granted)
		a.Owed = owed(s.Plan.Stack, a.Tiers, a.Had)
	} else {
		a.Tiers = tiersOf(s, e.granted)
	}
	if len(a.Tiers) > 0 {
		a.Tier, a.Payload = a.Tiers[0].Name, a.Tiers[0].Payload
	}
	return a
}

// owed returns what tiers are worth above those that a member had. Without Stack a better tier takes the place of the one before, so the best one before is what
// the member has got. It returns 0 if a payload is no whole number, or the sum is out of range.
func owed(stack bool, tiers, had []awards.Tier) int64 {
	sum, got := new(big.Int), new(big.Int)
	for _, t := range tiers {
		worth, err := strconv.ParseInt(t.Payload, 10, 64)
		if err != nil {
			return 0
		}
		sum.Add(sum, big.NewInt(worth))
	}
	for _, t := range had {
		worth, err := strconv.ParseInt(t.Payload, 10, 64)
		if err != nil {
			return 0
		}
		if x := big.NewInt(worth); !stack && x.Cmp(got) > 0 {
			got = x
		}
	}
	if sum.Sub(sum, got); sum.Sign() < 0 || !sum.IsInt64() {
		return 0
	}
	return sum.Int64()
}
