package failstop

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/faultfs"
)

var errExpired = errors.New("expired")

// patient returns a file system that tries again, and the reports that it makes.
func patient(real vfs.FS) (*FS, *[]string) {
	reports := &[]string{}
	files := New(real, "d", func(error) {})
	files.Retry(Retries{ReadTimeout: time.Second, Expired: errExpired, Report: func(cause error, waited time.Duration, ended bool) {
		*reports = append(*reports, map[bool]string{false: "waits: ", true: "is over: "}[ended]+cause.Error())
	}})
	return files, reports
}

// TestRetryPauses: an operation is tried again after 1, 2, 4 and so on to 250 ms, for as long as it takes; the wait is reported once, and its
// end. A wait of less than 100 ms is not reported.
func TestRetryPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries, until := 0, time.Now().Add(time.Hour)
		files, reports := patient(&faultfs.FS{FS: memfs.New(), Hook: func(faultfs.Op) faultfs.Fault {
			tries++
			if time.Now().Before(until) {
				return faultfs.Fault{Err: syscall.EMFILE}
			}
			return faultfs.Fault{}
		}})
		require.NoError(t, files.MkdirAll("d", 0o755))
		require.InDelta(t, time.Hour/lastDelay, tries, 10)
		require.NoError(t, files.Err())
		require.NoError(t, files.Waiting())
		require.Equal(t, []string{"waits: too many open files", "is over: too many open files"}, *reports)
		until = time.Now().Add(50 * time.Millisecond)
		require.NoError(t, files.MkdirAll("d/e", 0o755))
		require.Len(t, *reports, 2)
	})
}

// TestLatchEndsWaits: an operation that waits when the latch closes does not reach the real files any more (F1).
func TestLatchEndsWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refuse := true
		mem := memfs.New()
		require.NoError(t, mem.MkdirAll("d", 0o755))
		files, _ := patient(&faultfs.FS{FS: mem, Hook: func(faultfs.Op) faultfs.Fault {
			if refuse {
				return faultfs.Fault{Err: syscall.ENOMEM}
			}
			return faultfs.Fault{}
		}})
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, err := files.Create("d/1.log", vfs.WriteCategoryUnspecified)
			require.NoError(t, err, "it is in the overlay")
		}()
		time.Sleep(time.Minute)
		require.ErrorIs(t, files.Waiting(), syscall.ENOMEM)
		refuse = false
		files.Fail(errInjected)
		<-done
		_, err := mem.Stat("d/1.log")
		require.ErrorIs(t, err, fs.ErrNotExist)
	})
}

// halfReuse is a file system that has renamed the file when it finds that it cannot open it.
type halfReuse struct {
	vfs.FS
	refuse bool
}

func (h *halfReuse) ReuseForWrite(old, name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if err := h.FS.Rename(old, name); err != nil {
		return nil, err
	}
	if h.refuse {
		h.refuse = false
		return nil, syscall.EMFILE
	}
	return h.FS.OpenReadWrite(name, c)
}

// TestReuseGoesOnBehindTheRename: a file that was renamed to be reused, and could not be opened then, is opened under its new name.
func TestReuseGoesOnBehindTheRename(t *testing.T) {
	mem := memfs.New()
	require.NoError(t, mem.MkdirAll("d", 0o755))
	files, _ := patient(&halfReuse{mem, true})
	f, err := files.Create("d/1.log", vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	f, err = files.ReuseForWrite("d/1.log", "d/2.log", vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	require.NoError(t, files.Err())
	_, err = f.Write([]byte("new"))
	require.NoError(t, errors.Join(err, f.Close()))
	require.Equal(t, map[string]string{"2.log": "new"}, image(t, mem, "d"))
}

// TestSyncAndCloseAreNotTriedAgain: an error of Sync or Close closes the latch, whatever it is: the kernel may have dropped what it could not
// write.
func TestSyncAndCloseAreNotTriedAgain(t *testing.T) {
	for _, kind := range []faultfs.Kind{faultfs.Sync, faultfs.Close} {
		tries := 0
		mem := memfs.New()
		require.NoError(t, mem.MkdirAll("d", 0o755))
		files, _ := patient(&faultfs.FS{FS: mem, Hook: func(op faultfs.Op) faultfs.Fault {
			if op.Kind != kind {
				return faultfs.Fault{}
			}
			tries++
			return faultfs.Fault{Err: syscall.EINTR}
		}})
		f, err := files.Create("d/1.log", vfs.WriteCategoryUnspecified)
		require.NoError(t, err)
		if kind == faultfs.Sync {
			require.NoError(t, f.Sync(), "a log reports success: see Err")
		} else {
			require.NoError(t, f.Close())
		}
		require.ErrorIs(t, files.Err(), syscall.EINTR)
		require.Equal(t, 1, tries)
	}
}
