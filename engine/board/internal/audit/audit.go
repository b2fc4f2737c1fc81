package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/internal/owner"
	"github.com/zrankdb/zrank/persist"
)

// Report is what a check has read, and what it found wrong.
type Report struct {
	engine.Report
	Closed     int // closed periods that hold what they held when they were closed
	Unrecorded int // closed periods of which that is not known: closed by a version that kept no digest of them
}

// Check checks the engine and all closed periods: see Boards.Check.
func Check(ctx context.Context, c *catalog.Catalog, progress func(engine.Report)) (Report, error) {
	if c.IsStopped() {
		return Report{}, errs.ErrClosed
	}
	a := newAudit()
	rep, err := c.Owner.Check(ctx, progress, a.hooks())
	return a.report(rep, err)
}

// CheckDir is engine.CheckDir, and compares closed periods as Boards.Check does. A ranking that Salvage could copy in part only is not what
// it was, and the check says so until its board is migrated or the period is dropped. Errors: those of engine.CheckDir. O(bytes).
func CheckDir(ctx context.Context, dir string, o engine.Options, progress func(engine.Report)) (Report, error) {
	a := newAudit()
	rep, err := engine.AuditDir(ctx, owner.New(), dir, o, progress, a.hooks())
	return a.report(rep, err)
}

// audit collects what a check reads of boards, all as of one moment, and compares it.
type audit struct {
	sets    map[string]engine.Audited // by key
	specs   map[string][]byte         // stored values, by the rest of the private key
	windows map[string][]byte
	records map[string][]byte
	intents map[string]bool // of deletions
	boards  map[string]*state.State
	rep     Report
}

func newAudit() *audit {
	return &audit{sets: map[string]engine.Audited{}, specs: map[string][]byte{}, windows: map[string][]byte{}, records: map[string][]byte{},
		intents: map[string]bool{}, boards: map[string]*state.State{}}
}

// hooks returns the functions that the engine's check calls.
func (a *audit) hooks() engine.Audit {
	return engine.Audit{
		Set: func(key string, s engine.Audited) {
			s.Doubtful = s.Doubtful || a.sets[key].Doubtful
			a.sets[key] = s
		},
		Private: a.private,
	}
}

// private keeps the values that are compared. It leaves out metadata, which may be large.
func (a *audit) private(kv persist.KV) {
	key := string(kv.Key)
	for prefix, to := range map[string]map[string][]byte{boardkey.Spec(""): a.specs, boardkey.WindowPrefix(): a.windows, boardkey.RecordPrefix(): a.records} {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			to[rest] = slices.Clone(kv.Value)
		}
	}
	if rest, ok := strings.CutPrefix(key, boardkey.DeletionPrefix()); ok {
		a.intents[rest] = true
	}
}

func (a *audit) problem(where, format string, args ...any) {
	a.rep.Problems = append(a.rep.Problems, persist.Problem{Where: where, What: fmt.Sprintf(format, args...)})
}

// Where returns the place of a problem with a period.
func Where(board, window, period string) string {
	return fmt.Sprintf("board %q, window %q, period %q", board, window, period)
}

// report compares all that was read, and adds the problems to the engine's report.
func (a *audit) report(rep engine.Report, err error) (Report, error) {
	a.rep.Report = rep
	if err != nil {
		return a.rep, err
	}
	a.states()
	for _, rest := range slices.Sorted(maps.Keys(a.records)) {
		a.record(rest, a.records[rest])
	}
	for _, key := range slices.Sorted(maps.Keys(a.sets)) {
		a.unknown(key)
	}
	return a.rep, nil
}

// states compiles the stored specs, and sets up to which time each window is closed.
func (a *audit) states() {
	for _, name := range slices.Sorted(maps.Keys(a.specs)) {
		spec, version, err := specs.Decode(a.specs[name])
		if err == nil {
			a.boards[name], err = state.New(spec, version)
		}
		if err != nil {
			delete(a.boards, name)
			a.problem(fmt.Sprintf("board %q", name), "stored spec: %v", err)
		}
	}
	for rest, text := range a.windows {
		if t := a.timeline(rest); t != nil {
			through, err := state.DecodeThrough(text)
			if err != nil {
				a.problem(fmt.Sprintf("board %q, window %q", t.Board, t.Window.Name), "how far it is closed: %v", err)
				continue
			}
			t.SetClosedThrough(through)
		}
	}
}

// timeline returns the window that the rest of a private key begins with, nil if no board has it any more.
func (a *audit) timeline(rest string) *state.Timeline {
	name, rest, _ := strings.Cut(rest, "\x00")
	window, _, _ := strings.Cut(rest, "\x00")
	if st := a.boards[name]; st != nil {
		t, _ := st.Timeline(window)
		return t
	}
	return nil
}

// record compares a closed period with its record.
func (a *audit) record(rest string, text []byte) {
	t := a.timeline(rest)
	if t == nil {
		return // of a board or a window that is being dropped
	}
	period := rest[strings.LastIndexByte(rest, 0)+1:]
	at := Where(t.Board, t.Window.Name, period)
	r, err := state.DecodeRecord(text)
	if err != nil {
		a.problem(at, "stored record: %v", err)
		return
	}
	set, found := a.sets[t.Key(period)]
	want, known := r.Digests[t.Version]
	switch {
	case set.Doubtful:
	case !found:
		a.problem(at, "is closed with %d members, and its ranking is not there", r.Members)
	case set.Members != r.Members:
		a.problem(at, "has %d members, and had %d when it was closed", set.Members, r.Members)
	case !known:
		a.rep.Unrecorded++
	case set.Digest != want:
		a.problem(at, "is not what it was when it was closed: its entries have digest %016x, and not %016x", set.Digest, want)
	default:
		a.rep.Closed++
	}
}

// unknown reports a set of a closed period without a record: the period had no members when it was closed.
func (a *audit) unknown(key string) {
	k, ok := boardkey.Parse(key)
	st := a.boards[k.Board]
	if !ok || st == nil || k.Version != st.Version || a.sets[key].Doubtful {
		return
	}
	t, x := st.SlotOf(k)
	if x == nil || !t.IsClosed(x) {
		return
	}
	rest := boardkey.Join([]string{k.Board, k.Kind}) + k.Period
	if _, recorded := a.records[rest]; recorded || a.intents[rest] || a.intents[boardkey.Join([]string{k.Board, k.Kind})] {
		return
	}
	a.problem(Where(k.Board, k.Kind, k.Period), "has %d members, and had none when it was closed", a.sets[key].Members)
}
