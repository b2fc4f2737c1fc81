package periods

import "math/bits"

// wide is a signed number of 128 bits: hi * 2^64 + lo.
type wide struct {
	hi int64
	lo uint64
}

// product returns v * factor.
func product(v, factor int64) wide {
	hi, lo := bits.Mul64(uint64(v), uint64(factor)) // of the numbers without signs
	return wide{int64(hi) - v>>63&factor - factor>>63&v, lo}
}

// plus returns the sum. The caller knows that it fits: see maxFactor.
func (w wide) plus(x wide) wide {
	lo, carry := bits.Add64(w.lo, x.lo, 0)
	return wide{w.hi + x.hi + int64(carry), lo}
}

// compare returns -1, 0 or 1 as w is less than, equal to or greater than x.
func (w wide) compare(x wide) int {
	switch {
	case w == x:
		return 0
	case w.hi < x.hi || w.hi == x.hi && w.lo < x.lo:
		return -1
	}
	return 1
}

// int64 returns the number as an int64, and false if it does not fit.
func (w wide) int64() (int64, bool) { return int64(w.lo), w.hi == int64(w.lo)>>63 }
