package pages

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/admin/internal/figures"
)

const (
	backupsShown = 20
	highMemory   = 90 // percent of the limit
	longLag      = 5 * time.Second
)

// Health is the page of the engine.
type Health struct {
	None       string // why there is nothing to show
	Problems   []string
	Stats      *engine.Stats
	Commits    float64 // a second
	Durability string
	Limit      int64 // of memory, 0 for none
	High       int64 // where memory is high
	Latency    []LatencyRow
	Histogram  []figures.Bar
	Shortest   string // bound of the histogram
	Longest    string
	Recovery   engine.Recovery
	Backups    []Backup // the newest first
	NoBackups  string   // why none are listed
	Chart      string
}

// Stats64 returns the memory of the sets.
func (h Health) Stats64() int64 { return int64(h.Stats.Memory) }

// LatencyRow is a quantile of how long calls took.
type LatencyRow struct {
	Name           string
	Updates, Views time.Duration
}

// Backup is a copy of the engine's directory.
type Backup struct {
	Name string
	At   time.Time
	Ago  time.Duration
}

func (s *Site) health(r Request) (any, error) {
	if err := r.sees(""); err != nil {
		return nil, err
	}
	if s.Engine == nil {
		return Health{None: "The boards are not in an engine of this process: look at the servers of the cluster."}, nil
	}
	st, err := s.Engine.Stats()
	if err != nil {
		return nil, err
	}
	set := s.Engine.Settings()
	h := Health{Stats: &st, Problems: s.problems(&st), Limit: set.MemoryLimit, High: set.MemoryLimit / 100 * highMemory, Recovery: s.Engine.Recovery(), Chart: "figures"}
	if sample, ok := s.History.Latest(); ok {
		h.Commits = sample.Commits
	}
	if h.Durability = "in memory only"; set.Stored {
		h.Durability = set.Durability.String()
	}
	for _, q := range []struct {
		name  string
		share float64
	}{{"median", 0.5}, {"90 %", 0.9}, {"99 %", 0.99}, {"99.9 %", 0.999}} {
		h.Latency = append(h.Latency, LatencyRow{q.name, st.Updates.Quantile(q.share), st.Views.Quantile(q.share)})
	}
	h.Latency = append(h.Latency, LatencyRow{"longest", st.Updates.Max, st.Views.Max})
	h.latency(&st.Updates)
	h.Backups, h.NoBackups = s.backups()
	return h, nil
}

// latency draws how long calls took, without the buckets at both ends that are empty.
func (h *Health) latency(t *engine.CallTimes) {
	var buckets []figures.Bucket
	var before uint64
	for bound, n := range t.Buckets() {
		if n > before || len(buckets) > 0 && n < t.Count {
			buckets = append(buckets, figures.Bucket{Label: "less than " + short(bound), N: int(n - before)})
			if h.Longest = short(bound); h.Shortest == "" {
				h.Shortest = short(bound / 2)
			}
		}
		before = n
	}
	h.Histogram = figures.Bars(buckets)
}

// short returns a bound, a power of two of nanoseconds, with three digits.
func short(d time.Duration) string {
	unit := time.Nanosecond
	for u := time.Microsecond; u <= time.Second && d >= u; u *= 1000 {
		unit = u
	}
	text := d.Round(max(unit/100, 1)).String()
	if i := strings.IndexFunc(text, unicode.IsLetter); i > 0 {
		text = text[:i] + " " + text[i:]
	}
	return text
}

// problems returns what an operator should know at once, the worst first.
func (s *Site) problems(st *engine.Stats) (all []string) {
	set := s.Engine.Settings()
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	switch {
	case errors.Is(st.Refused, engine.ErrPersistence):
		add("The disk has failed, and the files are frozen as they are: nothing can be written until the process begins anew. %v", st.Refused)
	case errors.Is(st.Refused, engine.ErrDiskFull):
		add("The disk is full: nothing that needs room is written. %v", st.Refused)
	case st.Refused != nil:
		add("The disk does not answer. %v", st.Refused)
	}
	if st.Snapshots.Err != nil {
		add("The last snapshot has failed: %v", st.Snapshots.Err)
	}
	if st.Lag > longLag && set.Durability != engine.None {
		add("Commits of %v are not on the disk yet.", st.Lag.Round(time.Second))
	}
	if set.MemoryLimit > 0 && int64(st.Memory) > set.MemoryLimit/100*highMemory {
		add("Memory is at %d %% of its limit: sets leave memory, and are read again when they are used.", int64(st.Memory)*100/set.MemoryLimit)
	}
	if st.Waiting > 0 {
		add("%d calls wait for keys, the first of them for %v: a closure may not end.", st.Waiting, st.LongestWait.Round(time.Millisecond))
	}
	return all
}

// backups lists the copies of engines in the folder of backups.
func (s *Site) backups() (all []Backup, none string) {
	if s.Backups == "" {
		return nil, "The program has named no folder of backups."
	}
	entries, err := os.ReadDir(s.Backups)
	if err != nil {
		return nil, err.Error()
	}
	now := s.Clock()
	for _, entry := range entries {
		if info, err := os.Stat(filepath.Join(s.Backups, entry.Name(), "IDENTITY")); err == nil {
			all = append(all, Backup{entry.Name(), info.ModTime(), now.Sub(info.ModTime())})
		}
	}
	slices.SortFunc(all, func(x, y Backup) int { return y.At.Compare(x.At) })
	return all[:min(len(all), backupsShown)], ""
}
