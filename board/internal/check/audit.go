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
	"github.com/zrankdb/zrank/board/internal/leagues"
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
		Set: func(key string, read owner.Audited, entries *zset.IntView) {
			a.compile()
			s := a.add(key)
			read.Doubtful = read.Doubtful || s.Doubtful
			if s.Audited = read; s.st != nil {
				a.note(s, entries)
			}
		},
		Private: func(kv persist.KV) {
			if rest, ok := strings.CutPrefix(string(kv.Key), boardkey.PlacePrefix()); ok {
				a.notePlace(rest, kv.Value)
				return
			}
			a.noteModeration(string(kv.Key), kv.Value)
			a.noteMembership(string(kv.Key), kv.Value)
			a.noteHistory(string(kv.Key), kv.Value)
			a.private(kv)
		},
	}
}

// note notes what is compared of a set of a board. The entries are nil if they are not known.
func (a *audit) note(s *set, entries *zset.IntView) {
	if s.slot != nil {
		a.noteIndexed(s, entries)
		a.noteCohorts(s, entries)
		a.noteGroups(s, entries)
	}
	if entries == nil {
		return
	}
	switch {
	case s.k.IsAwards():
		a.noteAwards(s, entries)
	case s.k.IsTiers():
		at := fmt.Sprintf("board %q, window %q, tiers", s.k.Board, s.k.WindowOf())
		a.faults[at] = leagues.CheckTiers(entries)
	case s.k.Kind == boardkey.JournalKind:
		a.faults[fmt.Sprintf("board %q, journal", s.k.Board)] = journal.Check(entries)
	case s.slot != nil && s.k.HasEntries():
		s.noteEdge(entries)
		s.notePart(entries)
		a.noteStrange(s, entries)
	}
}

// report compares the collected sets and keys, and adds the problems to the engine's report.
func (a *audit) report(rep engine.Report, err error) (Report, error) {
	a.rep.Report, a.rep.Problems = rep, append(rep.Problems, a.rep.Problems...) // those that a hook has found
	if err != nil {
		return a.rep, err
	}
	a.compile()
	for path := range a.each(boardkey.RecordPrefix()) {
		if t, period := a.at(path); t != nil { // else the record is of a board or a window that is being dropped
			a.record(t, period, path)
		}
	}
	sets := a.sorted()
	for _, s := range sets {
		if s.st == nil || s.slot == nil {
			continue
		}
		a.unrecorded(s)
		a.behindHead(s)
		a.belongs(s)
		a.strangers(s)
		a.keptResults(s)
	}
	a.keptOfNone()
	a.twice(sets)
	a.rolling()
	a.compareGroups()
	a.storedUnions()
	a.awards()
	a.cohortProblems()
	for _, at := range slices.Sorted(maps.Keys(a.faults)) {
		if problem := a.faults[at]; problem != "" {
			a.problem(at, "%s", problem)
		}
	}
	return a.rep, nil
}

// compile compiles the stored specs, and notes how far windows are closed and the layouts of
// rankings in parts, once, when all private keys are collected.
func (a *audit) compile() {
	if a.boards != nil {
		return
	}
	a.boards = map[string]*state.State{}
	for name, text := range a.each(boardkey.Spec("")) {
		spec, version, err := state.DecodeSpec(text)
		var st *state.State
		if err == nil {
			st, err = state.New(spec, version)
		}
		if err != nil {
			a.problem(fmt.Sprintf("board %q", name), "stored spec: %v", err)
			continue
		}
		a.boards[name] = st
	}
	for path, text := range a.each(boardkey.WindowPrefix()) {
		t, _ := a.at(path)
		if t == nil {
			continue
		}
		through, err := state.DecodeThrough(text)
		if err != nil {
			a.problem(fmt.Sprintf("board %q, window %q", t.Board, t.Window.Name), "how far it is closed: %v", err)
			continue
		}
		t.SetClosedThrough(through)
	}
	a.layouts()
}

