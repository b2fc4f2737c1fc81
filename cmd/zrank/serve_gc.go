package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Sets are big and have hardly any pointers, so that a collection costs little however big they are. By default Go collects
// when there is as much garbage as there is live memory, of which most would be sets; here it is when there is as much garbage as
// memory that the collector has to look at. The same share of time goes to it as in any program of Go, and a server with a
// million members in one set takes a third less memory.

const (
	collectBeat    = time.Second
	garbage        = 4 << 20 // what there may be of it in any case
	defaultPercent = 100     // Go's own
	collectPercent = 5       // a change of less is none
)

// collectByPointers paces the garbage collector until ctx ends, unless the environment has GOGC.
func collectByPointers(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	seen := []metrics.Sample{{Name: "/gc/scan/heap:bytes"}, {Name: "/gc/heap/live:bytes"}}
	t := time.NewTicker(collectBeat)
	defer t.Stop()
	defer debug.SetGCPercent(defaultPercent)
	for now := defaultPercent; ; {
		metrics.Read(seen)
		if p := gcPercent(seen[0].Value.Uint64(), seen[1].Value.Uint64()); p < now-collectPercent || p > now+collectPercent {
			debug.SetGCPercent(p)
			now = p
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

// gcPercent returns how much garbage there may be, in percent of the live memory, of which scan bytes may be pointers.
func gcPercent(scan, live uint64) int {
	return int(min(max(100*(scan+garbage)/max(live, 1), 1), defaultPercent))
}
