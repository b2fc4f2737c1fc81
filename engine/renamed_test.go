package engine

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// renamedIsDurable renames a set while the log cannot be flushed, and drops the key that it had: that must not return before the
// rename is durable.
func renamedIsDurable() error {
	g := &flushGate{}
	close(g.shut())
	e, err := Open("db", Options{FS: errorfs.Wrap(vfs.NewMem(), g), StallTimeout: time.Hour})
	if err != nil {
		return err
	}
	if err := setX(e, "a", 1); err != nil {
		return err
	}
	open := g.shut()
	first, again := make(chan error, 1), make(chan error, 1)
	go func() { first <- e.Rename("a", "b") }()
	for e.store.LastSeq() < 2 {
		runtime.Gosched()
	}
	go func() {
		n, err := e.Delete("a")
		if durable := e.store.DurableSeq(); err == nil && (n != 0 || durable < 2) {
			err = fmt.Errorf("dropped %d; Delete returned when only commit %d was durable", n, durable)
		}
		again <- err
	}()
	select {
	case err = <-again:
		again <- nil
	case <-time.After(50 * time.Millisecond): // it waits, as it should
	}
	close(open)
	return errors.Join(err, <-first, <-again, e.Close())
}
