package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// replay streams files into boards.
type replay struct {
	flags *replayFlags
	specs func(kind events.Kind) (specs, error)
	d     *data
	in    io.Reader
	errs  io.Writer
	ctx   context.Context

	applied, known int64 // events applied, rows found applied already
	refused        refused
}

// stored is what is kept of an input, in the commit of the scores it produced: how far it was read and into which boards.
type stored struct {
	Position events.Position `json:"position"`
	Specs    []board.Spec    `json:"specs"`             // with the name of the default board, if there is one
	Columns  []string        `json:"columns,omitempty"` // of events.Input.Columns; nil: not known
}

// maxReported is how many skipped rows are named one by one.
const maxReported = 10

// openFirst opens the first input, and has a look at the headers of the others, as far as that can be done without reading them.
func (r *replay) openFirst(paths []string) (*input, error) {
	if i := slices.Index(paths, "-"); i >= 0 && slices.Contains(paths[i+1:], "-") {
		return nil, usagef("- is given twice, but there is one standard input")
	}
	s, err := r.specs(events.Delta)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if path == "-" {
			continue
		}
		if err := events.Check(path, r.flags.reading.of(s)); err != nil {
			return nil, err
		}
	}
	return r.open(paths[0])
}

// files replays inputs one after the other, the first of which is open, and reports.
func (r *replay) files(paths []string, first *input) error {
	start := time.Now()
	bar := newBar(r.errs)
	defer bar.stop()
	var unsound error
	for i, path := range paths {
		in, err := first, error(nil)
		if i > 0 {
			in, err = r.open(path)
		}
		if err == nil {
			err = r.file(in, bar)
		}
		if err != nil {
			bar.stop()
			r.refused.write(r.errs)
			return err
		}
		if unsound == nil {
			unsound = in.tail.err(in.path)
		}
	}
	bar.stop()
	took := time.Since(start)
	fmt.Fprintf(r.errs, "%s events in %s (%s a second)", count(r.applied), took.Round(time.Millisecond), count(perSecond(r.applied, took)))
	if r.known > 0 {
		fmt.Fprintf(r.errs, ", %s rows were in already", count(r.known))
	}
	if r.refused.rows > 0 {
		fmt.Fprintf(r.errs, ", %s bad rows skipped", count(r.refused.rows))
	}
	fmt.Fprintln(r.errs)
	r.refused.write(r.errs)
	return unsound
}

// input is a file or a stream on its way into boards.
type input struct {
	*events.Input
	path  string // as messages have it
	key   string // the private key of its position
	specs specs
	feed  *feed
	batch batch
	tail  tail
	held  *item           // read, but of the next batch
	taken events.Position // behind the last row that is in the batch, has been before, or was skipped
}

// file replays one input from where its stored position says.
func (r *replay) file(in *input, bar *bar) error {
	defer in.Close()
	in.feed = newFeed(r.d, in.specs.of)
	if err := r.resume(in); err != nil {
		return err
	}
	r.known += in.Position().Rows
	in.tail.any = in.Position().Rows > 0
	bar.begin(in.path, in.Input)
	for {
		end := r.fill(in, bar)
		if err := r.commit(in, bar); err != nil {
			return err
		}
		done := errors.Is(end, io.EOF)
		bar.events(r.applied, done)
		if done {
			return nil
		}
		if end == nil {
			end = r.ctx.Err()
		}
		if errors.Is(end, context.Canceled) {
			return fmt.Errorf("%s: stopped after %s rows; the same command goes on from there", in.path, count(in.position().Rows))
		}
		if end != nil {
			return end
		}
	}
}

// position is how far the input is in, with the batch.
func (in *input) position() events.Position {
	if in.held != nil {
		return in.taken
	}
	return in.Position()
}

