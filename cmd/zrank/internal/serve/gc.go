package serve

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Sets are big and have hardly any pointers, so that a collection costs little however big they are. By default Go collects
// when there is as much garbage as there is live memory, of which most would be sets; here it is when there is as much garbage as
// memory that the collector has to look at: about a fifth of the live memory beside a million members in one set, all of it beside a
// million sets of a few members. What a process with 1 M members of 20 bytes has resident after 1 M ZADD of 16 at a time by 50
// connections, and the share of its CPU time that collecting took, by percent of garbage:
//
//	100   127 MB   0.4 %
//	 25    90 MB   1.4 %
//	 10    83 MB   6.7 %

const (
	collectBeat    = time.Second
	garbage        = 4 << 20 // allowed in any case
	defaultPercent = 100     // Go's default
	collectPercent = 5       // smaller changes are ignored
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

// gcPercent returns how much garbage is allowed, in percent of the live memory, of which the collector must scan scan bytes.
func gcPercent(scan, live uint64) int {
	return int(min(max(100*(scan+garbage)/max(live, 1), 1), defaultPercent))
}
