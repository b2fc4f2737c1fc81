package mapping

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"time"
)

// The reasons why a score is not unpacked.
var (
	ErrNotInteger = errors.New("the score is not an integer")
	ErrTooLarge   = errors.New("the score is beyond 2^53, where float64 has lost digits of it")
	ErrFraction   = errors.New("the fraction of the score is no time")
	ErrRemainder  = errors.New("the score is no multiple of the factor")
	ErrTime       = errors.New("the time is before 1970 or after 9999")
	ErrAmbiguous  = errors.New("several times fit the score, as float64 has lost digits of it")
	ErrPoints     = errors.New("several points fit the score, as float64 has lost digits of it")
)

// AmbiguousError is an ErrAmbiguous or an ErrPoints: two of the solutions.
type AmbiguousError struct {
	Points [2]int64
	At     [2]time.Time // zero: they do not matter
}

// Error says what the score may be.
func (e *AmbiguousError) Error() string {
	var texts [2]string
	for i, n := range e.Points {
		texts[i] = fmt.Sprintf("%d points", n)
		if !e.At[i].IsZero() {
			texts[i] += " at " + e.At[i].UTC().Format(time.RFC3339Nano)
		}
	}
	return texts[0] + ", or " + texts[1]
}

// Unwrap returns ErrAmbiguous or ErrPoints.
func (e *AmbiguousError) Unwrap() error {
	if e.At[0].IsZero() {
		return ErrPoints
	}
	return ErrAmbiguous
}

// lastExact is the largest integer below which float64 has all integers.
const lastExact = 1 << 53

// solution is a score unpacked: rest is Const + Sign * time, from 0 to below Times or Over.
type solution struct{ points, rest int64 }

// Unpack returns the points and the time of a score; at is the zero time if the formula has none, or WithoutTime. Errors: the reasons above, *AmbiguousError.
func (f Formula) Unpack(score float64) (points int64, at time.Time, err error) {
	var all []solution
	switch {
	case math.IsInf(score, 0) || math.IsNaN(score):
		return 0, at, ErrTooLarge
	case f.Over > 1:
		all, err = f.unpackFraction(score)
	case f.WithoutTime && math.Abs(score) > lastExact:
		all, err = f.unpackLarge(score)
	default:
		all, err = f.unpackInteger(score)
	}
	if err != nil {
		return 0, at, err
	}
	first, last := all[0], all[len(all)-1]
	switch {
	case f.WithoutTime && first.points == last.points:
		return first.points, at, nil
	case f.WithoutTime:
		return 0, at, &AmbiguousError{Points: [2]int64{first.points, last.points}}
	case len(all) > 1:
		return 0, at, &AmbiguousError{Points: [2]int64{first.points, last.points}, At: [2]time.Time{f.time(first.rest), f.time(last.rest)}}
	case f.Sign == 0:
		return first.points, at, nil
	}
	if at = f.time(first.rest); at.Unix() < 0 || at.UTC().Year() > 9999 {
		return 0, time.Time{}, ErrTime
	}
	return first.points, at, nil
}

// time returns the time of a rest.
func (f Formula) time(rest int64) time.Time {
	t := (rest - f.Const) * f.Sign
	if f.Millis {
		return time.UnixMilli(t)
	}
	return time.Unix(t, 0)
}

// unpackInteger returns the one solution of points * Times + rest.
func (f Formula) unpackInteger(score float64) ([]solution, error) {
	switch {
	case math.Abs(score) > lastExact:
		return nil, ErrTooLarge
	case score != math.Trunc(score):
		return nil, ErrNotInteger
	}
	x := carry(0, int64(score), f.Times)
	if f.Sign == 0 && x.rest != 0 {
		return nil, ErrRemainder
	}
	return []solution{x}, nil
}

// carry returns a solution with a rest from 0 to below over.
func carry(points, rest, over int64) solution {
	whole := rest / over
	if rest%over < 0 {
		whole--
	}
	return solution{points + whole, rest - whole*over}
}

// unpackLarge returns the solutions of points * Times + rest with the least and the greatest points, for an integer beyond 2^53. Whoever packed it has
// rounded once or twice, each time by half a unit in the last place at most.
func (f Formula) unpackLarge(score float64) ([]solution, error) {
	times := float64(f.Times)
	points := math.Floor(score / times)
	if math.Abs(points) >= lastExact {
		return nil, ErrTooLarge
	}
	rest := math.FMA(-points, times, score) // exact: an integer, below Times but for the rounding of the quotient
	off := unit(score)
	if off >= times {
		return nil, ErrTooLarge
	}
	return []solution{carry(int64(points), int64(rest-off), f.Times), carry(int64(points), int64(rest+off), f.Times)}, nil
}

// mostSolutions is how many solutions are looked at, one by one.
const mostSolutions = 8

// unpackFraction returns the solutions of points + rest / Over. Whoever packed it has rounded once or twice: the fraction, by 2^-54 at most, and the sum, by half a
// unit in its last place. If several solutions are as near as that, only those count that the usual ways to pack make this score.
func (f Formula) unpackFraction(score float64) ([]solution, error) {
	if math.Abs(score) > lastExact {
		return nil, ErrTooLarge
	}
	whole := math.Floor(score)
	over, fraction := float64(f.Over), score-whole // exact
	product := math.FMA(fraction, over, 0)
	near := math.Round(product)
	diff := product - near + math.FMA(fraction, over, -product) // fraction * over is near + diff, exactly
	off := max(unit(score), unit(score)/2+0x1p-54) * over * (1 + 0x1p-40)
	least, most := int64(near)+int64(math.Ceil(diff-off)), int64(near)+int64(math.Floor(diff+off))
	if f.Sign == 0 { // there is no time, and so no rest
		least, most = max(least, 0), min(most, 0)
	}
	switch {
	case least > most:
		return nil, ErrFraction
	case least == most || f.WithoutTime || most-least >= mostSolutions:
		return []solution{carry(int64(whole), least, f.Over), carry(int64(whole), most, f.Over)}[:min(most-least+1, 2)], nil
	}
	var all, made []solution
	for rest := least; rest <= most; rest++ {
		x := carry(int64(whole), rest, f.Over)
		all = append(all, x)
		if f.packs(x, score) {
			made = append(made, x)
		}
	}
	if made != nil {
		return made, nil
	}
	return all, nil
}

// packs reports whether a solution gives a score: rounded once, with a rounded fraction, or with a rounded fraction that is taken from the points above.
func (f Formula) packs(x solution, score float64) bool {
	over := big.NewInt(f.Over)
	sum := new(big.Int).Mul(big.NewInt(x.points), over)
	once, _ := new(big.Rat).SetFrac(sum.Add(sum, big.NewInt(x.rest)), over).Float64()
	points := float64(x.points)
	return score == once || score == points+float64(x.rest)/float64(f.Over) || score == points+1-float64(f.Over-x.rest)/float64(f.Over)
}

// unit returns the distance between a number and the next one that is larger in absolute value.
func unit(score float64) float64 {
	score = math.Abs(score)
	return math.Nextafter(score, math.Inf(1)) - score
}
