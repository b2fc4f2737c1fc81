//go:build seeded

package persist

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist/internal/format"
)

func init() {
	seededBugs = append(seededBugs,
		seeded.Proof{Bug: "backup without barrier", Check: backupHoldsAll},
		seeded.Proof{Bug: "check skips pages", Check: checkSeesPage},
		seeded.Proof{Bug: "restored under the old id", Check: restoredIsAnother},
		seeded.Proof{Bug: "a log may be missing", Check: missingLogShows},
	)
}

// backupHoldsAll backs up a store with queued commits. The committer is blocked until the backup waits for it or has returned. The
// backup must have all commits.
func backupHoldsAll() error {
	fs := MemFS()
	s, err := Open("db", Options{FS: fs, Level: None})
	if err != nil {
		return err
	}
	release := holdCommitter(s)
	d := newDriver(s, 1)
	last, err := d.append(20)
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- s.Backup(context.Background(), "backup") }()
	waits := func() bool { return s.log.FlushTarget() >= last }
	for len(done) == 0 && !waits() {
		runtime.Gosched()
	}
	release()
	if err = <-done; err == nil {
		_, err = opensAs(fs, "backup", d, last)
	}
	return errors.Join(err, s.Close())
}

// checkSeesPage damages a page. Check must report exactly one problem.
func checkSeesPage() error {
	fs := MemFS()
	s, err := Open("db", Options{FS: fs})
	if err != nil {
		return err
	}
	d := newDriver(s, 1)
	err = errors.Join(d.commit(40), d.snapshot(true))
	from := []byte(format.PrefixPages)
	err = errors.Join(err, s.log.DB.Scan(from, format.KeyAfter(from), format.NameOf(from), func(key, value []byte) (bool, error) {
		bad := slices.Clone(value)
		bad[len(bad)-1] ^= 1
		return false, s.log.DB.Pebble.Set(key, bad, pebble.Sync)
	}), s.Close())
	if err != nil {
		return err
	}
	im, err := OpenImage("db", Options{FS: fs})
	if err != nil {
		return err
	}
	rep, err := im.Check(context.Background(), CheckOptions{})
	if err = errors.Join(err, im.Close()); err == nil && len(rep.Problems) != 1 {
		err = fmt.Errorf("a page is damaged, the problems are %v", rep.Problems)
	}
	return err
}

// restoredIsAnother compares the ids of a store and of its restored backup.
func restoredIsAnother() error {
	_, err := backups(1, Sync, 1)
	return err
}

// missingLogShows checks the store of missingLog, in which a log of Pebble is missing and a later log has a snapshot of all sets. Check
// must report a problem.
func missingLogShows() error {
	f, _, err := missingLog()
	if err != nil {
		return err
	}
	rep, err := checkDir(f, CheckOptions{})
	if err == nil && len(rep.Problems) == 0 {
		err = errors.New("a log is missing, and check finds nothing")
	}
	return err
}
