package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/internal/submit"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
)

// script makes random calls on two boards and on their naive oracles, and compares every result. The name of one board begins with that of
// the other.
type script struct {
	*game
	rng       *rand.Rand
	boards    map[string]*naive
	coins     string                   // the expected value of the caller's private key coins
	kept      map[string]board.Ranking // kept handles of live periods, by board and window, until the board is migrated or dropped
	stored    map[string][]board.Row   // the expected rows of stored unions, by name
	members   int                      // of submissions; 0: 12
	oneCommit bool                     // each step is one commit, after which all due periods are closed
	rolling   bool                     // boards with journals have rolling windows
	counts    map[string]int
}

func newScript(g *game, seed uint64) *script {
	s := &script{game: g, rng: rand.New(rand.NewPCG(seed, 7)), boards: map[string]*naive{}, kept: map[string]board.Ranking{}, stored: map[string][]board.Row{},
		counts: map[string]int{}}
	for _, name := range []string{"shop", "shop/flowers"} {
		spec := s.spec(name)
		s.define(spec)
		s.boards[name] = newNaive(spec)
	}
	return s
}

// spec returns a random spec. Columns always have the same names, so that any spec can be migrated to any other.
func (s *script) spec(name string) board.Spec {
	pick := func(n int) int { return s.rng.IntN(n) }
	spec := board.Spec{Name: name, Op: []board.Op{board.Best, board.Last, board.First, board.Sum, board.Min, board.Max, board.BestOf, board.LastOf, board.DropWorst}[pick(9)], Ties: []board.Ties{board.FirstToReach, board.LastToReach, board.ByMember}[pick(3)],
		MaxMeta: 20, BestRanks: pick(2) == 0, OnceFor: window.Duration(3 * time.Hour)}
	for _, column := range []string{"points", "time"}[:1+pick(2)] {
		spec.Columns = append(spec.Columns, board.Column{Name: column, Kind: []board.ColumnKind{board.Int64, board.Int64, board.Float64}[pick(3)], Order: []board.Order{board.Asc, board.Desc}[pick(2)]})
	}
	for i := range spec.Columns {
		spec.Columns[i].Absent = []board.Absence{"", "", board.AbsentFirst, board.AbsentLast}[pick(4)]
	}
	if pick(3) == 0 {
		spec.Columns = slices.Insert(spec.Columns, pick(2), board.Column{Name: "all", Order: board.Desc, Of: map[string]board.Value{"points": board.Int(int64(pick(30) - 9))}}) // whole: closed periods keep their values in any of them
	}
	if slices.Contains([]board.Op{board.BestOf, board.LastOf, board.DropWorst}, spec.Op) {
		spec.K = 1 + pick(3)
		for i := range spec.Columns {
			if spec.Columns[i].Of == nil {
				spec.Columns[i].Kind = board.Int64
			}
		}
	}
	windows := []board.Window{
		board.All,
		{Kind: window.Hour, Grace: window.Duration(90 * time.Minute), Keep: 2},
		{Kind: window.Day, TimeZone: "Asia/Shanghai", Keep: 1 + pick(2)},
		{Name: "day2", Kind: window.Day, Grace: window.Forever},
		{Kind: window.Every, Every: window.Duration(7 * time.Hour)},
	}
	s.rng.Shuffle(len(windows), func(i, j int) { windows[i], windows[j] = windows[j], windows[i] })
	spec.Windows = windows[:1+pick(4)]
	if pick(3) == 0 {
		spec.Top = &board.Top{N: 1 + pick(4), Reserve: 1 + pick(3), Segments: pick(4)}
		return s.withJournal(spec)
	}
	switch pick(4) {
	case 0:
		return s.withJournal(spec)
	case 1:
		return s.divide(s.withJournal(spec))
	}
	return s.divide(s.withJournal(s.roll(spec)))
}

// divide puts some boards in parts, as far as that is possible.
func (s *script) divide(spec board.Spec) board.Spec {
	divided := spec
	divided.Parts, divided.PartMembers = []int{0, 1, 2, 5, 0, 0}[s.rng.IntN(6)], 0
	if divided.Parts == 0 {
		divided.PartMembers = s.rng.IntN(4)
	}
	if divided.Validate() != nil {
		return spec
	}
	return divided
}

