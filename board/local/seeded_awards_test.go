//go:build seeded

package local

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/seeded"
)

// seededT is the test of the seeded bugs, for bubbles of synctest.
var seededT *testing.T

// TestSeededBugs puts each bug of awards and journals into the boards in turn.
func TestSeededBugs(t *testing.T) {
	seededT = t
	cuts := func() error { return reported(t, func(t testing.TB) { cutSettlement(t, 300) }) }
	scripts := bubbles(func(t testing.TB, seed uint64) { runAwardScript(t, seed) })
	journals := bubblesOf(100, func(t testing.TB, seed uint64) { runJournalScript(t, true, false, seed, 60) })
	rolling := bubblesOf(40, func(t testing.TB, seed uint64) { runJournalScript(t, true, true, seed, 60) })
	pasts := bubbles(func(t testing.TB, seed uint64) { runPast(t, seed, map[string]int{}) })
	years := bubbles(func(t testing.TB, seed uint64) { runLeagues(t, seed, true, map[string]int{}) })
	feeds := bubbles(func(t testing.TB, seed uint64) { runFeedScript(t, false, seed, 150, map[string]int{}) })
	erasures := func() error { return reported(t, testErase) }
	moderations := seeded.Seeds(20, func(seed uint64) error {
		return reported(t, func(t testing.TB) { runModerationScript(t, moderatedSpecs["sum"], true, seed, 200) })
	})
	rolls := seeded.Seeds(20, func(seed uint64) error {
		return reported(t, func(t testing.TB) { runModerationScript(t, moderatedSpecs["rolling sum"], true, seed, 200) })
	})
	turns := seeded.Seeds(20, func(uint64) error { return reported(t, func(t testing.TB) { turnWeeks(t, 0) }) }) // a race: not every run notices
	pages := func() error { return reported(t, moderateMany) }
	linear := seeded.Seeds(20, func(seed uint64) error {
		return reported(t, func(t testing.TB) {
			w := newLinearWorld(t, false)
			w.run(seed, 64, 40)
			require.NoError(t, w.check(10*time.Second))
		})
	})
	undecided := seeded.Seeds(20, func(uint64) error { return reported(t, submitUndecided) })
	filters := func() error { return reported(t, readFiltered) }
	seeded.Prove(t, slices.Concat(
		seeded.Proofs(feeds, "the last member that was overtaken is not told", "the feed is not told of removals"),
		seeded.Proofs(filters, "a block of events forgets the windows", "a feed goes on one event too far in a commit", "blocks of events that readers share have a gap"),
		seeded.Proofs(erasures, "an erasure leaves metadata of closed periods", "an erased name stays in the reasons of others"),
		seeded.Proofs(moderations, "a place that was removed still counts in the index", "a ban leaves the digest of a closed period as it is",
			"a receipt leaves out the last place", "a merge forgets the results of the first member",
			"a ban that keeps ranks lets the others close up", "a vacant rank counts as better than its equals"),
		seeded.Proofs(rolls, "a result that leaves brings a hidden member back", "a merge in a rolling window keeps the timer of the other member",
			"a dry run changes closed periods", "a removal from a rolling window leaves the results"),
		seeded.Proofs(pages, "the index of members misses the last place of a page"),
		seeded.Proofs(journals, "a revert does not apply a later submission again", "a revert gives back the score before, and not its time",
			"a revert leaves the entries before later rows as they are", "a revert leaves the digest of a closed period as it is",
			"a revert brings back a member that was removed"),
		seeded.Proofs(rolling, "a revert forgets the rolling window", "a revert does not bring back results that others have taken the place of",
			"a revert leaves the results around later rows as they are"),
		seeded.Proofs(pasts, "AsOf brings banned members back", "AsOf takes the entry before the last of the later rows"),
		seeded.Proofs(journals, "a revert leaves the entry of a later removal as it is", "AsOf undoes reverted rows"),
		seeded.Proofs(years, "a member is put into a cohort before its last one is settled", "a member that was removed is put into another cohort",
			"a full cohort takes one more member", "cohorts are not told of changes"),
		seeded.Proofs(func() error { return reported(t, playQueue) }, "who comes while others queue for cohorts goes before them", "a queue stays when its period is settled", "members queue behind a period that nobody closes"),
		seeded.Proofs(groupScripts(t, board.Spec{Op: board.Sum}), "a removed member still counts for its group", "a dissolved group stays in the ranking",
			"points that a member has left to a group are given back twice", "the best of a group stays when it has fallen",
			"a member that is renamed loses its base", "what a renamed member has left to groups stays under its old name", "followers are not told of hidden members", "a base goes to another member without its group"),
		seeded.Proofs(groupScripts(t, board.Spec{Op: board.Sum, Windows: lastTwoHours}), "observers are not told of results that leave", "a read of groups does not look whether results of members have left"),
		seeded.Proofs(func() error { return reported(t, cutGroupsMigration) }, "boards that follow are migrated by commits of their own"), closedProofs(t),
		seeded.Proofs(linear, "a member whom a transaction has moved in vain stays moved", "a transaction does not lock the member that it asks for",
			"a member that has joined in a transaction is not in the group there"),
		seeded.Proofs(undecided, "a submission does not see that a transaction moves its member"),
		seeded.Proofs(turns, "the cohorts of a period are settled twice"),
		seeded.Proofs(cuts, "an award is paid before it is recorded", "a full batch of awards is delivered again after a restart"),
		seeded.Proofs(scripts, "equals at the edge of a tier are divided by their places", "a period that ended more than a day ago awards nothing",
			"a Resettle forgets what was claimed", "retention drops periods with awards that wait")))
}

