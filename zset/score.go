package zset

import "math"

const signBit = 1 << 63

// keyOf returns 64 bits that order as the scores do. The bits of positive floats order as the floats, those of negative floats in
// reverse; -0 gets the key of 0. The score must not be NaN.
func keyOf[S Score](score S) uint64 {
	if isInt[S]() {
		return uint64(int64(score)) ^ signBit
	}
	bits := math.Float64bits(float64(score) + 0) // -0 + 0 is 0
	if bits&signBit != 0 {
		return ^bits
	}
	return bits | signBit
}

// scoreOf is the inverse of keyOf.
func scoreOf[S Score](key uint64) S {
	if isInt[S]() {
		return S(int64(key ^ signBit))
	}
	if key&signBit != 0 {
		return S(math.Float64frombits(key &^ signBit))
	}
	return S(math.Float64frombits(^key))
}

// FloatOf converts a score back that was read from a set of float64 scores through an IntSet: see As. O(1).
func FloatOf(n int64) float64 { return scoreOf[float64](keyOf(n)) }

// isInt reports whether S is int64: in integers, 1/2 is 0.
func isInt[S Score]() bool { return S(1)/2 == 0 }

// isNaN reports whether a score is not a number.
func isNaN[S Score](score S) bool { return score != score }

// add returns the sum of two scores. Errors: ErrNaN, ErrOverflow.
func add[S Score](a, b S) (S, error) {
	sum := a + b
	if isNaN(sum) {
		return 0, ErrNaN
	}
	if isInt[S]() && (sum > a) != (b > 0) && b != 0 {
		return 0, ErrOverflow
	}
	return sum, nil
}

// multiply returns the product of two scores, which is NaN for an infinity and 0. Error: ErrOverflow.
func multiply[S Score](a, b S) (S, error) {
	product := a * b
	if isInt[S]() && a != 0 && (product/a != b || a == -1 && b < 0 && product < 0) {
		return 0, ErrOverflow
	}
	return product, nil
}

// validKey reports whether keyOf gives this key for some score of the set's kind.
func (c *core) validKey(key uint64) bool {
	if c.limits().integers {
		return true
	}
	score := scoreOf[float64](key)
	return !math.IsNaN(score) && keyOf(score) == key
}

// Score is what members are ordered by: float64, as in Redis, or int64, which is exact over its whole range.
type Score interface{ float64 | int64 }
