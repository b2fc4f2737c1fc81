package check

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/owner"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Check checks the engine and all closed periods: see Boards.Check.
func Check(ctx context.Context, c *catalog.Catalog, progress func(engine.Report)) (Report, error) {
	if c.IsStopped() {
		return Report{}, board.ErrClosed
	}
	a := newAudit(c.Engine.Now())
	rep, err := c.Owner.Check(ctx, progress, a.hooks())
	return a.report(rep, err)
}

// CheckDir is engine.CheckDir, and compares closed periods as Boards.Check does. If Salvage could copy a closed ranking only in part, the check
// reports it until its board is migrated or the period is dropped. Errors: those of engine.CheckDir. O(bytes).
func CheckDir(ctx context.Context, dir string, o engine.Options, progress func(engine.Report)) (Report, error) {
	now := time.Now
	if o.Clock != nil {
		now = o.Clock
	}
	a := newAudit(now())
	rep, err := engine.AuditDir(ctx, owner.New(), dir, o, progress, a.hooks())
	return a.report(rep, err)
}

// hooks returns the functions that the engine's check calls.
func (a *audit) hooks() owner.Audit {
	return owner.Audit{
		Set: func(key string, s owner.Audited, entries *zset.IntView) {
			s.Doubtful = s.Doubtful || a.sets[key].Doubtful
			a.sets[key] = s
			a.noteEdge(key, entries)
			a.compile()
			a.notePart(key, entries)
			a.noteAwards(key, entries)
			a.noteJournal(key, entries)
			a.noteStrange(key, entries)
			a.noteIndexed(key, entries)
			a.noteCohorts(key, entries)
			a.noteTiers(key, entries)
			a.noteGroups(key, entries)
		},
		Private: func(kv persist.KV) {
			if rest, ok := strings.CutPrefix(string(kv.Key), boardkey.PlacePrefix()); ok {
				a.notePlace(rest, kv.Value)
				return
			}
			a.noteModeration(string(kv.Key), kv.Value)
			a.noteMembership(string(kv.Key), kv.Value)
			a.private(kv)
		},
	}
}

// report compares the collected sets and keys, and adds the problems to the engine's report.
func (a *audit) report(rep engine.Report, err error) (Report, error) {
	a.rep.Report, a.rep.Problems = rep, append(rep.Problems, a.rep.Problems...) // those that a hook has found
	if err != nil {
		return a.rep, err
	}
	a.compile()
	a.closedWindows()
	for _, rest := range slices.Sorted(maps.Keys(a.records)) {
		a.record(rest, a.records[rest])
	}
	for _, key := range slices.Sorted(maps.Keys(a.sets)) {
		a.unrecorded(key)
	}
	a.rolling()
	a.tails()
	a.parts()
	a.strangers()
	a.compareGroups()
	a.keptResults()
	a.journalRows()
	a.storedUnions()
	a.awards()
	a.cohortProblems()
	a.tierProblems()
	return a.rep, nil
}

// compile compiles the stored specs, once, when all private keys are collected.
func (a *audit) compile() {
	if a.compiled {
		return
	}
	a.compiled = true
	for _, name := range slices.Sorted(maps.Keys(a.specs)) {
		spec, version, err := state.DecodeSpec(a.specs[name])
		if err == nil {
			a.boards[name], err = state.New(spec, version)
		}
		if err != nil {
			delete(a.boards, name)
			a.problem(fmt.Sprintf("board %q", name), "stored spec: %v", err)
		}
	}
	a.layouts()
}