// open opens an input, whose columns are those of its boards' scores.
func (r *replay) open(path string) (in *input, err error) {
	in = &input{path: path}
	if in.specs, err = r.specs(events.Delta); err != nil {
		return nil, err
	}
	if path == "-" {
		in.path, in.key = "standard input", replayed+r.flags.stdinName
		in.Input, err = events.OpenStream(r.ctx, r.in, r.flags.reading.of(in.specs))
	} else if in.Input, err = events.Open(r.ctx, path, r.flags.reading.of(in.specs)); err == nil {
		in.key = replayed + in.Name()
	}
	if err != nil {
		return nil, err
	}
	if in.specs, err = r.specs(in.Kind()); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// replayed begins the private keys that hold positions.
const replayed = "replay/"

// resume skips what has been applied already, having checked that it is the same input for the same boards.
func (r *replay) resume(in *input) error {
	was, err := r.find(in)
	if err != nil || was == nil || was.Position.Rows == 0 {
		return err
	}
	if diff := in.specs.differences(was.Specs); diff != nil && !r.migrated(in.specs) {
		return fmt.Errorf("%s: was replayed with other flags: %s", in.path, strings.Join(diff, "; "))
	}
	if diff := columnDifference(was.Columns, in.Columns()); diff != "" {
		return fmt.Errorf("%s: was replayed with other columns: %s", in.path, diff)
	}
	return in.Resume(was.Position, r.flags.resumeEdited)
}

// columnDifference returns a text for the first column that is read from elsewhere than before.
func columnDifference(was, now []string) string {
	for i := range max(len(was), len(now)) {
		if was == nil || i < len(was) && i < len(now) && was[i] == now[i] {
			continue
		}
		if i >= len(was) || i >= len(now) {
			return fmt.Sprintf("there are %d, not %d", len(now), len(was))
		}
		name, before, _ := strings.Cut(was[i], "=")
		other, after, _ := strings.Cut(now[i], "=")
		if name != other {
			return fmt.Sprintf("%s, not %s", other, name)
		}
		return fmt.Sprintf("%s is %q, not %q", name, after, before)
	}
	return ""
}

// migrated reports whether the boards are by now what the specs say.
func (r *replay) migrated(s specs) bool {
	for _, spec := range s.all {
		b, err := r.d.boards.Board(spec.Name)
		if err != nil || spec.Differences(b.Spec()) != nil {
			return false
		}
	}
	return true
}

// find returns what is stored of an input, nil if nothing is. A file that is not known by its name is known by its bytes: one
// that was moved, or is reached by another name, does not count twice.
func (r *replay) find(in *input) (was *stored, err error) {
	id := in.Position().File
	err = r.d.e.View(nil, func(tx *engine.Tx) error {
		b, ok, err := tx.Get(in.key)
		if err == nil && ok {
			was = new(stored)
			err = json.Unmarshal(b, was)
		}
		if err != nil || ok || id.Size == 0 {
			return err
		}
		for kv, err := range tx.Scan(replayed) {
			var other stored
			if err == nil {
				err = json.Unmarshal(kv.Value, &other)
			}
			if err != nil {
				return err
			}
			if other.Position.File == id && other.Position.Rows > 0 {
				in.key, was = string(kv.Key), &other
				return nil
			}
		}
		return nil
	})
	return was, err
}

// batchBytes bounds what a batch writes to the log, well below what a commit may.
const batchBytes = 8 << 20

// fill reads events until the batch is full, or until it would have to wait for more while it has some, or until the input
// does not go on; end says why.
func (r *replay) fill(in *input, bar *bar) (end error) {
	b := &in.batch
	in.feed.next(b)
	if in.held != nil {
		b.add(*in.held)
		in.held = nil
	}
	in.taken = in.Position()
	for len(b.items) < r.flags.batch && b.bytes*max(len(in.specs.all[0].Windows), 1) < batchBytes {
		if len(b.items) > 0 && !in.Ready() {
			return nil
		}
		ev, err := in.Next()
		if bad := new(events.BadRowError); errors.As(err, &bad) && r.flags.skipBad {
			r.skip(bad, bar)
			in.Skip()
			in.taken = in.Position()
			b.skipped()
			continue
		}
		if err != nil {
			return err
		}
		if ev.Board == "" {
			ev.Board = in.specs.defaultBoard()
		}
		it, err := in.feed.item(ev, in.Position())
		if err != nil {
			in.held = &it
			return fmt.Errorf("%s:%d: %w", in.path, ev.Line, err)
		}
		if !b.add(it) {
			in.held = &it
			return nil
		}
		in.taken = it.behind
	}
	return nil
}

// skip reports a bad row and counts it.
func (r *replay) skip(bad *events.BadRowError, bar *bar) {
	r.refused.add(bad)
	if r.refused.rows <= maxReported {
		bar.say(fmt.Sprintf("zrank: skipped: %v", bad))
	}
	if r.refused.rows == maxReported {
		bar.say("zrank: further bad rows are counted only")
	}
}

// commit applies the batch together with the position behind it. If a board does not take a row, what comes before it is committed.
func (r *replay) commit(in *input, bar *bar) error {
	items := in.batch.items
	if p := in.position(); p.Rows == 0 && !p.Done {
		return nil
	}
	err := r.apply(in, items, in.position())
	if no := new(refusal); errors.As(err, &no) {
		items = items[:no.index]
		if no.index > 0 {
			if err := r.apply(in, items, items[no.index-1].behind); err != nil {
				return fmt.Errorf("%s: %w", in.path, err)
			}
		}
		r.applied += int64(len(items))
		return in.badRow(in.batch.items[no.index].Line, no.err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", in.path, err)
	}
	in.tail.refused += in.batch.before
	for i := range items {
		it := &items[i]
		if it.bad != nil {
			bad := in.badRow(it.Line, it.bad)
			r.skip(bad, bar)
			in.tail.add(bad.Fault, 1)
		} else {
			r.applied++
			in.tail.taken(it.Line)
		}
		in.tail.refused += it.after
	}
	return nil
}

// badRow is the error of a row that its board does not take.
func (in *input) badRow(line int, err error) *events.BadRowError {
	fault := faultOf(err)
	if errors.Is(err, board.ErrKind) {
		err = advice(err)
	}
	return &events.BadRowError{File: in.path, Line: line, Fault: fault, Reason: err.Error()}
}

// apply commits events and the position behind them.
func (r *replay) apply(in *input, items []item, behind events.Position) error {
	b, err := json.Marshal(stored{behind, in.specs.all, in.Columns()})
	if err != nil {
		return err
	}
	return in.feed.commit(items, r.flags.skipBad, func(tx *engine.Tx) error {
		was, _, err := tx.Get(in.key)
		if err != nil || string(was) == string(b) {
			return err
		}
		return tx.Put(in.key, b)
	})
}
