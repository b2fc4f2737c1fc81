package mapping

import (
	"errors"
	"math"
	"time"
)

// The reasons why a score is not unpacked.
var (
	ErrNotInteger = errors.New("the score is not an integer")
	ErrTooLarge   = errors.New("the score is beyond 2^53, where float64 has lost digits")
	ErrFraction   = errors.New("the fraction of the score is no time")
	ErrRemainder  = errors.New("the score is no multiple of the factor")
	ErrTime       = errors.New("the time is before 1970 or after 9999")
)

// lastExact is the largest integer below which float64 has all integers.
const lastExact = 1 << 53

// Unpack returns the points and the time of a score; at is the zero time if the formula has none. Errors: the reasons above.
func (f Formula) Unpack(score float64) (points int64, at time.Time, err error) {
	var rest int64 // Const + Sign * time, from 0 to below Times or Over
	if f.Over > 1 {
		points, rest, err = f.unpackFraction(score)
	} else {
		points, rest, err = f.unpackInteger(score)
	}
	if err != nil || f.Sign == 0 {
		return points, at, err
	}
	t := (rest - f.Const) * f.Sign
	at = time.Unix(t, 0)
	if f.Millis {
		at = time.UnixMilli(t)
	}
	if t < 0 || at.UTC().Year() > 9999 {
		return 0, time.Time{}, ErrTime
	}
	return points, at, nil
}

// unpackInteger is Unpack of points * Times + rest.
func (f Formula) unpackInteger(score float64) (points, rest int64, err error) {
	switch {
	case math.Abs(score) > lastExact: // infinite ones too
		return 0, 0, ErrTooLarge
	case score != math.Trunc(score):
		return 0, 0, ErrNotInteger
	}
	n := int64(score)
	points, rest = n/f.Times, n%f.Times
	if rest < 0 {
		points, rest = points-1, rest+f.Times
	}
	if f.Sign == 0 && rest != 0 {
		return 0, 0, ErrRemainder
	}
	return points, rest, nil
}

// unpackFraction is Unpack of points + rest / Over. Whoever packed it has rounded once or twice, so that the fraction may be off by as many units in the last place of the score. Over must be so
// small that this is less than a quarter of the distance between two times.
func (f Formula) unpackFraction(score float64) (points, rest int64, err error) {
	if math.Abs(score) > lastExact {
		return 0, 0, ErrTooLarge
	}
	whole := math.Floor(score)
	fraction := score - whole // exact
	off := 2 * (math.Nextafter(math.Abs(score)+1, math.Inf(1)) - (math.Abs(score) + 1))
	over := float64(f.Over)
	if off*over > 0.25 {
		return 0, 0, ErrTooLarge
	}
	near := math.Round(fraction * over)
	if math.Abs(fraction*over-near) > off*over+1e-9 {
		return 0, 0, ErrFraction
	}
	points, rest = int64(whole), int64(near)
	if rest == f.Over { // the fraction was rounded up to the next number of points
		points, rest = points+1, 0
	}
	if f.Sign == 0 && rest != 0 {
		return 0, 0, ErrFraction
	}
	return points, rest, nil
}
