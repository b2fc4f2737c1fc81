package recovery

import (
	"fmt"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

// Options say what a stage does.
type Options struct {
	Stage    string
	Dir      string
	N        int    // members
	Seed     uint64 // of the load: all stages of a round have the same one as its Build
	LogBytes int64  // Fill and Amplify: how long the log gets
	Cold     bool   // Open: the files are not in the kernel's memory
	Beside   bool   // Fill: the log is of other, small sets
	Level    string // Stall: what the writers wait for
	Calls    int    // Stall: about how many calls to measure
	Still    bool   // Stall: without snapshots
	Zipf     bool   // Amplify: a few members are hot
}

// The stages.
const (
	StageBuild   = "build"
	StageOpen    = "open"
	StageFill    = "fill" // see Fill
	StageStall   = "stall"
	StageAmplify = "amplify"
)

// Run runs any stage but fill.
func Run(o Options) (figure.Figures, error) {
	switch o.Stage {
	case StageBuild:
		return build(o)
	case StageOpen:
		return open(o)
	case StageStall:
		return stall(o)
	case StageAmplify:
		return amplify(o)
	}
	return nil, fmt.Errorf("no stage %q", o.Stage)
}