// roll adds rolling windows to some specs, as far as that is possible. Windows have the same name only if their rules are the same.
func (s *script) roll(spec board.Spec) board.Spec {
	if s.rng.IntN(2) == 0 {
		return spec
	}
	r, err := spec.Rules()
	require.NoError(s.t, err)
	rules := fmt.Sprintf("%s-%s", spec.Op, spec.Ties)
	for _, c := range r.Columns() {
		rules += fmt.Sprintf("-%s-%s-%s%s%v", c.Name, c.Kind, c.Order, c.Absent, c.Of["points"])
	}
	rolled := spec
	rolled.Windows = append(slices.Clone(spec.Windows), board.Rolling("r3h-"+rules, 3*time.Hour))
	if s.rng.IntN(2) == 0 {
		rolled.Windows = append(rolled.Windows, board.Window{Name: "b-" + rules, Kind: window.Rolling, Span: window.Duration(3 * time.Hour), Bucket: window.Duration(35 * time.Minute)})
	}
	s.rng.Shuffle(len(rolled.Windows), func(i, j int) { rolled.Windows[i], rolled.Windows[j] = rolled.Windows[j], rolled.Windows[i] })
	if rolled.Validate() != nil {
		return spec
	}
	return rolled
}

// pick returns a random board: its name, its oracle, and the board.
func (s *script) pick() (string, *naive, board.Board) {
	name := []string{"shop", "shop/flowers"}[s.rng.IntN(2)]
	return name, s.boards[name], s.board(name)
}

// member returns a random member.
func (s *script) member() string { return string(rune('a' + s.rng.IntN(cmp.Or(s.members, 12)))) }

// submission returns a random submission, which may be late, in the future or invalid.
func (s *script) submission(n *naive) board.Submission {
	now, pick := s.clock.Now(), func(k int) int { return s.rng.IntN(k) }
	sub := board.Submission{Member: s.member(), At: now, Near: pick(4), Overtaken: pick(5)}
	switch pick(8) {
	case 0:
		sub.At = now.Add(-time.Duration(pick(200)) * time.Minute)
	case 1:
		sub.At = now.Add(-time.Duration(pick(72)) * time.Hour)
	case 2:
		sub.At = now.Add(time.Duration(pick(100)) * time.Minute)
	}
	var values []board.Value
	for _, c := range n.spec.Columns {
		if c.Of != nil {
			continue
		}
		if c.Absent != "" && pick(3) == 0 {
			values = append(values, board.Absent)
			continue
		}
		v := int64(pick(7) - 3)
		if values = append(values, board.Int(v)); c.Kind == board.Float64 {
			values[len(values)-1] = board.Float(float64(v))
		}
	}
	if sub.Score = board.Values(values...); pick(60) == 0 {
		sub.Score = board.Ints(1, 2, 3) // the wrong columns
	}
	if pick(5) == 0 {
		for _, w := range n.windows {
			if pick(2) == 0 {
				sub.Windows = append(sub.Windows, w.Label())
			}
		}
		s.rng.Shuffle(len(sub.Windows), func(i, j int) { sub.Windows[i], sub.Windows[j] = sub.Windows[j], sub.Windows[i] })
	}
	if pick(3) == 0 {
		sub.Once = fmt.Sprint("once", pick(submit.ForgetOnce))
	}
	if pick(4) == 0 {
		sub.Meta = []byte(strings.Repeat("m", pick(3)))
	}
	if pick(4) == 0 {
		sub.If = board.Condition(pick(4))
	}
	return sub
}

// same requires that two errors are of the same kind, and reports whether they are nil.
func (s *script) same(want, got error) bool {
	s.t.Helper()
	require.Equal(s.t, kind(want), kind(got), "%v", got)
	return want == nil
}

// submit submits alone, sometimes with SubmitFunc.
func (s *script) submit() {
	name, n, b := s.pick()
	sub := s.submission(n)
	var score func(board.Row, bool) (board.Score, bool) // of SubmitFunc; nil: Submit
	if s.rng.IntN(6) == 0 {
		score = func(was board.Row, ranked bool) (board.Score, bool) {
			return sub.Score, !ranked || was.Beyond || was.Rank%2 == 1
		}
	}
	want, _, err := n.submitAll([]board.Submission{sub}, score, s.clock.Now())
	if s.rng.IntN(2) == 0 && sub.At.Equal(s.clock.Now()) {
		sub.At = time.Time{}
	}
	var got board.Change
	var bad error
	if score != nil {
		got, bad = b.SubmitFunc(context.Background(), sub, score)
	} else {
		got, bad = b.Submit(context.Background(), sub)
	}
	if s.same(err, bad) {
		require.Equal(s.t, want, s.fitAll(n, want, got), "%s: %+v", name, sub)
		s.counts["overtaken"] += len(got.Overtaken)
	}
	s.counts["submit"]++
}

