package moderation

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// Correct submits a result to a closed period: see Board.Correct.
func Correct(ctx context.Context, b *catalog.Board, member string, x board.ClosedSubmission, a board.Action) (r board.Moderated, err error) {
	c, err := newChange(b, audit.Correct, member, a)
	if err != nil {
		return r, err
	}
	unlock, err := b.LockModeration(ctx) // no job changes the member meanwhile
	if err != nil {
		return r, err
	}
	defer unlock()
	err = b.Retry(func(st *state.State) error {
		if err := c.ready(ctx, st); err != nil {
			return err
		}
		k := &correction{change: c, st: st, ClosedSubmission: x}
		err := k.run(ctx)
		r = k.result
		return err
	})
	if err == errDry {
		return r, nil
	}
	if err != nil {
		return board.Moderated{}, err
	}
	b.Env().WakeClosed() // the period is to be indexed again
	return r, nil
}

// correction is a call under one state of the board.
type correction struct {
	*change
	board.ClosedSubmission
	st     *state.State
	t      *state.Timeline
	record *state.Record
	at     place.Place
	rank   int // of the entry before, if others had closed up
	result board.Moderated
}

// run finds the period, and runs the transaction. Error: errDry in a dry run, whose result is complete then.
func (k *correction) run(ctx context.Context) (err error) {
	if k.t, err = k.st.Timeline(k.Window); err != nil {
		return err
	}
	if err = k.update(ctx); err == nil || err == errDry {
		return err
	}
	if unknown(err) {
		reload(k.b, k.t, k.Period)
		return err
	}
	if k.record == nil {
		return err
	}
	return place.Unblock(ctx, err, k.b, k.st, place.PeriodsOf([]place.Place{k.at}), unblocked)
}

// find finds the closed period. Errors: ErrNoPeriod, ErrPeriodOpen, ErrTime.
func (k *correction) find() (err error) {
	if k.record, err = k.t.ClosedRecord(k.Period, "submit to it"); err != nil {
		return err
	}
	if k.At.IsZero() {
		k.At = k.record.End.Add(-time.Microsecond)
	}
	if p, err := k.t.PeriodAt(k.At); err != nil || p.Name != k.Period {
		return fmt.Errorf("%w: %s is not in %s of %q, window %s", board.ErrTime, k.At.Format(time.RFC3339Nano), k.Period, k.st.Name, k.Window)
	}
	k.at, err = place.OfClosed(k.b, k.st, k.t, k.record, k.member)
	return err
}

// update runs the transaction. No period is closed or dropped meanwhile, and the records of closed ones do not change.
func (k *correction) update(ctx context.Context) error {
	defer lockClosed(k.b)()
	if err := k.find(); err != nil {
		return err
	}
	if !k.record.Indexed {
		return state.ErrAgain
	}
	k.at.Counts = true
	keys := k.at.AppendKeys(nil, false)
	if k.st.HasJournal() {
		keys = append(keys, k.st.JournalKey)
	}
	err := k.b.Owner().Update(ctx, keys, k.apply)
	k.b.Env().Idle.NoteRead(k.b.Engine().Now(), k.t.SetKeys(k.Period)...)
	return err
}

// apply gives the member its new entry in the transaction.
func (k *correction) apply(tx *engine.Tx) error {
	if err := k.b.CheckWritable(k.st); err != nil {
		return err
	}
	switch {
	case k.b.Bans.Has(k.member):
		return fmt.Errorf("%w: %q of %q", board.ErrBanned, k.member, k.st.Name)
	case k.b.Hides.Has(k.member):
		return fmt.Errorf("%w: %q of %q: show it first", board.ErrHidden, k.member, k.st.Name)
	}
	if err := checkIdle(tx, k.st.Name, k.member); err != nil {
		return err
	}
	if err := k.at.Open(tx); err != nil {
		return err
	}
	was, kept, err := entryAt(&k.at)
	if err != nil {
		return err
	}
	sub := rules.Entry{Score: k.Score, Reached: k.At.UnixMicro(), Arrival: k.at.Version()}
	next, _, _, _, err := was.Submit(k.st.Rules, sub)
	if err != nil {
		return fmt.Errorf("%w: %q, member %q", err, k.st.Name, k.member)
	}
	changed, err := k.store(tx, was, kept, next)
	if err != nil {
		return err
	}
	k.result = board.Moderated{Places: []board.Place{changed}}
	if k.DryRun {
		return errDry
	}
	e := auditlog.New(k.kind, k.member, k.Action)
	e.Done = true
	if k.result.Entry, err = k.log(tx, k.st, e, k.result.Places); err != nil {
		return err
	}
	return k.storeRow(tx, sub, was, next)
}

// store stores the entry, what is beside it and the record, and returns the place.
func (k *correction) store(tx *engine.Tx, was entry.Entry, kept place.Kept, next entry.Entry) (p board.Place, err error) {
	r, own := k.st.Rules, k.b.Owner()
	p = board.Place{Window: k.Window, Period: k.Period, Closed: true, Members: k.record.Members, NewScore: r.Decode(next.Score, next.Tie).Score}
	members, sum := 1, own.EntryHash(next.Score, next.Tie, k.member)
	if was.OK {
		k.rank = k.at.Rank() + 1
		members, sum = 0, sum-own.EntryHash(was.Score, was.Tie, k.member)
		p.Rank, p.Score = rankAt(k.st, k.record, k.rank, was), r.Decode(was.Score, was.Tie).Score
	}
	p.NewRank = k.at.Rank() + 1
	if !was.OK || was.Score != next.Score || !bytes.Equal(was.Tie, next.Tie) {
		var c catalog.Change
		k.at.BeginChange(&c, 0)
		c.Has, c.Is = true, next.Decoded(r)
		if err := k.at.Change(&c); err != nil {
			return p, err
		}
		p.NewRank = c.After + 1
	}
	switch {
	case p.NewRank == 0:
	case was.OK:
		p.Moved = max(k.rank-p.NewRank, p.NewRank-k.rank)
	default:
		p.Moved = k.record.Members + 1 - p.NewRank
	}
	p.NewRank = rankAt(k.st, k.record, p.NewRank, next)
	if err := k.at.PutKept(kept, next.Kept); err != nil {
		return p, err
	}
	record := k.record.Changed(k.st.Version, members, sum)
	own.NoteEnd(tx, catalog.OnCommit(func() { k.t.ReplaceRecord(record) }))
	return p, places.PutRecord(tx, k.t, record)
}

// storeRow adds a row to the journal of the board, if it has one, so that the correction can be reverted.
func (k *correction) storeRow(tx *engine.Tx, sub rules.Entry, was, next entry.Entry) error {
	if !k.st.HasJournal() {
		return nil
	}
	l, err := journal.Open(tx, k.st)
	if err != nil {
		return err
	}
	row := journal.Row{Number: l.Next(), Kind: journal.Submission, Version: k.st.Version, Arrived: tx.Now().UnixMicro(), At: sub.Reached, Member: []byte(k.member),
		Score: sub.Score, Befores: slices.Repeat([]journal.Before{{Outside: true}}, len(k.st.Timelines))}
	row.Befores[slices.Index(k.st.Timelines, k.t)] = journal.Before{Arrival: sub.Arrival, Had: was.OK, Changed: was.Score != next.Score || !bytes.Equal(was.Tie, next.Tie),
		Score: was.Score, Tie: was.Tie, Kept: was.Kept}
	_, err = l.Append(&row, nil)
	return err
}