// closedWindows sets up to which time each window is closed, and notes the buckets.
func (a *audit) closedWindows() {
	a.buckets()
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

// record compares a closed period with its record.
func (a *audit) record(rest string, text []byte) {
	t := a.timeline(rest)
	if t == nil {
		return // the record is of a board or a window that is being dropped
	}
	period := rest[strings.LastIndexByte(rest, 0)+1:]
	at := Where(t.Board, t.Window.Name, period)
	r, err := state.DecodeRecord(text)
	if err != nil {
		a.problem(at, "stored record: %v", err)
		return
	}
	set, exists := a.ranking(t, period)
	a.hiddenOf(t, period, r)
	want, known := r.Digest(t.Version)
	switch {
	case set.Doubtful: // the engine's report has the reason
	case !exists && r.Members == 0: // all were removed after the closing
		a.compareIndex(t, r)
	case !exists:
		a.problem(at, "is closed with %d members, and its ranking is not there", r.Members)
	case set.Members != r.Members:
		a.problem(at, "has %d members, and had %d when it was closed", set.Members, r.Members)
	case !known:
		a.rep.Unrecorded++
		a.compareIndex(t, r)
	case set.Digest != want:
		a.problem(at, "is not what it was when it was closed: its entries have digest %016x, and not %016x", set.Digest, want)
	default:
		a.rep.Closed++
		a.compareIndex(t, r)
	}
}

// ranking returns the sum of the sets that hold the ranking of a period. It is doubtful if one of them is.
func (a *audit) ranking(t *state.Timeline, period string) (sum owner.Audited, exists bool) {
	for _, key := range t.RankingKeys(period) {
		if set, ok := a.sets[key]; ok {
			sum.Members, sum.Digest, sum.Doubtful = sum.Members+set.Members, sum.Digest+set.Digest, sum.Doubtful || set.Doubtful
			exists = true
		}
	}
	return sum, exists
}

// periodOf returns the window and the period of a set, if it is the first that exists of those that hold the ranking of the period.
func (a *audit) periodOf(key string) (st *state.State, t *state.Timeline, slot *state.Slot) {
	k, ok := boardkey.Parse(key)
	_, _, isBucket := k.Bucket()
	if st = a.boards[k.Board]; !ok || st == nil || k.Version != st.Version || isBucket { // the head is first
		return nil, nil, nil
	}
	if t, slot = st.SlotOf(k); slot == nil {
		return nil, nil, nil
	}
	keys := t.RankingKeys(slot.Name)
	if i := slices.IndexFunc(keys, func(key string) bool { _, exists := a.sets[key]; return exists }); i < 0 || keys[i] != key {
		return nil, nil, nil
	}
	return st, t, slot
}

// onlyHidden returns the window and the period of a set if it has the hidden members of a period that has no others.
func (a *audit) onlyHidden(key string) (*state.State, *state.Timeline, *state.Slot) {
	k, _ := boardkey.Parse(key)
	st := a.boards[k.Board]
	if st == nil || k.Version != st.Version || !k.IsHidden() {
		return nil, nil, nil
	}
	t, slot := st.SlotOf(k)
	if slot == nil {
		return nil, nil, nil
	}
	if _, exists := a.ranking(t, slot.Name); exists {
		return nil, nil, nil
	}
	return st, t, slot
}

// unrecorded reports the ranking of a closed period that has no record: a period gets none if it has no members when it is closed, so the ranking
// came later. A period that is being deleted may lack its record already. The key is that of any set.
func (a *audit) unrecorded(key string) {
	_, t, slot := a.periodOf(key)
	if slot == nil || !t.IsClosed(slot) {
		return
	}
	set, _ := a.ranking(t, slot.Name)
	window := boardkey.Join([]string{t.Board, t.Window.Name})
	if _, recorded := a.records[window+slot.Name]; set.Doubtful || recorded || a.intents[window+slot.Name] || a.intents[window] {
		return
	}
	a.problem(Where(t.Board, t.Window.Name, slot.Name), "has %d members, and had none when it was closed", set.Members)
}

// rolling compares the numbers of members in the sets of each rolling window: see RW1 in package rolling.
func (a *audit) rolling() {
	for _, name := range slices.Sorted(maps.Keys(a.boards)) {
		for _, t := range a.boards[name].Rolling() {
			a.rollingWindow(t)
		}
	}
}

// rollingWindow compares the sets of a rolling window, unless one of them could not be read as it was when the check began.
func (a *audit) rollingWindow(t *state.Timeline) {
	ranking, hidden, timers, results := a.sets[rolling.Key(t)], a.sets[t.Roll.Hidden], a.sets[t.Roll.Timers], a.sets[t.Roll.Results]
	if ranking.Doubtful || hidden.Doubtful || timers.Doubtful || results.Doubtful {
		return
	}
	at := Where(t.Board, t.Window.Name, rolling.Period)
	if ranking.Members+hidden.Members != timers.Members {
		a.problem(at, "ranks %d members, hides %d, and %d members have results", ranking.Members, hidden.Members, timers.Members)
	}
	if results.Members < timers.Members {
		a.problem(at, "%d members have results, and there are %d results", timers.Members, results.Members)
	}
}

// keptResults compares, for operators that keep results, the number of members of each period with the number of those that have kept results.
func (a *audit) keptResults() {
	for _, key := range slices.Sorted(maps.Keys(a.sets)) {
		st, t, slot := a.periodOf(key)
		if slot == nil {
			st, t, slot = a.onlyHidden(key)
		}
		if slot == nil {
			continue
		}
		rest := boardkey.Join([]string{t.Board, t.Window.Name, slot.Name})
		have := a.kept[rest]
		if delete(a.kept, rest); st.Rules.K() == 0 {
			continue // times, which not every entry needs, and which a migration leaves
		}
		hidden := a.sets[t.HiddenKey(slot.Name)]
		if set, _ := a.ranking(t, slot.Name); !set.Doubtful && !hidden.Doubtful && set.Members+hidden.Members != have && !a.isBeingDeleted(t.Board, t.Window.Name, slot.Name) {
			a.problem(Where(t.Board, t.Window.Name, slot.Name), "has %d members, and %d members have kept results", set.Members+hidden.Members, have)
		}
	}
	for _, rest := range slices.Sorted(maps.Keys(a.kept)) {
		parts := strings.Split(rest, "\x00")
		if a.boards[parts[0]] != nil && !a.isBeingDeleted(parts[0], parts[1], parts[2]) {
			a.problem(Where(parts[0], parts[1], parts[2]), "%d members have kept results, and the ranking is not there", a.kept[rest])
		}
	}
}

// noteJournal checks the rows of a journal. The entries are nil if they are not known.
func (a *audit) noteJournal(key string, entries *zset.IntView) {
	if k, ok := boardkey.Parse(key); ok && k.Kind == boardkey.JournalKind && entries != nil {
		a.journals[k.Board] = journal.Check(entries)
	}
}

// journalRows reports what is wrong with journals.
func (a *audit) journalRows() {
	for _, name := range slices.Sorted(maps.Keys(a.journals)) {
		if problem := a.journals[name]; problem != "" {
			a.problem(fmt.Sprintf("board %q, journal", name), "%s", problem)
		}
	}
}

// storedUnions compares the stored unions with their records.
func (a *audit) storedUnions() {
	for _, name := range slices.Sorted(maps.Keys(a.unions)) {
		at := fmt.Sprintf("union %q", name)
		u, err := state.DecodeUnion(a.unions[name])
		if err != nil {
			a.problem(at, "stored record: %v", err)
			continue
		}
		set := a.sets[boardkey.UnionSet(name, u.Version)]
		switch {
		case set.Doubtful: // the engine's report has the reason
		case set.Members != u.Members:
			a.problem(at, "has %d members, and had %d when it was stored", set.Members, u.Members)
		case set.Digest != u.Digest:
			a.problem(at, "is not what it was when it was stored: its entries have digest %016x, and not %016x", set.Digest, u.Digest)
		default:
			a.rep.Unions++
		}
	}
}
