package leagues

import "github.com/zrankdb/zrank/board"

const (
	outcomeBits  = 2
	sequenceBits = 32
	bandBits     = 10
)

// queue is the tier of the cohorts of the queue, which have one member each.
const queue = board.MaxTiers

// number is the number of a cohort.
type number int64

// numberOf returns the number of a cohort by its tier and band, and its place among those, from 0.
func numberOf(tier, band int, sequence int64) number {
	return number(int64(tier)<<(bandBits+sequenceBits) | int64(band)<<sequenceBits | sequence)
}

func (n number) tier() int { return int(n >> (bandBits + sequenceBits)) }

func (n number) band() int { return int(n>>sequenceBits) & (1<<bandBits - 1) }

func (n number) sequence() int64 { return int64(n) & (1<<sequenceBits - 1) }

// score returns the score of a member with an outcome.
func (n number) score(o board.Zone) int64 { return int64(n)<<outcomeBits | int64(o) }

// split returns the cohort and the outcome of a score.
func split(score int64) (number, board.Zone) {
	return number(score >> outcomeBits), board.Zone(score & (1<<outcomeBits - 1))
}
