package console

import (
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
)

// PerSecond returns n per second of took.
func PerSecond(n int64, took time.Duration) int64 {
	return int64(float64(n) / max(took.Seconds(), 1e-9))
}

// Size writes a number of bytes with a unit.
func Size(n int64) string { return progress.FormatBytes(n) }
