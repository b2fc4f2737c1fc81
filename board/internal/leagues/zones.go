package leagues

import "github.com/zrankdb/zrank/board"

// zones returns the number of the ranked members of a cohort that are promoted and relegated. The best up are never relegated, also if their tier is the
// highest, so with few members fewer are relegated.
func zones(ranked, up, down, tier, tiers int) (promoted, relegated int) {
	relegated = min(down, max(ranked-up, 0))
	if promoted = min(up, ranked); tier == tiers-1 {
		promoted = 0
	}
	if tier == 0 {
		relegated = 0
	}
	return promoted, relegated
}

// outcome returns that of the member at a place, from 0, among the ranked ones.
func outcome(place, ranked, promoted, relegated int) board.Zone {
	switch {
	case place < promoted:
		return board.ZoneUp
	case place >= ranked-relegated:
		return board.ZoneDown
	}
	return board.ZoneStay
}
