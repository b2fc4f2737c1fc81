package campaigns

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/runner"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Failure is a script that failed under a configuration, shrunk.
type Failure struct {
	Config string // its name
	Seed   uint64 // of the whole script, which has Lines operations
	Lines  int
	Script []script.Op   // the shrunk script
	Err    error         // of the shrunk script: a *Difference, a *HangError, or an error of opening or closing the machine
	After  time.Duration // time from the beginning of the campaign
	Rarely bool          // the whole script did not fail when it ran again: its failure depends on the timing of goroutines or disks
}

const (
	shrinkRuns = 3000 // most runs of scripts to shrink one
	rareRuns   = 5    // runs of a try where failures are rare; the shrinker takes a try that passes them all for one that does not fail
)

// shrink removes lines that the failure does not need. It leaves a script that does not end as it is: each try would take as long.
func (f *Failure) shrink(c machine.Config, timeout, shrinkFor time.Duration) {
	if errors.As(f.Err, new(*HangError)) {
		return
	}
	deadline := time.Now().Add(shrinkFor)
	tries := 1
	fails := func(ops []script.Op) bool {
		for range tries {
			if time.Now().After(deadline) {
				return false
			}
			if _, err := RunWithin(context.Background(), c, ops, timeout); err != nil {
				f.Err = err
				return true
			}
		}
		return false
	}
	if !fails(f.Script) {
		f.Rarely, tries = true, rareRuns
	}
	if d := new(runner.Difference); errors.As(f.Err, &d) && d.Line < len(f.Script) && fails(f.Script[:d.Line]) {
		f.Script = f.Script[:d.Line]
	}
	f.Script = script.Shrink(f.Script, shrinkRuns, fails)
}

// Saved returns the script in the form of a file.
func (f *Failure) Saved() Saved {
	firstLine, _, _ := strings.Cut(f.Err.Error(), "\n")
	about := fmt.Sprintf("%s (seed %d, %d lines)", firstLine, f.Seed, f.Lines)
	if f.Rarely {
		about += "; it fails at times only"
	}
	return Saved{About: about, Configs: []string{f.Config}, Script: f.Script}
}
