package board

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/buckets"
)

// journalSpec returns a random spec with a journal.
func (s *script) journalSpec(name string) Spec {
	for {
		if spec := s.withJournal(s.spec(name)); spec.Journal > 0 {
			return spec
		}
	}
}

// revertStep is script.step for boards with journals: many reverts, of few members.
func (s *script) revertStep() {
	s.members = 4
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
	case k < 96:
		s.readJournal()
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

// runJournalScripts runs a script of boards with journals for each seed, and compares everything after each step.
func runJournalScripts(t *testing.T, durable bool, seeds, steps int, o engine.Options) {
	total := map[string]int{}
	buckets.SetFull(3)
	t.Cleanup(func() { buckets.SetFull(0) })
	for seed := range uint64(seeds) {
		synctest.Test(t, func(t *testing.T) {
			g := newGame(t, durable, func(g *game) { g.o = o })
			s := newScript(g, seed+1000)
			defer func() {
				if t.Failed() {
					t.Logf("seed %d", seed)
				}
			}()
			for _, name := range []string{"shop", "shop/flowers"} {
				spec := s.journalSpec(name)
				require.NoError(t, g.bs.Drop(name))
				s.define(spec)
				s.boards[name] = newNaive(spec)
			}
			for range steps {
				s.revertStep()
				s.check()
			}
			if durable {
				require.NoError(t, problemsError(s.bs.Check(context.Background(), nil)))
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

func TestJournalScriptsInMemory(t *testing.T) {
	runJournalScripts(t, false, howMany(40), 150, engine.Options{})
}

func TestJournalScriptsDurable(t *testing.T) {
	runJournalScripts(t, true, howMany(16), 120, engine.Options{})
}
