package leagues

import (
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/zset"
)

// CheckTiers checks the tiers of members, CO6, and returns what is wrong with the first bad one, "" if there is none. O(members).
func CheckTiers(v *zset.IntView) string {
	for member, tier := range v.Range(0, v.Len()) {
		if tier < 1 || tier >= board.MaxTiers {
			return fmt.Sprintf("member %q has tier %d", member, tier)
		}
	}
	return ""
}

// Check checks the cohorts of a period, CO2 and the numbers, and returns what is wrong with the first bad one, "" if there is none. settled says that every
// member has an outcome; closed, that some may have one. O(members).
func Check(v *zset.IntView, l *board.Leagues, closed, settled bool) string {
	size := 0
	var last number
	var before board.Zone
	for _, score := range v.Range(0, v.Len()) {
		n, o := split(score)
		if n != last || size == 0 {
			size, last, before = 0, n, o
		}
		size++
		at := fmt.Sprintf("cohort %d of tier %d, band %d", n.sequence()+1, n.tier(), n.band())
		switch {
		case n.tier() == queue && n.band() <= len(l.Bands) && size == 1 && o == board.Unsettled && !settled:
		case n.tier() < 0 || n.tier() >= len(l.Tiers) || n.band() > len(l.Bands):
			return at + ": there is no such tier or band"
		case size > l.Size:
			return fmt.Sprintf("%s has more than %d members", at, l.Size)
		case (o == board.Unsettled) != (before == board.Unsettled):
			return at + " is settled in part"
		case o != board.Unsettled && !closed:
			return at + " is settled, and the period is open"
		case o == board.Unsettled && settled:
			return at + " is not settled, and the period is"
		}
	}
	return ""
}
