package script

import (
	"strings"

	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
)

// drawMixed draws the number of a spec of Mixed, of three bytes of a fuzzer.
func drawMixed(src source) int {
	return (src.draw(256)<<16 | src.draw(256)<<8 | src.draw(256)) % boardspecs.MixedSpecs
}

// chooseMixedWindow draws the window of an operation on Mixed from those that it has after the operations before, as the script
// says.
func (op *Op) chooseMixedWindow(script []Op, src source) {
	if op.Key != boardspecs.Mixed || !strings.ContainsRune(kindOf[op.Kind].args, 'W') {
		return
	}
	spec := 0
	for _, earlier := range script {
		if earlier.Key == boardspecs.Mixed && (earlier.Kind == "migrate" || earlier.Kind == "dropboard") {
			spec = earlier.Lo // 0 of dropboard
		}
	}
	windows := boardspecs.Of(boardspecs.Mixed, spec).Windows
	op.Low = windows[src.draw(len(windows))].Label()
}

// MixedRun is what a script does to Mixed under one spec.
type MixedRun struct {
	Combination boardspecs.Combination
	Hidden      bool // a member is hidden at some time
}

// MixedRuns returns the runs of a script that submit something, in their order.
func MixedRuns(script []Op) (runs []MixedRun) {
	m := mixed{hidden: map[string]bool{}, runs: []MixedRun{{}}}
	for len(script) > 0 {
		var b Block
		b, script = NextBlock(script)
		for _, op := range b.Ops {
			if op.Key == boardspecs.Mixed && (b.End == "" || !op.Skipped()) {
				m.follow(op)
			}
		}
	}
	m.end()
	return m.runs
}

// mixed is what a script has done to Mixed so far.
type mixed struct {
	runs    []MixedRun      // the last one has not ended
	spec    int             // its spec
	submits bool            // it has submitted something
	hidden  map[string]bool // members that are hidden now
}

// follow follows an operation.
func (m *mixed) follow(op Op) {
	run := &m.runs[len(m.runs)-1]
	switch op.Kind {
	case "submit", "batch":
		m.submits = true
	case "hide":
		if op.Low == "" && op.Member != "" {
			m.hidden[op.Member], run.Hidden = true, true
		}
	case "show", "erase":
		if op.Low == "" {
			delete(m.hidden, op.Member)
		}
	case "migrate", "dropboard":
		if op.Kind == "dropboard" || !boardspecs.Converts(boardspecs.Of(op.Key, m.spec), boardspecs.Of(op.Key, op.Lo)) {
			clear(m.hidden)
		}
		m.end()
		m.spec, m.submits = op.Lo, false // 0 of dropboard
		m.runs = append(m.runs, MixedRun{boardspecs.CombinationOf(op.Lo), len(m.hidden) > 0})
	}
}

// end ends the last run, and forgets it if it has submitted nothing.
func (m *mixed) end() {
	if !m.submits {
		m.runs = m.runs[:len(m.runs)-1]
	}
}
