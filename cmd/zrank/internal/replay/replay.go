package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/feed"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/internal/numbers"
)

// openFirst opens the first input. Before, it checks the headers of all regular files, so that a replay does not fail in the middle. It
// cannot check standard input and pipes without consuming them.
func (r *replay) openFirst(paths []string) (*input, error) {
	if i := slices.Index(paths, "-"); i >= 0 && slices.Contains(paths[i+1:], "-") {
		return nil, flags.Errorf("- is given twice, but there is one standard input")
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

// files replays inputs one after the other, the first of which is open, and prints a summary. It returns the first error of an input whose
// last rows were refused (see tail) after it has read all inputs, and any other error at once.
func (r *replay) files(ctx context.Context, paths []string, first *input) error {
	start := time.Now()
	bar := newBar(r.errs)
	defer bar.stop()
	var refusedTail error
	for i, path := range paths {
		in, err := first, error(nil)
		if i > 0 {
			in, err = r.open(path)
		}
		if err == nil {
			err = r.file(ctx, in, bar)
		}
		if err != nil {
			bar.stop()
			r.refused.write(r.errs)
			return err
		}
		if refusedTail == nil {
			refusedTail = in.tail.err(in.path)
		}
	}
	bar.stop()
	took := time.Since(start)
	fmt.Fprintf(r.errs, "%s events in %s (%s a second)", numbers.Count(r.applied), took.Round(time.Millisecond), numbers.Count(console.PerSecond(r.applied, took)))
	if r.known > 0 {
		fmt.Fprintf(r.errs, ", %s rows were in already", numbers.Count(r.known))
	}
	if r.refused.rows > 0 {
		fmt.Fprintf(r.errs, ", %s bad rows skipped", numbers.Count(r.refused.rows))
	}
	fmt.Fprintln(r.errs)
	r.refused.write(r.errs)
	return refusedTail
}

// file replays one input from its stored position on.
func (r *replay) file(ctx context.Context, in *input, bar *bar) error {
	defer in.Close()
	in.feed = feed.New(r.d, in.specs.Of)
	in.feed.Made = func() error { return in.specs.DefineDerived(ctx, r.d.Boards) }
	if err := r.resume(ctx, in); err != nil {
		return err
	}
	if err := in.feed.Made(); err != nil {
		return err
	}
	r.known += in.Position().Rows
	in.tail.any = in.Position().Rows > 0
	bar.begin(in.path, in.Input)
	for {
		end := r.fill(ctx, in, bar)
		if err := r.commit(ctx, in, bar); err != nil {
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
			return fmt.Errorf("%s: stopped after %s rows; the same command goes on from there", in.path, numbers.Count(in.position().Rows))
		}
		if end != nil {
			return end
		}
	}
}

// open opens an input. The specs of its boards name the columns to read; then the input's kind, score or delta, completes the specs.
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
