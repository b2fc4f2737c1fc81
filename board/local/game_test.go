package local

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/persist"
)

// game is an engine with boards for a test. Its clock stands until the test moves it; its disk is in memory and can lose power.
type game struct {
	t      testing.TB
	mem    *memfs.FS                  // the disk; nil: the engine is in memory only
	wrap   func(*memfs.FS) persist.FS // returns the file system of the engine, with injected faults; nil: mem
	o      engine.Options
	clock  *testclock.Clock
	logged *logRecorder
	alone  bool // nobody but the test indexes closed periods
	e      *engine.Engine
	bs     *Boards
}

// newGame opens a game, and closes it at the end of the test.
func newGame(t testing.TB, durable bool, options ...func(*game)) *game {
	g := &game{t: t, clock: testclock.New(), logged: &logRecorder{}}
	if durable {
		g.mem = memfs.NewCrashable()
	}
	for _, option := range options {
		option(g)
	}
	g.o.Clock = g.clock.Now
	g.open()
	t.Cleanup(func() { _ = g.bs.Close(); _ = g.e.Close() })
	return g
}

func (g *game) open() {
	g.t.Helper()
	require.NoError(g.t, g.tryOpen())
}

func (g *game) tryOpen() (err error) {
	if g.mem == nil {
		g.e, err = engine.New(g.o)
	} else {
		g.o.FS = g.mem
		if g.wrap != nil {
			g.o.FS = g.wrap(g.mem)
		}
		g.e, err = engine.Open("db", g.o)
	}
	if err == nil {
		err = g.openBoards()
	}
	return err
}

func (g *game) openBoards() (err error) {
	if g.bs, err = Open(g.e, Options{Logger: slog.New(g.logged)}); err == nil && g.alone {
		g.bs.moderator.Stop()
	}
	return err
}

// reopenBoards opens the boards again, with the same engine.
func (g *game) reopenBoards() {
	g.t.Helper()
	require.NoError(g.t, g.bs.Close())
	require.NoError(g.t, g.openBoards())
}

// reopen closes everything and opens it again.
func (g *game) reopen() {
	g.t.Helper()
	require.NoError(g.t, g.bs.Close())
	require.NoError(g.t, g.e.Close())
	g.open()
}

// powerCut cuts the power, and reopens the engine. percent of the unsynced data stays on the disk.
func (g *game) powerCut(percent int, seed uint64) {
	g.t.Helper()
	disk := powercut.Clone(g.mem, percent, seed)
	_ = g.bs.Close()
	_ = g.e.Close()
	g.mem = disk
	g.open()
}

func (g *game) define(spec board.Spec) board.Board {
	g.t.Helper()
	b, err := g.bs.Define(context.Background(), spec)
	require.NoError(g.t, err)
	return b
}

func (g *game) board(name string) board.Board {
	g.t.Helper()
	b, err := g.bs.Board(context.Background(), name)
	require.NoError(g.t, err)
	return b
}

// coreOf returns what a board of an engine is made of.
func coreOf(b board.Board) *catalog.Board { return b.(*localBoard).core() }

// hintsOf is Boards.Hints.
func hintsOf(b board.Board) Hints { return Hints{coreOf(b)} }

// in is Boards.In.
func in(b board.Board, tx *engine.Tx) InTx { return InTx{coreOf(b), tx} }

// groupsIn is Boards.GroupsIn.
func groupsIn(g board.Groups, tx *engine.Tx) GroupsInTx {
	k := g.(*localGroups).core()
	return GroupsInTx{k, k.In(tx)}
}

// isBanned is Board.IsBanned.
func isBanned(b board.Board, member string) bool {
	return must(b.IsBanned(context.Background(), member))
}

// isHidden is Board.IsHidden.
func isHidden(b board.Board, member string) bool {
	return must(b.IsHidden(context.Background(), member))
}

// usageOf returns the periods of all windows that have members.
func usageOf(b board.Board) (all []board.Usage, err error) {
	for _, w := range b.Spec().Windows {
		list, err := b.Periods(context.Background(), w.Label())
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// wolves returns guilds of which ada is in one.
func wolves(g *game) board.Groups {
	guilds, err := g.bs.DefineGroups(g.t.Context(), "guild")
	require.NoError(g.t, err)
	require.NoError(g.t, guilds.Create(g.t.Context(), "wolves", nil))
	require.NoError(g.t, guilds.Join(g.t.Context(), "ada", "wolves"))
	return guilds
}

// infoOf is Ranking.Info.
func infoOf(r board.Ranking) board.Info { return must(r.Info(context.Background())) }

// score submits a score of one column, now.
func (g *game) score(b board.Board, member string, score int64) board.Change {
	g.t.Helper()
	c, err := b.Submit(context.Background(), board.Submission{Member: member, Score: board.Ints(score)})
	require.NoError(g.t, err)
	return c
}

// closeDue calls CloseDue, and requires that it closes want periods.
func (g *game) closeDue(want int) {
	g.t.Helper()
	n, err := g.bs.CloseDue(context.Background())
	require.NoError(g.t, err)
	require.Equal(g.t, want, n, "closed")
}

// index indexes the closed periods of all boards, so that no goroutine commits afterwards, and nothing waits for the disk.
func (g *game) index() {
	g.t.Helper()
	for _, b := range g.bs.All() {
		require.NoError(g.t, places.All(context.Background(), coreOf(b), coreOf(b).State()))
	}
	require.NoError(g.t, g.e.Barrier(context.Background()))
}

func (g *game) migrate(spec board.Spec) {
	g.t.Helper()
	_, err := g.bs.Migrate(context.Background(), spec)
	require.NoError(g.t, err)
}

// show writes a ranking in one line: "ada 15, bea 9".
func (g *game) show(r board.Ranking, err error) string {
	g.t.Helper()
	require.NoError(g.t, err)
	rows, err := r.Top(context.Background(), 1<<20)
	require.NoError(g.t, err)
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = row.Member + " " + row.Score.String()
		if row.Meta != nil {
			texts[i] += fmt.Sprintf(" %q", row.Meta)
		}
	}
	return strings.Join(texts, ", ")
}

// live shows the ranking of a window's live period.
func (g *game) live(b board.Board, window string) string {
	g.t.Helper()
	return g.show(b.Live(context.Background(), window))
}

// period shows the ranking of a period.
func (g *game) period(b board.Board, window, period string) string {
	g.t.Helper()
	return g.show(b.Period(context.Background(), window, period))
}

// privates returns the private keys with a prefix.
func (g *game) privates(prefix string) (keys []string) {
	g.t.Helper()
	require.NoError(g.t, g.e.View(context.Background(), func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(prefix) {
			if err != nil {
				return err
			}
			keys = append(keys, string(kv.Key))
		}
		return nil
	}))
	return keys
}

