package rules

import "math"

// InBest returns how many of n members are in the best percent, 0 to 100. It rounds down. A product that differs from an integer only by the
// rounding of float64 counts as that integer, so that 100*place/n percent includes the place.
func InBest(percent float64, n int) int {
	exact := percent * float64(n) / 100
	if near := math.Round(exact); math.Abs(exact-near) <= near*1e-12 {
		return int(near)
	}
	return int(exact)
}
