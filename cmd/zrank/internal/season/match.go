package season

import (
	"math"
	"math/rand/v2"
)

// The names of the boards.
const (
	Arena    = "arena"
	Speedrun = "speedrun"
	Ladder   = "ladder"
)

const (
	firstRating  = 1200.0
	ratingFactor = 24.0 // Elo's K
	worstRating  = 100.0
)

// play plays one match at the given hour of the season and returns its board and score. A match on the ladder updates rating.
func (p *player) play(rng *rand.Rand, hour float64, rating *float64) (board string, score float64) {
	weeks := (hour - float64(p.join)) / hoursPerWeek
	skill := p.talent + p.progress*(1-math.Exp(-weeks/3))
	switch u := rng.Float64(); {
	case u < p.arena:
		return Arena, arenaPoints(rng, skill)
	case u < p.arena+p.speedrun:
		return Speedrun, runTime(rng, skill)
	}
	*rating = rate(rng, skill, *rating)
	return Ladder, math.Round(*rating)
}

// arenaPoints is 1 to 99, about 9 for most.
func arenaPoints(rng *rand.Rand, skill float64) float64 {
	return math.Min(99, 1+math.Floor(8*math.Exp(0.35*skill+0.5*rng.NormFloat64())))
}

// runTime is the time of a speedrun in seconds: 84, which nobody beats, and a part that skill shortens. That part is log-normal, so a bad
// day costs more than a good day wins.
func runTime(rng *rand.Rand, skill float64) float64 {
	seconds := 84 + 60*math.Exp(-0.45*skill+0.2*rng.NormFloat64())
	return math.Round(seconds*1000) / 1000
}

// rate plays against an opponent of about the same rating and returns the player's new rating. A rating moves towards 1200 + 250 * skill.
func rate(rng *rand.Rand, skill, rating float64) float64 {
	opponent := rating + 80*rng.NormFloat64()
	won := 0.0
	if rng.Float64() < winChance(firstRating+250*skill, opponent) {
		won = 1
	}
	return math.Max(worstRating, rating+ratingFactor*(won-winChance(rating, opponent)))
}

// winChance is Elo's: 400 points more win ten of eleven.
func winChance(rating, opponent float64) float64 {
	return 1 / (1 + math.Pow(10, (opponent-rating)/400))
}
