package view

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/numbers"
	"github.com/zrankdb/zrank/internal/printable"
	"github.com/zrankdb/zrank/server/admin/internal/figures"
)

// entry is a page in the navigation.
type entry struct{ Name, Title string }

var navigation = []entry{{"overview", "Boards"}, {"players", "Players"}, {"groups", "Groups"}, {"awards", "Awards"}, {"feed", "Feed"}, {"queues", "Queues"}, {"health", "Health"}, {"audit", "Audit"}}

// functions are what templates may call.
var functions = template.FuncMap{
	"count":    func(n any) string { return count(n) },
	"bytes":    func(n any) string { return bytesText(asInt(n)) },
	"name":     printable.Name,
	"text":     printable.Text,
	"at":       at,
	"minute":   minute,
	"span":     span,
	"rate":     func(x float64) string { return strconv.FormatFloat(x, 'f', decimals(x), 64) },
	"ordinal":  ordinal,
	"plural":   numbers.Plural,
	"link":     link,
	"neg":      func(n int) int { return -n },
	"bars":     bars,
	"truncate": truncate,
	"percent":  func(part, whole int64) int64 { return part * 100 / max(whole, 1) },
	"pages":    func() []entry { return navigation },
	"width":    func(bars []figures.Bar) int { return max(len(bars), 1) * figures.BarWidth },
	"dict":     dict,
}

func asInt(n any) int64 {
	switch n := n.(type) {
	case int:
		return int64(n)
	case int64:
		return n
	case uint64:
		return int64(min(n, 1<<62))
	default:
		return 0
	}
}

func count(n any) string { return numbers.Count(asInt(n)) }

// bytesText writes a number of bytes with three digits at least: 12.3 MB.
func bytesText(n int64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	x, i := float64(n), 0
	for ; x >= 999.5 && i < len(units)-1; i++ {
		x /= 1000
	}
	if i == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return strconv.FormatFloat(x, 'f', decimals(x), 64) + " " + units[i]
}

// decimals is how many decimals leave three digits.
func decimals(x float64) int {
	switch {
	case x == 0 || x >= 99.95:
		return 0
	case x >= 9.995:
		return 1
	default:
		return 2
	}
}

// at writes a time in UTC, to the second; "never" for none.
func at(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

// minute writes a time in UTC, without its seconds if there are none.
func minute(t time.Time) string { return strings.TrimSuffix(at(t), ":00") }

// span writes a duration with its two largest units.
func span(d time.Duration) string {
	switch {
	case d < 0:
		return "0 s"
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	default:
		return fmt.Sprintf("%d d %d h", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
	}
}

// ordinal writes a rank: 1st, 2nd, 3rd, 11th.
func ordinal(n int) string {
	suffix := "th"
	if n%100/10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return count(n) + suffix
}

// truncate cuts a text that is longer than n bytes.
func truncate(n int, text string) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}

// bars returns the bars of a histogram of scores, the lowest ones first.
func bars(bins []board.Bin) []figures.Bar {
	buckets := make([]figures.Bucket, 0, len(bins))
	for i := len(bins) - 1; i >= 0; i-- {
		buckets = append(buckets, figures.Bucket{Label: bins[i].Worst.String() + " to " + bins[i].Best.String(), N: bins[i].Members})
	}
	return figures.Bars(buckets)
}

// dict returns a map, for templates that take several values: a name and a value each.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("view: a dict of %d values", len(pairs))
	}
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return m, nil
}
