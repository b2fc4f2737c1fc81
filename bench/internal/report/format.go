package report

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/measure"
)

func ratio(v float64) string {
	if v < 0.01 && v > 0 {
		return "<0.01x"
	}
	return fmt.Sprintf("%.2fx", v)
}

// value writes a figure of a table in few characters: times of 100 µs and more per operation with their unit, memory and
// collections with decimals.
func value(v float64, u measure.Unit) string {
	switch u {
	case measure.Nanoseconds:
		switch {
		case v >= 1e6:
			return digits(v/1e6) + " ms"
		case v >= 1e5:
			return digits(v/1e3) + " µs"
		}
		return count(int(v + 0.5))
	case measure.Byte:
		return fmt.Sprintf("%.1f", v)
	case measure.Milliseconds:
		return digits(v)
	}
	return fmt.Sprintf("%.4f", v)
}

// prose writes a figure with its unit for running text and a README.
func prose(v float64, u measure.Unit) string {
	switch u {
	case measure.Nanoseconds:
		switch {
		case v >= 1e6:
			return digits(v/1e6) + " ms"
		case v >= 1e3:
			return digits(v/1e3) + " µs"
		}
		return fmt.Sprintf("%.0f ns", v)
	case measure.Byte:
		return fmt.Sprintf("%.0f B", v)
	}
	return value(v, u) + " " + string(u)
}

// digits writes three of them, or those before the point.
func digits(v float64) string {
	switch {
	case v >= 99.95:
		return count(int(v + 0.5))
	case v >= 9.995:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// count writes a number with commas between thousands.
func count(n int) string {
	digits := fmt.Sprint(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
