package recovery

import (
	"fmt"
	"io"

	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

// Ready is the line that Fill writes when the log is as long as it should be.
const Ready = "ready"

const (
	// looks is how many commits there are between two looks at the length of the log.
	looks = 2000
	// Updates that go beside the members go to sideSets sets of sideMembers each.
	sideSets, sideMembers = 100, 1000
)

// Fill writes commits of one update each until the log has o.LogBytes on the disk, writes Ready, and goes on until it is
// killed.
func Fill(o Options, out io.Writer) error {
	e, err := engine.Open(o.Dir, engine.Options{Durability: engine.Interval, SnapshotBytes: -1})
	if err != nil {
		return err
	}
	l := newLoad(o.N, o.Seed+1)
	keys := [][]string{arenaKey}
	if o.Beside {
		l, keys = newLoad(sideMembers, o.Seed+1), nil
		for i := range sideSets {
			keys = append(keys, []string{fmt.Sprintf("side:%d", i)})
		}
	}
	if err := fill(e, l, keys, o.LogBytes); err != nil {
		return err
	}
	if err := e.Flush(); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, Ready); err != nil {
		return err
	}
	for {
		if err := some(e, l, keys); err != nil {
			return err
		}
	}
}

// fill makes commits of one update each, to the sets in turn, until the log has so many bytes.
func fill(e *engine.Engine, l *load, keys [][]string, bytes int64) error {
	for {
		st, err := e.Stats()
		if err != nil || st.Log >= bytes {
			return err
		}
		if err := some(e, l, keys); err != nil {
			return err
		}
	}
}

func some(e *engine.Engine, l *load, keys [][]string) error {
	var s workload.Stream = l.draw(looks)
	for i := range looks {
		if err := apply(e, keys[i%len(keys)], &s, i, i+1); err != nil {
			return err
		}
	}
	return nil
}