// record compares a closed period with its record.
func (a *audit) record(t *state.Timeline, period, path string) {
	at := where(path)
	r, err := a.recordOf(path)
	if err != nil {
		a.problem(at, "stored record: %v", err)
		return
	}
	if hidden := a.have(t.HiddenKey(period)); !hidden.Doubtful && hidden.Members != r.Hidden {
		a.problem(at, "has %d hidden members, and its record says %d", hidden.Members, r.Hidden)
	}
	set, exists := a.ranking(t, period)
	want, known := r.Digest(t.Version)
	switch {
	case set.Doubtful: // the engine's report has the reason
	case !exists && r.Members == 0: // all were removed after the closing
		a.compareIndex(path, r)
	case !exists:
		a.problem(at, "is closed with %d members, and its ranking is not there", r.Members)
	case set.Members != r.Members:
		a.problem(at, "has %d members, and had %d when it was closed", set.Members, r.Members)
	case !known:
		a.rep.Unrecorded++
		a.compareIndex(path, r)
	case set.Digest != want:
		const problem = "is not what it was when it was closed: its entries have digest %016x, and not %016x"
		a.problem(at, problem, set.Digest, want)
	default:
		a.rep.Closed++
		a.compareIndex(path, r)
	}
}

// ranking returns the sum of the sets that hold the ranking of a period. It is doubtful if one of them is.
func (a *audit) ranking(t *state.Timeline, period string) (sum owner.Audited, exists bool) {
	for _, key := range t.RankingKeys(period) {
		if s := a.sets[key]; s != nil {
			sum.Members, sum.Digest = sum.Members+s.Members, sum.Digest+s.Digest
			sum.Doubtful = sum.Doubtful || s.Doubtful
			exists = true
		}
	}
	return sum, exists
}

// isFirst reports whether a set is the first that exists of those that hold the ranking of its
// period.
func (a *audit) isFirst(s *set) bool {
	if _, _, isBucket := s.k.Bucket(); isBucket { // the head is first
		return false
	}
	keys := s.t.RankingKeys(s.slot.Name)
	i := slices.IndexFunc(keys, func(key string) bool { return a.sets[key] != nil })
	return i >= 0 && keys[i] == s.key
}

// unrecorded reports the ranking of a closed period that has no record: a period gets none if it
// has no members when it is closed, so the ranking came later. A period that is being deleted may
// lack its record already.
func (a *audit) unrecorded(s *set) {
	if !a.isFirst(s) || !s.t.IsClosed(s.slot) {
		return
	}
	_, recorded := a.values[boardkey.RecordPrefix()][s.path]
	if set, _ := a.ranking(s.t, s.slot.Name); !set.Doubtful && !recorded {
		a.fault(s.path, "has %d members, and had none when it was closed", set.Members)
	}
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
	ranking, hidden := a.have(rolling.Key(t)), a.have(t.Roll.Hidden)
	timers, results := a.have(t.Roll.Timers), a.have(t.Roll.Results)
	if ranking.Doubtful || hidden.Doubtful || timers.Doubtful || results.Doubtful {
		return
	}
	at := where(pathOf(t.Board, t.Window.Name, rolling.Period))
	if ranking.Members+hidden.Members != timers.Members {
		a.problem(at, "ranks %d members, hides %d, and %d members have results", ranking.Members, hidden.Members, timers.Members)
	}
	if results.Members < timers.Members {
		a.problem(at, "%d members have results, and there are %d results", timers.Members, results.Members)
	}
}

// keptResults compares, for operators that keep results, the number of members of a period with the
// number of those that have kept results. The set is any of the period.
func (a *audit) keptResults(s *set) {
	ranked, exists := a.ranking(s.t, s.slot.Name)
	if !a.isFirst(s) && (exists || !s.k.IsHidden()) {
		return
	}
	have := a.kept[s.path]
	if delete(a.kept, s.path); s.st.Rules.K() == 0 {
		return // times, which not every entry needs, and which a migration leaves
	}
	hidden := a.have(s.t.HiddenKey(s.slot.Name))
	if n := ranked.Members + hidden.Members; !ranked.Doubtful && !hidden.Doubtful && n != have {
		a.fault(s.path, "has %d members, and %d members have kept results", n, have)
	}
}

// keptOfNone reports kept results of periods without a ranking.
func (a *audit) keptOfNone() {
	for _, path := range slices.Sorted(maps.Keys(a.kept)) {
		if board, _, _ := split(path); a.boards[board] != nil {
			a.fault(path, "%d members have kept results, and the ranking is not there", a.kept[path])
		}
	}
}

// storedUnions compares the stored unions with their records.
func (a *audit) storedUnions() {
	for name, text := range a.each(boardkey.Union("")) {
		at := fmt.Sprintf("union %q", name)
		u, err := state.DecodeUnion(text)
		if err != nil {
			a.problem(at, "stored record: %v", err)
			continue
		}
		set := a.have(boardkey.UnionSet(name, u.Version))
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
