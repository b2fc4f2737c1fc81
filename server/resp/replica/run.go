package replica

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/rdbfile"
)

// Run copies a source to an engine until ctx ends. It makes lost connections again. Errors: ErrOptions, ErrNotEmpty, ErrSource, what package rdbfile refuses, those of the
// engine; that of the network, if the source was never reached. Without an error the engine has what the Report says.
func Run(ctx context.Context, e *engine.Engine, o Options) (Report, error) {
	if err := o.validate(); err != nil {
		return Report{}, err
	}
	o = o.withDefaults()
	t := newTracker(o.Progress)
	var inStep bool
	var err error
	if o.Method != Scan {
		f := &follower{e: e, o: o, t: t}
		t.update(func(s *Status) { s.Method = Replication })
		inStep, err = f.run(ctx)
	}
	if o.Method == Scan || o.Method == Auto && errors.Is(err, errRefused) {
		if err != nil {
			t.update(func(s *Status) { s.Warnings = append(s.Warnings, err.Error()) })
		}
		t.update(func(s *Status) { s.Method = Scan })
		inStep, err = scan(ctx, e, o, t)
	}
	if err == nil {
		err = e.Flush()
	}
	return Report{t.now(), inStep}, err
}

// follower is a replica of the source.
type follower struct {
	e  *engine.Engine
	o  Options
	t  *tracker
	id string // of the history; "": nothing is copied yet
	a  *applier
}

// run follows until ctx ends, and then until it is in step or patience is over.
func (f *follower) run(ctx context.Context) (inStep bool, err error) {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	go f.finish(ctx, work, stop)
	defer func() {
		if f.a != nil {
			err = errors.Join(err, f.a.close())
		}
	}()
	wait := firstWait
	for {
		before := f.t.now().Commands
		err := f.session(work)
		if work.Err() != nil {
			return f.t.now().Lag() == 0 && f.id != "", nil
		}
		if errors.Is(err, ErrSource) || isFinal(err) || f.id == "" && f.t.now().Copies == 0 {
			return false, err // it was never reached, or will not change its mind
		}
		f.t.update(func(s *Status) { s.Phase, s.Lost = Connecting, s.Lost+1 })
		f.o.Logger.Warn("replica: connection lost", "source", f.o.Address, "err", err)
		if wait = min(2*wait, lastWait); f.t.now().Commands > before { // it was a session that did something
			wait = firstWait
		}
		select {
		case <-time.After(wait):
		case <-work.Done():
		}
	}
}

// finalError is an error after which nothing is tried again.
type finalError struct{ error }

func (e finalError) Unwrap() error { return e.error }

func isFinal(err error) bool { return errors.As(err, new(finalError)) }

// finish asks the source for its offset now and then; after ctx has ended it stops the work when what the source had then is applied, or patience is over.
func (f *follower) finish(ctx, work context.Context, stop func()) {
	defer stop()
	c := f.o.client(0)
	defer func() { _ = c.Close() }()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	ask := func() (int64, bool) {
		text, err := c.Info(work, "replication").Result()
		at, ok := field(text, "master_repl_offset")
		if err == nil && ok {
			f.t.update(func(s *Status) { s.Source = max(at, s.Offset) })
		}
		return at, err == nil && ok
	}
	for ctx.Err() == nil {
		select {
		case <-tick.C:
			ask()
		case <-ctx.Done():
		case <-work.Done():
			return
		}
	}
	deadline := time.After(f.o.Patience)
	target, known := ask()
	step := time.NewTicker(20 * time.Millisecond)
	defer step.Stop()
	for !known || f.t.now().Offset < target {
		select {
		case <-step.C:
			if !known {
				target, known = ask()
			}
		case <-deadline:
			return
		case <-work.Done():
			return
		}
	}
	f.t.update(func(s *Status) { s.Source = s.Offset })
}

