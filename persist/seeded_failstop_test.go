//go:build seeded

package persist

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist/internal/failstop"
	"github.com/zrankdb/zrank/persist/internal/faultfs"
)

func init() {
	seededBugs = append(seededBugs, seeded.Proofs(proveLogFaults, "ack before sync", "retry a failed sync", "acknowledge after the latch")...)
	seededBugs = append(seededBugs,
		seeded.Proof{Bug: "publish durable early", Check: proveSilentDisk},
		seeded.Proof{Bug: "forget MaxLag", Check: proveBound},
		seeded.Proof{Bug: "queue while stalled", Check: proveRefusal},
		seeded.Proof{Bug: "write after the latch", Check: proveFreeze},
		seeded.Proof{Bug: "ignore the reserve", Check: proveReserve},
	)
}

func proveLogFaults() error {
	for _, kind := range []faultfs.Kind{faultfs.Write, faultfs.Sync} {
		if _, err := faultLoop(matching("", ".log", kind), faultfs.Fault{Err: injected}, 1, 9); err != nil {
			return err
		}
	}
	return nil
}

// gate opens a store on a disk whose log cannot be synced until release is called.
func gate(o Options) (s *Store, release func(), err error) {
	shut := make(chan struct{})
	armed := make(chan struct{})
	o.FS = &faultfs.FS{FS: memfs.New(), Hook: func(op faultfs.Op) faultfs.Fault {
		if op.Kind == faultfs.Sync && strings.HasSuffix(op.Path, ".log") {
			select {
			case <-armed:
				<-shut
			default:
			}
		}
		return faultfs.Fault{}
	}}
	s, err = Open("db", o)
	close(armed)
	return s, func() { close(shut) }, err
}

// put1 commits and returns what Append and Wait answer.
func put1(s *Store) (appended, waited error) {
	var b Batch
	b.Put("a", nil, nil)
	seq, err := s.Append(&b)
	if err != nil {
		return err, err
	}
	return nil, s.Wait(context.Background(), seq)
}

func proveSilentDisk() error {
	s, release, err := gate(Options{StallTimeout: 50 * time.Millisecond})
	if err != nil {
		return err
	}
	_, waited := put1(s)
	durable := s.DurableSeq()
	release()
	if err := s.Close(); err != nil {
		return err
	}
	if waited == nil || durable > 0 {
		return fmt.Errorf("before any sync: %d durable, acknowledged: %v", durable, waited == nil)
	}
	return nil
}

// proveBound commits at level Interval while the log cannot be synced. Soon Wait must block, because MaxLag is exceeded.
func proveBound() error {
	s, release, err := gate(Options{Level: Interval, Interval: 10 * time.Millisecond, MaxLag: 50 * time.Millisecond})
	if err != nil {
		return err
	}
	held := false
	for tries := 0; !held && tries < 500; tries++ { // each takes a millisecond at least, and MaxLag is 50
		done := make(chan struct{})
		go func() { defer close(done); _, _ = put1(s) }()
		select {
		case <-done:
			<-time.After(time.Millisecond)
		case <-time.After(2 * time.Second):
			held = true
		}
	}
	release()
	if err := s.Close(); err != nil {
		return err
	}
	if !held {
		return errors.New("acknowledged a second after the last flush, the bound is 50 ms")
	}
	return nil
}

func proveRefusal() error {
	s, release, err := gate(Options{StallTimeout: 50 * time.Millisecond})
	if err != nil {
		return err
	}
	_, first := put1(s)
	appended, _ := put1(s)
	release()
	if err := s.Close(); err != nil {
		return err
	}
	if !errors.Is(first, ErrStalled) || !errors.Is(appended, ErrStalled) {
		return fmt.Errorf("on a silent disk Wait answers %v, and then Append %v", first, appended)
	}
	return nil
}

// proveFreeze fails the sync of one file and then writes to another one. The write must not reach the disk.
func proveFreeze() error {
	mem, fault := memfs.New(), error(nil)
	fs := failstop.New(&faultfs.FS{FS: mem, Hook: func(op faultfs.Op) faultfs.Fault {
		if op.Path == "d/bad" {
			return faultfs.Fault{Err: fault}
		}
		return faultfs.Fault{}
	}}, "d", func(error) {})
	if err := fs.MkdirAll("d", 0o755); err != nil {
		return err
	}
	good, err := fs.Create("d/good", "")
	bad, err2 := fs.Create("d/bad", "")
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	fault = injected
	if err := bad.Sync(); err != nil || fs.Err() == nil {
		return fmt.Errorf("sync: %v, latch: %v", err, fs.Err())
	}
	if _, err := good.Write([]byte("x")); err != nil {
		return err
	}
	f, err := mem.Open("d/good")
	if err != nil {
		return err
	}
	defer f.Close()
	if b, err := io.ReadAll(f); err != nil || len(b) > 0 {
		return fmt.Errorf("%q reached the disk after the failure: %v", b, err)
	}
	return nil
}

func proveReserve() error {
	mem := memfs.New()
	mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: 1, TotalBytes: 1 << 30})
	s, err := Open("db", Options{FS: mem})
	if err != nil {
		return err
	}
	if appended, _ := put1(s); !errors.Is(appended, ErrDiskFull) {
		err = fmt.Errorf("with one byte free Append answers %v", appended)
	}
	return errors.Join(err, s.Close())
}