// submitAll submits a batch.
func (s *script) submitAll() {
	_, n, b := s.pick()
	subs := make([]board.Submission, s.rng.IntN(5))
	for i := range subs {
		subs[i] = s.submission(n)
	}
	want, at, err := n.submitAll(subs, nil, s.clock.Now())
	got, bad := b.SubmitAll(context.Background(), subs)
	if s.same(err, bad) {
		require.ElementsMatch(s.t, want, s.fitAll(n, want, got...))
	} else {
		batch := new(board.BatchError)
		require.ErrorAs(s.t, bad, &batch)
		require.Equal(s.t, at, batch.Index)
	}
	s.counts["batch"]++
}

var errChanged = errors.New("the caller cancels the transaction")

// copyOpenPeriods opens the periods that a copy has opened.
func (n *naive) copyOpenPeriods(c *naive) {
	for i, w := range n.windows {
		for name, p := range c.windows[i].periods {
			if w.periods[name] == nil {
				w.periods[name] = &naivePeriod{p.Period, naiveEntries{}}
			}
		}
	}
}

// step makes one random call.
func (s *script) step() {
	s.expire()
	switch k := s.rng.IntN(100); {
	case k < 5:
		s.revert()
	case k < 55:
		s.submit()
	case k < 63:
		s.submitAll()
	case k < 69:
		s.inTx()
	case k < 73:
		s.remove()
	case k < 77:
		s.setMeta()
	case k < 88:
		s.move()
	case k < 91:
		s.closeNow()
	case k < 92:
		s.baseline()
	case k < 93:
		s.union()
	case k < 94:
		s.readJournal()
	case k < 97:
		s.respec()
	default:
		s.restart()
	}
}

// want returns the expected dump of the boards.
func (s *script) want() string {
	s.expire()
	return s.boards["shop"].dump() + s.boards["shop/flowers"].dump() + s.storedText()
}

// expire removes the results that have left rolling windows from the oracles.
func (s *script) expire() {
	for _, n := range s.boards {
		n.expire(s.clock.Now())
	}
}

// check compares all boards with their oracles.
func (s *script) check() {
	s.t.Helper()
	got, err := dump(s.bs)
	require.NoError(s.t, err)
	require.Equal(s.t, s.want(), got)
	s.counts["compared"]++
	s.counts["rolling"] += s.checkRolling()
	s.count()
	s.checkTops()
	for name := range s.boards {
		s.checkKept(name)
	}
}

// checkKept compares kept handles of a board's live periods with the rankings of these periods.
func (s *script) checkKept(name string) {
	ctx := context.Background()
	s.t.Helper()
	b := s.board(name)
	for _, w := range b.Spec().Windows {
		key := name + " " + w.Name
		kept := s.kept[key]
		if kept == nil {
			var err error
			kept, err = b.Live(ctx, w.Name)
			require.NoError(s.t, err)
			s.kept[key] = kept
		}
		if _, err := kept.Len(ctx); errors.Is(err, board.ErrMigrating) || errors.Is(err, board.ErrNoBoard) {
			delete(s.kept, key)
			continue
		}
		period, err := b.At(ctx, w.Name, s.clock.Now())
		require.Equal(s.t, s.show(period, err), s.show(kept, nil))
		require.Equal(s.t, infoOf(period), infoOf(kept))
		s.counts["kept"]++
	}
}

// runScripts runs a script for each seed, and compares everything after each step.
func runScripts(t *testing.T, durable bool, seeds, steps int, o engine.Options) {
	total := map[string]int{}
	buckets.SetFull(3)
	t.Cleanup(func() { buckets.SetFull(0) })
	for seed := range uint64(seeds) {
		synctest.Test(t, func(t *testing.T) { // in the bubble the scheduler closes no periods by itself
			g := newGame(t, durable, func(g *game) {
				g.o, g.alone = o, o.MemoryLimit > 0 // two goroutines that wait for memory would let the time of the bubble pass
			})
			s := newScript(g, seed)
			defer func() {
				if t.Failed() {
					t.Logf("seed %d", seed)
				}
			}()
			for range steps {
				s.step()
				if g.alone {
					g.index()
				}
				s.check()
			}
			for step, n := range s.counts {
				total[step] += n
			}
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d scripts of %d steps: %v", seeds, steps, total)
}

// howMany returns the number of repetitions of a test: n with -args -long, and less otherwise.
func howMany(n int) int {
	if testing.Short() || invariants.Enabled {
		return max(n/8, 2)
	}
	return matrix.Pick(max(n/3, 2), n)
}

func TestScriptsInMemory(t *testing.T) {
	runScripts(t, false, howMany(24), 300, engine.Options{})
}

func TestScriptsDurable(t *testing.T) {
	runScripts(t, true, howMany(16), 200, engine.Options{})
}

func TestScriptsEvicting(t *testing.T) {
	runScripts(t, true, howMany(8), 150, engine.Options{MemoryLimit: 1, SnapshotBytes: 1})
}