// field returns a number of the text of INFO.
func field(info, name string) (int64, bool) {
	for line := range strings.Lines(info) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+":"); ok {
			n, err := strconv.ParseInt(value, 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// session is one connection: it copies everything if it must, and applies what comes until the connection is lost or work ends.
func (f *follower) session(work context.Context) error {
	l, err := connect(work, f.o)
	if err != nil {
		return err
	}
	defer func() { _ = l.conn.Close() }()
	defer context.AfterFunc(work, func() { _ = l.conn.Close() })()
	offset := int64(-1)
	if f.a != nil {
		if err := f.settle(); err != nil {
			return finalError{err}
		}
		offset = f.a.offset.Load()
	}
	full, id, at, err := l.psync(f.id, offset)
	if err != nil {
		return err
	}
	if full {
		if err := f.copyAll(work, l, at); err != nil {
			return err
		}
	}
	f.id = id
	f.t.update(func(s *Status) { s.Phase = Following })
	f.o.Logger.Info("replica: following", "source", f.o.Address, "offset", f.a.offset.Load(), "full", full)
	ended := make(chan struct{})
	defer close(ended)
	go f.acknowledge(l, ended)
	return f.follow(l)
}

// settle waits until everything that was sent to the applier is applied.
func (f *follower) settle() error {
	if err := f.a.flush(); err != nil {
		return err
	}
	for len(f.a.sent) > 0 || f.a.pending.Load() > 0 {
		select {
		case err := <-f.a.done:
			f.a.done <- err
			return err
		case <-time.After(time.Millisecond):
		}
	}
	return nil
}

// copyAll replaces all keys by those of the file that comes.
func (f *follower) copyAll(work context.Context, l *link, at int64) error {
	if f.a != nil {
		err := f.a.close()
		if f.a, f.id = nil, ""; err != nil {
			return finalError{err}
		}
	}
	if err := prepare(work, f.e, f.o); err != nil {
		return finalError{err}
	}
	f.t.update(func(s *Status) { s.Phase, s.Keys = Copying, 0 })
	file, err := l.file()
	if err != nil {
		return err
	}
	report, err := rdbfile.Import(work, f.e, file, rdbfile.ImportOptions{DB: rdbfile.AnyDatabase, Replace: true, Progress: func(r *rdbfile.ImportReport) {
		f.t.update(func(s *Status) { s.Keys = r.Keys })
	}})
	if err == nil {
		_, err = io.Copy(io.Discard, file) // what may stand behind the checksum
	}
	if err != nil {
		if file.N > 0 && !strings.Contains(fmt.Sprint(err), "version") { // the connection was lost
			return err
		}
		return finalError{err}
	}
	if f.a, err = newApplier(work, f.e, f.t, at); err != nil {
		return finalError{err}
	}
	f.t.update(func(s *Status) {
		s.Keys, s.Copies, s.Offset, s.Source = report.Keys, s.Copies+1, at, max(at, s.Source)
		s.Unkeyed = report.Unkeyed
		for kind, x := range report.Others {
			s.Types[kind] = Tally{N: int64(x.Keys), Example: x.Example}
		}
	})
	return nil
}

// acknowledge tells the source how far we are, each second.
func (f *follower) acknowledge(l *link, ended <-chan struct{}) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if l.ack(f.a.offset.Load()) != nil {
			return
		}
		select {
		case <-tick.C:
		case <-ended:
			return
		}
	}
}

func (l *link) ack(offset int64) error {
	return l.send("REPLCONF", "ACK", strconv.FormatInt(offset, 10))
}

// follow applies commands until the connection is lost. What came of a command that is not complete is not counted: it comes again.
func (f *follower) follow(l *link) error {
	at := f.a.offset.Load()
	for {
		c, err := l.next()
		if err != nil {
			return errors.Join(err, f.a.flush())
		}
		at += int64(len(c.raw))
		if err := f.a.apply(c, at); err != nil {
			return finalError{err}
		}
		if isAck(c) {
			if err := l.ack(f.a.offset.Load()); err != nil {
				return err
			}
		}
		if l.r.Buffered() == 0 {
			if err := f.a.flush(); err != nil {
				return finalError{err}
			}
		}
	}
}
