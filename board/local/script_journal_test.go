package local

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/window"
)

// journalSpec returns a random spec with a journal, and with a rolling window if the script is of those.
func (s *script) journalSpec(name string) board.Spec {
	for {
		spec := s.withJournal(s.spec(name))
		isRolling := func(w board.Window) bool { return w.Kind == window.Rolling }
		if spec.Journal > 0 && (!s.rolling || slices.ContainsFunc(spec.Windows, isRolling)) {
			return spec
		}
	}
}

// revertStep is script.step for boards with journals: many reverts, of few members.
func (s *script) revertStep() {
	s.members = 4
	s.expire()
	switch k := s.rng.IntN(100); {
	case k < 50:
		s.submit()
	case k < 56:
		s.submitAll()
	case k < 58:
		s.inTx()
	case k < 80:
		s.revert()
	case k < 84:
		s.remove()
	case k < 86:
		s.setMeta()
	case k < 93:
		s.move()
	case k < 94:
		s.closeNow()
	case k < 95:
		s.readJournal()
	case k < 96:
		name, n, _ := s.pick()
		s.respecTo(n, s.journalSpec(name))
	case k < 98:
		s.resizeJournal()
	default:
		s.restart()
	}
}

// resizeJournal changes the size of a journal, without another version of the board.
func (s *script) resizeJournal() {
	_, n, _ := s.pick()
	spec := n.spec.WithJournal(1 + s.rng.IntN(60))
	if spec.Differences(n.spec) == nil {
		return
	}
	n.migrate(spec)
	s.game.migrate(spec)
	s.counts["resized"]++
}

// runJournalScript runs a script of boards with journals, and compares everything after each step. It returns how often each thing has happened.
func runJournalScript(t testing.TB, durable, rolling bool, seed uint64, steps int) map[string]int {
	g := newGame(t, durable)
	s := newScript(g, seed+1000)
	s.rolling = rolling
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	for _, name := range []string{"shop", "shop/flowers"} {
		spec := s.journalSpec(name)
		require.NoError(t, g.bs.Drop(t.Context(), name))
		s.define(spec)
		s.boards[name] = newNaive(spec)
	}
	for range steps {
		s.revertStep()
		s.check()
		s.readPast()
	}
	if durable {
		require.NoError(t, problemsError(s.bs.Check(context.Background(), nil)))
	}
	return s.counts
}

// runJournalScripts runs a script for each seed.
func runJournalScripts(t *testing.T, durable, rolling bool, seeds, steps int) {
	total := map[string]int{}
	buckets.SetFull(3)
	t.Cleanup(func() { buckets.SetFull(0) })
	for seed := range uint64(seeds) {
		synctest.Test(t, func(t *testing.T) {
			for step, n := range runJournalScript(t, durable, rolling, seed, steps) {
				total[step] += n
			}
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d scripts of %d steps: %v", seeds, steps, total)
}

func TestJournalScriptsInMemory(t *testing.T) {
	runJournalScripts(t, false, false, howMany(40), 150)
}

func TestJournalScriptsDurable(t *testing.T) {
	runJournalScripts(t, true, false, howMany(16), 120)
}

func TestJournalScriptsRolling(t *testing.T) {
	runJournalScripts(t, false, true, howMany(60), 150)
	runJournalScripts(t, true, true, howMany(16), 120)
}
