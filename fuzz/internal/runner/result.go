package runner

import (
	"fmt"

	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Result is the outcome of a run.
type Result struct {
	History []string // a reply for each operation of the script, then the contents that it has left
	Counts  Counts
}

// Counts are the numbers of operations, commits, crashes and so on in one run, or in many.
type Counts struct {
	Operations int // operations of the scripts
	Commits    int // blocks that may have changed something and were not rolled back
	Snapshots  int // that the script or the configuration asked for
	Reopens    int
	Kills      int
	Cuts       int // power cuts
	Evictions  int // times that a set has left memory
	Lost       int // commits lost by kills and cuts
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

// Difference is the first reply of a configuration that is not its oracle's. It is an error.
type Difference struct {
	Config string    // its name
	Line   int       // of the script, from 1; beyond its end: one of the operations that read the contents
	Op     script.Op // the operation at that line, or one that the runner added after it
	Got    string    // or "panic: ..."
	Want   string
}

// Error shows the operation, and both replies around their first difference.
func (d *Difference) Error() string {
	same := 0
	for same < min(len(d.Got), len(d.Want)) && d.Got[same] == d.Want[same] {
		same++
	}
	return fmt.Sprintf("fuzz: %s: line %d: %s\n got %s\nwant %s", d.Config, d.Line, d.Op, around(d.Got, same), around(d.Want, same))
}

// around returns the part of a long text around a place.
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
