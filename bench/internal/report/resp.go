package report

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/served"
)

// respLayout is calls a second and round trips: a row for each level, depth, command, client and system; then the memory of the
// processes.
func respLayout() layout {
	return layout{redis: true, grids: []grid{respCalls(), respMemory()}, goals: respGoals(),
		notes: fmt.Sprintf(`Calls/s, round trips, and CPU time of the server for a call; behind Redis's, zrank over it: above 1x zrank makes more calls, takes longer,
needs more. P: commands that each of %d connections sends before it reads the replies; a round trip is that of all P. client: this
program, one thread with epoll, requests made before; redis-benchmark: Redis's own. Clients share the machine with the server.
ZRANGE: of 100, from a rank at random; by redis-benchmark the first 100. Interval: a power cut takes 1 s of writes at most, as with
appendfsync everysec. Memory: what the process has resident: once the members are in and after a pause, and after all calls.
A target for all commands is held against the one that is furthest from it.`, served.Connections)}
}

func respCalls() grid {
	g := grid{head: []string{"calls/s", "p99", "p99.9", "CPU"}}
	for _, l := range served.Levels {
		for _, spot := range served.Spots(true) {
			title := ""
			if spot.Client == served.Client {
				title = fmt.Sprintf("%s, P=%d, %s", l.Title, spot.Depth, spot.Command.Name)
			}
			line := l.Line(spot)
			for _, system := range served.Systems {
				row := gridRow{title: title, system: system}
				for _, m := range []figure.Metric{figure.Rate, figure.P99, figure.P999, figure.CPUCall} {
					c := gridCell{line: line, system: system, metric: m}
					if m != figure.P999 {
						c.ours = divided(system)
					}
					row.cells = append(row.cells, c)
				}
				if spot.Client == served.Benchmark {
					row.system = spot.Client + ": " + system
				}
				g.rows = append(g.rows, row)
				title = ""
			}
		}
	}
	return g
}

// divided is the system that is divided by this one, if there is one.
func divided(system string) string {
	if system == served.Zrank {
		return ""
	}
	return served.Zrank
}

func respMemory() grid {
	g := grid{head: []string{"empty", "all members in", "a member", "after the calls", "the most"}}
	for _, l := range served.Levels {
		for i, system := range served.Systems {
			row := gridRow{system: system}
			if i == 0 {
				row.title = l.Title
			}
			for _, m := range []figure.Metric{figure.Empty, figure.Filled, figure.Member, figure.Loaded, figure.MemoryPeak} {
				row.cells = append(row.cells, gridCell{line: l.Process(), system: system, metric: m, ours: divided(system)})
			}
			g.rows = append(g.rows, row)
		}
	}
	return g
}

// respGoals are what the issue asks for: so much of Redis's throughput at each depth, so much longer a p99 at most, and so much of
// its memory.
func respGoals() (list []Goal) {
	const stated = 1_000_000
	rates := map[int]float64{16: 1, 1: 0.9}
	for _, client := range served.Clients {
		for _, l := range served.Levels {
			for _, depth := range served.Depths {
				var lines []string
				for _, m := range served.Commands {
					lines = append(lines, l.Line(served.Spot{Depth: depth, Command: m, Client: client}))
				}
				what := fmt.Sprintf("%s, P=%d, %s: ", l.Title, depth, client)
				all := strings.Join(lines, " ")
				list = append(list,
					Goal{What: what + "calls/s", Line: all, Metric: figure.Rate, Peer: Redis, Limit: rates[depth], At: stated},
					Goal{What: what + "p99", Line: all, Metric: figure.P99, Peer: Redis, Most: true, Limit: 1.3, At: stated})
			}
		}
	}
	for _, l := range served.Levels {
		list = append(list,
			Goal{What: l.Title + ": memory of the process", Line: l.Process(), Metric: figure.Filled, Peer: Redis, Most: true, Limit: 0.6, At: stated},
			Goal{What: l.Title + ": memory after the calls", Line: l.Process(), Metric: figure.Loaded, Peer: Redis, Most: true, Limit: 0.6, At: stated})
	}
	return list
}
