package season

import (
	"iter"
	"math"
	"math/rand/v2"
	"sort"
	"time"
)

// Result is one match of one player.
type Result struct {
	Time   time.Time // UTC, to the millisecond
	Board  string    // Arena, Speedrun or Ladder
	Player string
	Score  float64
}

// The streams of random numbers of one seed.
const (
	playersStream = 1
	playStream    = 2
)

// Season is the players and the times at which they play. It does not change: several goroutines may range over All at once.
type Season struct {
	config  Config
	names   []string
	players []player
	habits  *habits
	start   int       // the hour of the week at the start, from Monday 0:00 UTC
	until   []float64 // until[h] is the sum of the weights of hours 0 to h; it ends with the last hour in which a player plays
}

// New makes the players and their habits. The error is Config.Validate's. O(players * weeks) time, O(players + weeks)
// memory.
func New(c Config) (*Season, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	c = c.withDefaults()
	rng := rand.New(rand.NewPCG(c.Seed, playersStream))
	hours := c.Weeks * hoursPerWeek
	s := &Season{
		config:  c,
		names:   nameAll(rng, c.Players),
		players: newPlayers(rng, c.Players, hours),
		habits:  newHabits(),
		start:   (int(c.Start.Weekday())+6)%7*24 + c.Start.Hour(),
		until:   make([]float64, hours),
	}
	crowd, total, end := make([]float64, c.Players), 0.0, 0
	for hour := range s.until {
		if weight := s.gather(hour, crowd); weight > 0 {
			total, end = total+weight, hour+1
		}
		s.until[hour] = total
	}
	s.until = s.until[:end]
	return s, nil
}

// gather returns the weight of an hour: the sum of the weights of all players in it. It fills crowd with the running sums over the players.
func (s *Season) gather(hour int, crowd []float64) (total float64) {
	ofWeek, h := (s.start+hour)%hoursPerWeek, int32(hour)
	for i := range s.players {
		p := &s.players[i]
		if p.join <= h && h < p.quit {
			total += p.activity * s.habits[p.habit][ofWeek]
		}
		crowd[i] = total
	}
	return total
}

// Start returns when the season starts: no result is earlier.
func (s *Season) Start() time.Time { return s.config.Start }

// All returns the results in the order of time, every time the same ones: the same seed gives the same season on the same
// kind of machine (another processor may round another way). O(players) memory, O(players * weeks + results * log players)
// time.
//
// The moments are drawn in order of time, as points on a line. The line is the weights of the season's hours, laid end to end. Of n uniform
// points on the rest of the line, the first lies at the fraction 1 - u^(1/n) of that rest, for a uniform u between 0 and 1.
func (s *Season) All() iter.Seq[Result] {
	return func(yield func(Result) bool) {
		rng := rand.New(rand.NewPCG(s.config.Seed, playStream))
		ratings := make([]float64, len(s.players))
		for i := range ratings {
			ratings[i] = firstRating
		}
		crowd, gathered := make([]float64, len(s.players)), -1
		left, hour, last := 1.0, 0, len(s.until)-1 // left is the part of the line after the last point
		for n := s.config.Results; n > 0; n-- {
			left *= math.Pow(rng.Float64(), 1/float64(n))
			at := (1 - left) * s.until[last]
			for hour < last && s.until[hour] <= at {
				hour++
			}
			if gathered != hour {
				s.gather(hour, crowd)
				gathered = hour
			}
			now := float64(hour) + s.within(hour, at)
			player := pick(rng, crowd)
			board, score := s.players[player].play(rng, now, &ratings[player])
			if !yield(Result{s.at(now), board, s.names[player], score}) {
				return
			}
		}
	}
}

// within returns the position of point at inside its hour, in [0, 1).
func (s *Season) within(hour int, at float64) float64 {
	before := 0.0
	if hour > 0 {
		before = s.until[hour-1]
	}
	part := (at - before) / (s.until[hour] - before)
	return math.Min(math.Max(part, 0), 1-1e-9)
}

// at returns the time that is this number of hours after the start.
func (s *Season) at(hours float64) time.Time {
	return s.config.Start.Add(time.Duration(math.Floor(hours*millisPerHour)) * time.Millisecond)
}

// pick draws a player by weight.
func pick(rng *rand.Rand, crowd []float64) int {
	u := rng.Float64() * crowd[len(crowd)-1]
	return min(sort.Search(len(crowd), func(i int) bool { return crowd[i] > u }), len(crowd)-1)
}
