package season

import (
	"math"
	"math/rand/v2"
)

// player has the fixed traits of a player; All keeps what changes during a season.
type player struct {
	activity float64 // relative number of matches between join and quit
	talent   float64 // standard normal: skill at the start
	progress float64 // how much talent practice adds in the long run
	arena    float64 // share of their matches on each board; the ladder has the rest
	speedrun float64
	join     int32 // hours from the start, half open: plays in [join, quit)
	quit     int32
	habit    uint8 // row of the table of habits
}

// newPlayers makes n players for a season that lasts the given number of hours.
func newPlayers(rng *rand.Rand, n, hours int) []player {
	players := make([]player, n)
	for i, place := range rng.Perm(n) {
		p := &players[i]
		// Zipf-Mandelbrot: the busiest plays about 400 times as much as the laziest of 30,000.
		p.activity = math.Pow(float64(place)+10, -0.75)
		p.talent = rng.NormFloat64()
		p.progress = 0.2 + 0.4*rng.ExpFloat64()
		p.arena = 0.4 + 0.4*rng.Float64()
		p.speedrun = (1 - p.arena) * rng.Float64()
		p.join, p.quit = stay(rng, hours)
		p.habit = uint8(rng.IntN(weekTypes)*24 + favouriteHour(rng))
	}
	return players
}

// stay draws when a player joins and quits: three of ten join late, and three of ten quit, sooner rather than later.
func stay(rng *rand.Rand, hours int) (join, quit int32) {
	quit = int32(hours)
	if rng.Float64() < 0.3 {
		join = int32(rng.IntN(hours * 4 / 5))
	}
	if rng.Float64() < 0.3 {
		length := 1 + int(rng.ExpFloat64()*float64(hours)/4)
		quit = int32(min(hours, int(join)+length))
	}
	return join, quit
}

// favouriteHour draws an hour of UTC, mostly one of an evening: players live everywhere, but not evenly.
func favouriteHour(rng *rand.Rand) int {
	hour := 19.5 + 2*rng.NormFloat64()
	switch u := rng.Float64(); {
	case u < 0.2:
		hour = 12.5 + 1.5*rng.NormFloat64()
	case u < 0.3:
		hour = 1 + 2*rng.NormFloat64()
	}
	return (int(math.Floor(hour))%24 + 24) % 24
}

// The ways to spend a week: evenly, mostly on the weekend, mostly between weekends.
const weekTypes = 3

var (
	workdayWeight = [weekTypes]float64{0.9, 0.25, 1.3}
	weekendWeight = [weekTypes]float64{1.25, 2.9, 0.25}
)

// habits says for each habit how likely each hour of the week is, counted from Monday 0:00.
type habits [weekTypes * 24][hoursPerWeek]float64

func newHabits() *habits {
	h := new(habits)
	for habit := range h {
		week, favourite := habit/24, habit%24
		for hour := range h[habit] {
			weight := workdayWeight[week]
			if hour >= 5*24 {
				weight = weekendWeight[week]
			}
			away := 2 * math.Pi * float64(hour%24-favourite) / 24
			h[habit][hour] = weight * (0.05 + math.Exp(2.5*(math.Cos(away)-1)))
		}
	}
	return h
}
