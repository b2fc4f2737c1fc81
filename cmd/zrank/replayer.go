package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// replay streams files into boards.
type replay struct {
	flags *replayFlags
	e     *engine.Engine
	in    io.Reader
	errs  io.Writer
	ctx   context.Context

	applied, known, bad int64 // events applied, rows found applied already, rows skipped
}

// stored is what is kept of an input, in the commit of the scores it produced: how far it was read and into which boards.
type stored struct {
	Position events.Position `json:"position"`
	Spec     board.Spec      `json:"spec"` // with the name of the default board
}

// maxReported is how many skipped rows are named one by one.
const maxReported = 10

// files replays inputs one after the other and reports.
func (r *replay) files(paths []string) error {
	start := time.Now()
	bar := newBar(r.errs)
	defer bar.stop()
	for _, path := range paths {
		if err := r.file(path, bar); err != nil {
			return err
		}
	}
	bar.stop()
	took := time.Since(start)
	fmt.Fprintf(r.errs, "%s events in %s (%s a second)", count(r.applied), took.Round(time.Millisecond), count(perSecond(r.applied, took)))
	if r.known > 0 {
		fmt.Fprintf(r.errs, ", %s rows were in already", count(r.known))
	}
	if r.bad > 0 {
		fmt.Fprintf(r.errs, ", %s bad rows skipped", count(r.bad))
	}
	fmt.Fprintln(r.errs)
	return nil
}

// file replays one input from where its stored position says.
func (r *replay) file(path string, bar *bar) error {
	in, key, err := r.open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	spec := r.flags.spec(r.flags.board, in.Kind())
	if key, err = r.resume(in, key, path, spec); err != nil {
		return err
	}
	r.known += in.Position().Rows
	bar.begin(path, in)
	f := newFeed(r.e, func(name string) board.Spec { return r.flags.spec(name, in.Kind()) })
	for batch := make([]events.Event, 0, r.flags.batch); ; batch = batch[:0] {
		batch, end := r.fill(batch, in, bar)
		err := r.commit(f, batch, in, key, spec)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		r.applied += int64(len(batch))
		done := errors.Is(end, io.EOF)
		bar.events(r.applied, done)
		if done {
			return nil
		}
		if end == nil {
			end = r.ctx.Err()
		}
		if errors.Is(end, context.Canceled) {
			return fmt.Errorf("%s: stopped after %s rows; the same command goes on from there", path, count(in.Position().Rows))
		}
		if end != nil {
			return end
		}
	}
}

// open opens an input and says under which private key its position is kept.
func (r *replay) open(path string) (in *events.Input, key string, err error) {
	if path == "-" {
		in, err = events.OpenStream(r.ctx, r.in)
		return in, replayed + r.flags.stdinName, err
	}
	if in, err = events.Open(r.ctx, path); err != nil {
		return nil, "", err
	}
	return in, replayed + in.Name(), nil
}

// replayed begins the private keys that hold positions.
const replayed = "replay/"

// resume skips what has been applied already, having checked that it is the same input for the same boards, and returns the
// key of its position.
func (r *replay) resume(in *events.Input, key, path string, spec board.Spec) (string, error) {
	key, was, err := r.find(in, key)
	if err != nil || was == nil {
		return key, err
	}
	diff := spec.Differences(was.Spec)
	if was.Spec.Name != spec.Name {
		diff = append(diff, fmt.Sprintf("board is %q, not %q", was.Spec.Name, spec.Name))
	}
	if diff != nil {
		return key, fmt.Errorf("%s: was replayed with other flags: %s", path, strings.Join(diff, "; "))
	}
	return key, in.Resume(was.Position, r.flags.resumeEdited)
}

// find returns what is stored of an input, nil if nothing is. A file that is not known by its name is known by its bytes: one
// that was moved, or is reached by another name, does not count twice.
func (r *replay) find(in *events.Input, key string) (string, *stored, error) {
	var was *stored
	id := in.Position().File
	err := r.e.View(nil, func(tx *engine.Tx) error {
		b, ok, err := tx.Get(key)
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
				key, was = string(kv.Key), &other
				return nil
			}
		}
		return nil
	})
	return key, was, err
}

// batchBytes bounds what a batch writes to the log, well below what a commit may.
const batchBytes = 8 << 20

// fill reads events until the batch is full, or until it would have to wait for more while it has some, or until the input
// does not go on; end says why.
func (r *replay) fill(batch []events.Event, in *events.Input, bar *bar) (_ []events.Event, end error) {
	for bytes := 0; len(batch) < cap(batch) && bytes < batchBytes; {
		if len(batch) > 0 && !in.Ready() {
			return batch, nil
		}
		ev, err := in.Next()
		if bad := new(events.BadRowError); errors.As(err, &bad) && r.flags.skipBad {
			r.skip(bad, bar)
			in.Skip()
			continue
		}
		if err != nil {
			return batch, err
		}
		if ev.Board == "" {
			ev.Board = r.flags.board
		}
		batch = append(batch, ev)
		bytes += (len(ev.Member) + len(ev.Board) + 64) * len(r.flags.windows)
	}
	return batch, nil
}

// skip reports a bad row and counts it.
func (r *replay) skip(bad *events.BadRowError, bar *bar) {
	r.bad++
	if r.bad <= maxReported {
		bar.say(fmt.Sprintf("zrank: skipped: %v", bad))
	}
	if r.bad == maxReported {
		bar.say("zrank: further bad rows are counted only")
	}
}

// commit applies a batch together with the position behind it.
func (r *replay) commit(f *feed, batch []events.Event, in *events.Input, key string, spec board.Spec) error {
	b, err := json.Marshal(stored{in.Position(), spec})
	if err != nil {
		return err
	}
	return f.commit(batch, func(tx *engine.Tx) error {
		was, _, err := tx.Get(key)
		if err != nil || string(was) == string(b) {
			return err
		}
		return tx.Put(key, b)
	})
}
