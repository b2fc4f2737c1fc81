package console

import (
	"strconv"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
)

// Count writes a number with commas between thousands.
func Count(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// PerSecond returns n per second of took.
func PerSecond(n int64, took time.Duration) int64 {
	return int64(float64(n) / max(took.Seconds(), 1e-9))
}

// Size writes a number of bytes with a unit.
func Size(n int64) string { return progress.FormatBytes(n) }

// Plural writes a number of things: "1 row", "2 rows".
func Plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Count(int64(n)) + " " + thing
}
