package totals

import (
	"math"
	"math/bits"
)

// wide is an integer of 128 bits in two's complement. So a sum on the way may be out of the range of int64.
type wide struct{ upper, lower uint64 }

// widen returns an int64 as a wide.
func widen(v int64) wide { return wide{uint64(v >> 63), uint64(v)} }

// plus returns a + b.
func (a wide) plus(b wide) wide {
	lower, carry := bits.Add64(a.lower, b.lower, 0)
	upper, _ := bits.Add64(a.upper, b.upper, carry)
	return wide{upper, lower}
}

// minus returns a - b.
func (a wide) minus(b wide) wide {
	lower, borrow := bits.Sub64(a.lower, b.lower, 0)
	upper, _ := bits.Sub64(a.upper, b.upper, borrow)
	return wide{upper, lower}
}

// end returns the end of the range of int64 on the side of the number.
func (a wide) end() int64 {
	if int64(a.upper) < 0 {
		return math.MinInt64
	}
	return math.MaxInt64
}

// int64 returns the number, and false if it is out of the range of int64.
func (a wide) int64() (v int64, ok bool) {
	v = int64(a.lower)
	return v, widen(v) == a
}
