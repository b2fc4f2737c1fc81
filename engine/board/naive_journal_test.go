package board

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
)

// naiveLogged is a submission, or the removal of a member, in the naive history of a board.
type naiveLogged struct {
	JournalRow
	version int
	arrival uint64
	meta    bool
	changed []bool   // parallel to the windows: the submission has changed the entry
	periods []Period // of the windows, of a submission
	removed []string // the windows and periods that a removal has removed the member from: "week 2026-W47"
}

// log adds a submission or a removal to the history of the board, and to its journal if it has one. The history is that since the last migration, the
// journal is the last rows.
func (n *naive) log(row naiveLogged, now time.Time) {
	row.Arrived, row.version, row.arrival = now.UTC(), n.version, n.arrival
	if n.spec.Journal > 0 {
		n.number++
		row.Number = n.number
		n.journal = append(slices.Clip(n.journal), row)
		n.journal = n.journal[min(16, max(0, len(n.journal)-n.spec.Journal)):]
	}
	n.history = append(slices.Clip(n.history), row)
}

// logSubmission adds a submission to the history. next is what decide has returned.
func (n *naive) logSubmission(sub Submission, periods []Period, next []*naiveEntry, now time.Time) {
	row := naiveLogged{JournalRow: JournalRow{Member: sub.Member, At: time.UnixMicro(sub.At.UnixMicro()).UTC(), Score: sub.Score, Once: sub.Once}, meta: sub.Meta != nil, periods: periods}
	for _, e := range next {
		row.changed = append(row.changed, e != nil)
	}
	n.log(row, now)
}

// resizeJournal does what a migration does to the journal: without one there are no rows.
func (n *naive) resizeJournal() {
	if n.spec.Journal == 0 {
		n.number, n.journal = 0, nil
	}
}

// dumpJournal writes the journal of a board, newest row first.
func dumpJournal(out *bytes.Buffer, b *Board) error {
	if b.Spec().Journal == 0 {
		return nil
	}
	for row, err := range b.Journal(JournalQuery{}) {
		if err != nil {
			return err
		}
		dumpLogged(out, row)
	}
	return nil
}

func dumpLogged(out *bytes.Buffer, row JournalRow) {
	what := fmt.Sprintf("%v of %v once=%q", row.Score, row.At, row.Once)
	if row.Removal {
		what = "removed"
	}
	fmt.Fprintf(out, " journal %d: %v %s %s reverted=%d\n", row.Number, row.Arrived, row.Member, what, row.Reverted)
}

// dumpJournal is what the function dumpJournal writes.
func (n *naive) dumpJournal(out *bytes.Buffer) {
	for _, row := range slices.Backward(n.journal) {
		dumpLogged(out, row.JournalRow)
	}
}

// readJournal compares the rows of a random member since a random time with those of the oracle.
func (s *script) readJournal() {
	_, n, b := s.pick()
	q := JournalQuery{Member: string(rune('a' + s.rng.IntN(12))), Since: s.clock.Now().Add(-time.Duration(s.rng.IntN(30)) * time.Hour)}
	if n.spec.Journal == 0 {
		for _, err := range b.Journal(q) {
			require.ErrorIs(s.t, err, ErrNoJournal)
		}
		return
	}
	var want, got []JournalRow
	for _, row := range slices.Backward(n.journal) {
		if row.Member == q.Member && !row.Arrived.Before(q.Since) {
			want = append(want, row.JournalRow)
		}
	}
	for row, err := range b.Journal(q) {
		require.NoError(s.t, err)
		got = append(got, row)
	}
	require.Equal(s.t, fmt.Sprint(want), fmt.Sprint(got))
	s.counts["journal rows"] += len(got)
}

// withJournal gives some boards a journal, as far as that is possible.
func (s *script) withJournal(spec Spec) Spec {
	logged := spec
	logged.Journal = []int{0, 1, 5, 40, 200}[s.rng.IntN(5)]
	if logged.Validate() != nil {
		return spec
	}
	return logged
}
