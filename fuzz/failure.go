package fuzz

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Failure is a script that a configuration has failed, shrunk.
type Failure struct {
	Config string // its name
	Seed   uint64 // of the script as it was generated, with Lines operations
	Lines  int
	Script []Op          // what is left of it
	Err    error         // of what is left: a *Difference, a *HangError, or what kept the machine from being opened or closed
	After  time.Duration // of the campaign, when it was found
	Rarely bool          // the whole script has failed once, and not when it was run again: where goroutines and disks decide, it may
}

const (
	shrinkRuns = 3000 // of scripts at most, while one is shrunk
	rareRuns   = 5    // of a script that fails at times only, until it is taken not to fail
)

// shrink takes out what is not needed to fail. A script that does not end stays as it is: each try would take as long again.
func (f *Failure) shrink(c Config, patience, shrinkFor time.Duration) {
	if errors.As(f.Err, new(*HangError)) {
		return
	}
	deadline := time.Now().Add(shrinkFor)
	tries := 1
	fails := func(ops []Op) bool {
		for range tries {
			if time.Now().After(deadline) {
				return false
			}
			if _, err := RunWithin(context.Background(), c, ops, patience); err != nil {
				f.Err = err
				return true
			}
		}
		return false
	}
	if !fails(f.Script) {
		f.Rarely, tries = true, rareRuns
	}
	if d := new(Difference); errors.As(f.Err, &d) && d.Line < len(f.Script) && fails(f.Script[:d.Line]) {
		f.Script = f.Script[:d.Line]
	}
	f.Script = script.Shrink(f.Script, shrinkRuns, fails)
}

// Saved returns the script as one to be saved and replayed.
func (f *Failure) Saved() Saved {
	what, _, _ := strings.Cut(f.Err.Error(), "\n")
	about := fmt.Sprintf("%s (seed %d, %d lines)", what, f.Seed, f.Lines)
	if f.Rarely {
		about += "; it fails at times only"
	}
	return Saved{About: about, Configs: []string{f.Config}, Script: f.Script}
}
