package zset

import "math"

const signBit = 1 << 63

// keyOf returns the 64 bits that order as the score does: a positive float's bits order as the float, a negative one's the
// other way round. -0 gets the key of 0. The score must not be NaN.
func keyOf(score float64) uint64 {
	bits := math.Float64bits(score + 0) // -0 + 0 is 0
	if bits&signBit != 0 {
		return ^bits
	}
	return bits | signBit
}

// scoreOf is the inverse of keyOf.
func scoreOf(key uint64) float64 {
	if key&signBit != 0 {
		return math.Float64frombits(key &^ signBit)
	}
	return math.Float64frombits(^key)
}
