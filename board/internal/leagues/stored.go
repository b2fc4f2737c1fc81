package leagues

import "github.com/zrankdb/zrank/board"

// Stored is the place of a member in the cohorts of a period, as it is stored: for boards that are written to a file and made of one.
type Stored struct {
	Tier    int
	Band    int
	Number  int64 // of the cohort among those of its tier and band, from 0
	Outcome board.Zone
}

// StoredOf returns what the score of an entry of the set of cohorts says.
func StoredOf(score int64) Stored {
	n, o := split(score)
	return Stored{n.tier(), n.band(), n.sequence(), o}
}

// Score is the inverse of StoredOf. ok is false for a place that there cannot be.
func (s Stored) Score() (score int64, ok bool) {
	score = numberOf(s.Tier, s.Band, s.Number).score(s.Outcome)
	return score, StoredOf(score) == s
}
