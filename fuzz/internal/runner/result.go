package runner

import (
	"fmt"

	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Result is what a run has answered and done.
type Result struct {
	History []string // a reply for each operation of the script, and then for those that ask for everything it has left behind
	Counts  Counts
}

// Counts say how much a run, or many together, has done.
type Counts struct {
	Operations int // of the script
	Commits    int // blocks that may have changed something and were not rolled back
	Snapshots  int // asked for
	Reopens    int
	Kills      int
	Cuts       int // of the power
	Evictions  int // sets that have left memory
	Lost       int // commits that kills and cuts took
}

// Add adds the counts of another run.
func (c *Counts) Add(other Counts) {
	c.Operations += other.Operations
	c.Commits += other.Commits
	c.Snapshots += other.Snapshots
	c.Reopens += other.Reopens
	c.Kills += other.Kills
	c.Cuts += other.Cuts
	c.Evictions += other.Evictions
	c.Lost += other.Lost
}

// Difference is where a configuration first answered something else than its oracle. It is an error.
type Difference struct {
	Config string    // its name
	Line   int       // of the script, from 1; beyond its end: of what asks for everything it has left behind
	Op     script.Op // at that line, or that the configuration put in after it by itself
	Got    string    // or "panic: ..."
	Want   string
}

// Error shows the operation, and both replies around where they begin to differ.
func (d *Difference) Error() string {
	same := 0
	for same < min(len(d.Got), len(d.Want)) && d.Got[same] == d.Want[same] {
		same++
	}
	return fmt.Sprintf("fuzz: %s: line %d: %s\n got %s\nwant %s", d.Config, d.Line, d.Op, around(d.Got, same), around(d.Want, same))
}

// around is the part of a long text at a place.
func around(text string, at int) string {
	const before, after = 100, 700
	if from := at - before; from > before {
		text = "... " + text[from:]
	}
	if len(text) > before+after {
		text = text[:before+after] + " ..."
	}
	return text
}
