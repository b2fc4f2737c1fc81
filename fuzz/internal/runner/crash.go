package runner

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// finish saves the oracle's world after a block, and restarts the machine if it has crashed. Then it drops the worlds that no crash can bring
// back any more.
func (r *runner) finish(b script.Block) error {
	crash := (b.Kind() == "kill" || b.Kind() == "cut") && Does(r.m, b.Kind())
	if !b.RolledBack() && !b.ReadOnly() && !crash {
		r.save()
	}
	m, ok := r.m.(machine.Crashable)
	if !ok {
		r.promised()
		return nil
	}
	if crash {
		if err := r.recoverOracle(); err != nil {
			return err
		}
	}
	if m.Crashed() {
		if Does(r.m, "cut") {
			r.out.Counts.Cuts++
		} else {
			r.out.Counts.Kills++
		}
		if err := m.Restart(); err != nil {
			return r.differ(r.line, r.op, "after a planted cut: "+err.Error(), "")
		}
		if err := r.recoverOracle(); err != nil {
			return err
		}
	}
	if m.Promised() {
		r.promised()
	}
	return nil
}

// recoverOracle finds the newest world whose contents the machine has after a crash, and restores the oracle to it: F5. Of worlds that look
// alike it is the newest whose commits the machine has found again.
func (r *runner) recoverOracle() error {
	got := everything(r.c, r.m, r.contents)
	found := uint64(math.MaxUint64)
	if m, ok := r.m.(machine.Numbered); ok {
		found = m.Found()
	}
	var want []string
	is := -1
	for i := len(r.worlds) - 1; i >= 0; i-- {
		r.worlds[i].restore()
		world := everything(r.c, r.o, r.contents)
		if slices.EqualFunc(got, world, apply.Fits) {
			if is < 0 || r.worlds[i].seq <= found {
				is = i
			}
			if r.worlds[i].seq <= found {
				break
			}
		}
		if want == nil {
			want = world
		}
	}
	if is >= 0 {
		r.worlds[is].restore()
		r.out.Counts.Lost += len(r.worlds) - 1 - is
		r.worlds = r.worlds[is : is+1]
		return nil
	}
	var g, w strings.Builder
	for i, op := range r.contents {
		if a, b := at(got, i), at(want, i); !apply.Fits(a, b) {
			fmt.Fprintf(&g, "\n%s: %s", op, a)
			fmt.Fprintf(&w, "\n%s: %s", op, b)
		}
	}
	return r.differ(r.line, r.op, g.String(), fmt.Sprintf("the world after one of the last %d blocks; the last:%s", len(r.worlds), &w))
}

// everything returns the contents of a machine.
func everything(c machine.Config, m machine.Machine, contents []script.Op) (replies []string) {
	for _, op := range contents {
		replies = append(replies, single(c, m, script.Block{Ops: []script.Op{op}}))
	}
	return replies
}
