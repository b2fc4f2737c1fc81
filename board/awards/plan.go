package awards

import (
	"math"
	"math/bits"

	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

const (
	// MaxTiers is the most tiers that a plan has.
	MaxTiers = 64
	// MaxName is the length of the longest name of a tier, in bytes.
	MaxName = 64
	// MaxPayload is the length of the longest payload, in bytes.
	MaxPayload = 16 << 10
	// MaxRank is the highest rank that a tier may name.
	MaxRank = 1 << 30
)

// Plan says what the periods of one window award when they close.
type Plan struct {
	// Window is the name of the window.
	Window string `json:"window"`
	// Mode says which ranks members of equal score have, and so in which tier they are: see A2. Ordinal unless set.
	Mode rules.Mode `json:"mode,omitempty"`
	// Stack says that a member gets all tiers that have it, not the first one only.
	Stack bool `json:"stack,omitempty"`
	// Claim says that members collect their awards. Without it the program delivers them.
	Claim bool `json:"claim,omitempty"`
	// Expires is how long an award can be claimed after its period was closed. 0: for ever. Only with Claim.
	Expires window.Duration `json:"expires,omitempty"`
	// DropUndelivered lets a window drop a period that it does not keep although some of its awards have not been delivered.
	DropUndelivered bool `json:"dropUndelivered,omitempty"`
	// Tiers are 1 to MaxTiers of different names, the best first.
	Tiers []Tier `json:"tiers"`
}

// Tier is a group of members and what they get. It has one of: From, Percent, Score, Everyone.
type Tier struct {
	// Name is 1 to MaxName bytes of UTF-8 without control characters and slashes.
	Name string `json:"name"`
	// From is the first rank of a range, from 1, in the mode of the plan.
	From int `json:"from,omitempty"`
	// To is the last rank of the range. 0 means From.
	To int `json:"to,omitempty"`
	// Percent, above 0 and up to 100, has the best percent of the members, rounded down: those with a rank up to that number. In the mode Dense it is
	// the rank in the mode Competition: members count, and not scores.
	Percent float64 `json:"percent,omitempty"`
	// Score has everyone with this score or a better one.
	Score *rules.Score `json:"score,omitempty"`
	// Everyone has everyone who took part.
	Everyone bool `json:"everyone,omitempty"`
	// Payload is at most MaxPayload bytes of UTF-8.
	Payload string `json:"payload,omitempty"`
}

// MaxRank returns the last rank of the tiers, which is more than any rank if one of them is no range of ranks.
func (p *Plan) MaxRank() (rank int) {
	for i := range p.Tiers {
		if p.Tiers[i].From == 0 {
			return math.MaxInt
		}
		rank = max(rank, p.Tiers[i].last())
	}
	return rank
}

// Field is what a plan needs to know of a ranking.
type Field struct {
	Members int   // the number of members that may get awards
	Reached []int // for each tier with a Score, at its index, the number of places with that score or a better one
}

// Standing is where a member stands in the ranking of a closed period.
type Standing struct {
	Rank  int // from 1, in the mode of the plan, among the members that may get awards
	Place int // from 1, in the whole ranking
	// Competition is the rank in that mode: how many members are before, and one. Percent counts members by it where dense ranks count scores. 0: Rank.
	Competition int
}

// For returns the tiers of a standing, as a set of bits: bit i for tier i. more is false if no place behind it is in any tier. O(tiers).
func (p *Plan) For(s Standing, f Field) (tiers uint64, more bool) {
	for i := range p.Tiers {
		in, later := p.Tiers[i].has(s, f, i)
		if more = more || later; in {
			tiers |= 1 << i
		}
	}
	if !p.Stack && tiers != 0 {
		tiers = 1 << bits.TrailingZeros64(tiers)
	}
	return tiers, more
}

// has reports whether tier i has a standing, and whether it may have one of a later place.
func (t *Tier) has(s Standing, f Field, i int) (in, later bool) {
	switch {
	case t.Everyone:
		return true, true
	case t.Score != nil:
		return s.Place <= f.Reached[i], s.Place < f.Reached[i]
	case t.Percent > 0:
		rank, last := s.Rank, rules.InBest(t.Percent, f.Members)
		if s.Competition > 0 {
			rank = s.Competition
		}
		return rank <= last, rank <= last
	}
	return t.From <= s.Rank && s.Rank <= t.last(), s.Rank <= t.last()
}

// last returns the last rank of a range.
func (t *Tier) last() int { return max(t.From, t.To) }
