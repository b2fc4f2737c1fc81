package main

import (
	"strconv"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
)

// count writes a number with thousands apart.
func count(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// perSecond returns how many of n fall on a second.
func perSecond(n int64, took time.Duration) int64 {
	return int64(float64(n) / max(took.Seconds(), 1e-9))
}

// size writes a number of bytes for people.
func size(n int64) string { return progress.FormatBytes(n) }

// plural counts things.
func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return count(int64(n)) + " " + thing
}