// sets returns the keys of all sets of boards.
func (g *game) sets() []string {
	g.t.Helper()
	keys, err := g.e.Keys(KeyPrefix)
	require.NoError(g.t, err)
	return keys
}

// dump writes everything that can be read of all boards.
func dump(bs *Boards) (string, error) {
	var out bytes.Buffer
	for _, b := range bs.All() {
		fmt.Fprintf(&out, "%s v%d\n", b.Name(), b.Version())
		for _, w := range b.Spec().Windows {
			if err := dumpWindow(&out, b, w.Name); err != nil {
				return "", err
			}
		}
		if err := dumpJournal(&out, b); err != nil {
			return "", err
		}
	}
	err := dumpUnions(&out, bs)
	return out.String(), err
}

// dumpUnions writes the stored unions.
func dumpUnions(out *bytes.Buffer, bs *Boards) error {
	stored, err := bs.StoredUnions(context.Background())
	if err != nil {
		return err
	}
	for _, u := range stored {
		r, err := bs.StoredUnion(context.Background(), u.Name)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "union %s:", u.Name)
		if err := dumpRows(out, false, "", r, nil); err != nil {
			return err
		}
	}
	return nil
}

// dumpWindow writes the periods and the baselines of a window.
func dumpWindow(out *bytes.Buffer, b board.Board, window string) error {
	ctx := context.Background()
	periods, err := b.Periods(ctx, window)
	if err != nil {
		return err
	}
	for _, u := range periods {
		r, err := b.Period(ctx, window, u.Period)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, " %s %s closed=%v:", window, u.Period, u.Closed)
		if err := dumpRows(out, b.Spec().BestRanks, window, r, func(window, member string) (int, bool, error) {
			return b.BestRank(ctx, window, member)
		}); err != nil {
			return err
		}
	}
	names, err := b.Baselines(ctx, window)
	if err != nil {
		return err
	}
	for _, name := range names {
		r, err := b.Baseline(ctx, window, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, " %s base %s:", window, name)
		if err := dumpRows(out, false, window, r, nil); err != nil {
			return err
		}
	}
	return nil
}

// dumpRows writes the rows of a ranking and, if they are kept, the members' best ranks.
func dumpRows(out *bytes.Buffer, kept bool, window string, r board.Ranking, bestRank func(window, member string) (int, bool, error)) error {
	rows, err := r.Top(context.Background(), 1<<20)
	if err != nil {
		return err
	}
	for _, row := range rows {
		out.WriteString(rowText(row))
		if !kept {
			continue
		}
		best, _, err := bestRank(window, row.Member)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, " best=%d", best)
	}
	out.WriteString("\n")
	return nil
}

func rowText(row board.Row) string {
	text := fmt.Sprintf(" %d:%s=%v@%d", row.Rank, row.Member, row.Score, max(row.Reached.UnixMicro(), 0))
	if row.Meta != nil {
		text += fmt.Sprintf("%q", row.Meta)
	}
	return text
}

// logRecorder is the handler of a Logger that keeps each record as a line: the message and the attributes' values.
type logRecorder struct {
	beforeRecord func()            // called before each record, unless nil
	afterRecord  func(line string) // called after each record, unless nil

	mu    sync.Mutex
	lines []string
}

func (d *logRecorder) Enabled(context.Context, slog.Level) bool { return true }
func (d *logRecorder) WithAttrs([]slog.Attr) slog.Handler       { return d }
func (d *logRecorder) WithGroup(string) slog.Handler            { return d }

func (d *logRecorder) Handle(_ context.Context, r slog.Record) error {
	if d.beforeRecord != nil {
		d.beforeRecord()
	}
	line := strings.TrimPrefix(r.Message, "board: ")
	r.Attrs(func(a slog.Attr) bool { line += " " + a.Value.String(); return true })
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, line)
	if d.afterRecord != nil {
		d.afterRecord(line)
	}
	return nil
}

// take returns the lines since the last call.
func (d *logRecorder) take() []string { return taken(&d.mu, &d.lines) }

// jump moves the clock by d.
func (g *game) jump(d time.Duration) { g.clock.Add(d) }

// to moves the clock to a time in UTC.
func (g *game) to(text string) {
	g.t.Helper()
	at, err := time.Parse(time.DateTime, text)
	require.NoError(g.t, err)
	g.clock.Set(at)
}