// bubbles is the proof of a test of a seed, in a bubble of synctest.
func bubbles(test func(t testing.TB, seed uint64)) func() error { return bubblesOf(20, test) }

// bubblesOf is the proof of a test that needs more seeds.
func bubblesOf(seeds uint64, test func(t testing.TB, seed uint64)) func() error {
	return seeded.Seeds(seeds, func(seed uint64) (err error) {
		synctest.Test(seededT, func(t *testing.T) {
			err = reported(t, func(t testing.TB) { test(t, seed) })
		})
		return err
	})
}

// reporter is a test whose failure is an error.
type reporter struct {
	testing.TB
	failure  error
	cleanups []func()
}

// errReported ends the function of a reporter that has failed.
var errReported = errors.New("the test ends here")

func (r *reporter) Helper()             {}
func (r *reporter) Logf(string, ...any) {}
func (r *reporter) Cleanup(f func())    { r.cleanups = append(r.cleanups, f) }
func (r *reporter) Errorf(text string, args ...any) {
	r.failure = errors.Join(r.failure, fmt.Errorf(text, args...))
}
func (r *reporter) FailNow() { panic(errReported) }

// reported runs a test, and returns its failure, or its panic.
func reported(t testing.TB, test func(t testing.TB)) (err error) {
	r := &reporter{TB: t}
	defer func() {
		if x := recover(); x != nil && x != errReported {
			r.failure = errors.Join(r.failure, fmt.Errorf("panic: %v", x))
		}
		for _, f := range slices.Backward(r.cleanups) {
			f()
		}
		err = r.failure
	}()
	test(r)
	return nil
}

// groupScripts is the proof of bugs of groups, of the members of a board with a spec.
func groupScripts(t *testing.T, spec board.Spec) func() error {
	return seeded.Seeds(20, func(seed uint64) error {
		return reported(t, func(t testing.TB) { runGroupsScript(t, spec, false, seed, 400) })
	})
}

// closedProofs are the proofs of bugs of closed periods of groups.
func closedProofs(t *testing.T) []seeded.Proof {
	cuts := func() error { return reported(t, func(t testing.TB) { cutClosedGroups(t, 40) }) }
	return append(seeded.Proofs(groupScripts(t, board.Spec{Op: board.Sum}), "closed periods of groups go by the present members"),
		seeded.Proofs(cuts, "moderation leaves the digest of closed groups as it is")...)
}
