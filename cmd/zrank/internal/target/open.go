package target

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/zrankdb/zrank/board/remote"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/engine"
)

// Open opens the boards, which closes the periods that are due, calls fn and closes them. Errors: those of the flags, of the directory or the server,
// and of fn.
func (t *Target) Open(fn func(Boards) error) error {
	return t.open(fn, datadir.Open)
}

// OpenStill is Open, but the clock of a directory stands before all data until Boards.Start is called, so that no period is due.
func (t *Target) OpenStill(fn func(Boards) error) error {
	return t.open(fn, datadir.OpenStill)
}

// OpenSettled is Open, and settles what is due.
func (t *Target) OpenSettled(ctx context.Context, fn func(Boards) error) error {
	return t.Open(func(b Boards) error {
		if _, err := b.SettleDue(ctx); err != nil {
			return err
		}
		return fn(b)
	})
}

// lookUpTime is how long a completion waits for a server.
const lookUpTime = 3 * time.Second

// LookUp calls fn with the boards, and changes nothing in a directory: it takes no snapshot, and no period is due. A server has lookUpTime. It is for
// completion.
func (t *Target) LookUp(fn func(Boards) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), lookUpTime)
	defer cancel()
	t.ctx = ctx
	return t.open(fn, func(dir string, o engineOptions, fn func(*datadir.Data) error) error {
		o.SnapshotBytes = -1
		return datadir.OpenStill(dir, o, fn)
	})
}

// open opens the boards by a function for directories.
func (t *Target) open(fn func(Boards) error, local func(dir string, o engineOptions, fn func(*datadir.Data) error) error) error {
	addr, err := t.server()
	if err != nil {
		return err
	}
	if addr != "" {
		return t.ask(addr, fn)
	}
	err = local(t.dir, datadir.Existing, func(d *datadir.Data) error { return fn(ofDirectory(d)) })
	used := new(datadir.InUseError)
	switch {
	case errors.As(err, &used) && used.Server.API != "":
		return fmt.Errorf("%s is in use by process %d: ask it with --addr %s", used.Dir, used.Server.PID, used.Server.API)
	case used.Server.PID == 0 && errors.Is(err, engine.ErrLocked):
		return fmt.Errorf("%w: if it has the HTTP API, ask it with --addr http://HOST:PORT", err)
	}
	return err
}

// ask calls fn with the boards of a server.
func (t *Target) ask(addr string, fn func(Boards) error) error {
	key, err := t.secret()
	if err != nil {
		return err
	}
	requests := &transport{ctx: cmp.Or(t.ctx, t.c.Context()), base: http.DefaultTransport.(*http.Transport).Clone()}
	boards, err := remote.New(addr, remote.Options{Key: key, HTTP: &http.Client{Transport: requests}})
	if err != nil {
		return flags.Errorf("--addr is %q, want http://HOST:PORT or https://HOST:PORT", addr)
	}
	defer requests.base.CloseIdleConnections()
	err = fn(ofServer(boards))
	if failed := requests.failure(); failed != nil && !isFromServer(err) {
		err = failed // some calls have no error, and return nothing if the server does not answer
	}
	return explain(addr, key, err)
}
