package specs

import (
	"slices"

	"github.com/zrankdb/zrank/engine/board/awards"
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/engine/board/window"
)

// validatePlan checks that a board with such windows and rules has the window and the scores of a plan.
func validatePlan(p *awards.Plan, windows []window.Window, r *rules.Rules, bad func(format string, args ...any)) {
	i := slices.IndexFunc(windows, func(w window.Window) bool { return w.Label() == p.Window })
	if i < 0 {
		bad("the board has no such window")
	} else if kind := windows[i].Kind; kind == window.All || kind == window.Rolling {
		bad("its periods never close")
	}
	var above *rules.Score
	for i := range p.Tiers {
		t := &p.Tiers[i]
		if t.Score == nil {
			continue
		}
		score, err := r.CheckRanked(*t.Score)
		if err != nil {
			bad("tier %q: %w", t.Name, err)
			continue
		}
		if !p.Stack && above != nil && r.Compare(*above, score) >= 0 {
			bad("tier %q has score %v, behind one that has it too: nobody would get it", t.Name, score)
		}
		above = &score
	}
}
