package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/replica"
)

// Options are for Import.
type Options struct {
	Dir     string
	URL     string
	By      string // auto, replication or scan
	Replace bool   // keys of the directory that were not copied are deleted
	Compare bool   // every key at the end
}

// errDiffers is returned if the directory differs from the source at the end, and errLeftOut if there are commands that the copy has left out.
var (
	errDiffers = errors.New("the directory is not what the source has: see above")
	errLeftOut = errors.New("the directory is not what the source has: see above; --by scan also copies what the commands that are left out have changed")
)

// quiet is a logger of go-redis, which would write about connections beside the progress and the error.
type quiet struct{}

// Printf writes nothing.
func (quiet) Printf(context.Context, string, ...any) {}

// Import copies a running Redis until ctx ends, which the user does by Ctrl-C; then it brings the directory in step, and compares. Errors: those of package replica and of the
// directory; a directory that differs.
func Import(ctx context.Context, out, errs io.Writer, o Options) error {
	r, err := replica.ParseURL(o.URL)
	if err != nil {
		return flags.Wrong(err)
	}
	methods := map[string]replica.Method{"auto": replica.Auto, "replication": replica.Replication, "scan": replica.Scan}
	method, known := methods[o.By]
	if !known {
		return flags.Errorf("--by is %q, want auto, replication or scan", o.By)
	}
	redis.SetLogger(quiet{})
	s := newScreen(errs, r.Address)
	defer s.stop()
	r.Method, r.Replace, r.Progress, r.Logger = method, o.Replace, s.show, slog.New(slog.DiscardHandler)
	// Nothing has to survive the process before its end: one that is killed begins anew.
	return datadir.OpenEngine(o.Dir, engine.Options{Durability: engine.None, FeedLogBytes: datadir.FeedLog}, func(e *engine.Engine) error {
		report, err := replica.Run(ctx, e, r)
		if err != nil {
			return err
		}
		var found *replica.Comparison
		if o.Compare {
			s.say("comparing every key")
			found, err = replica.Compare(context.WithoutCancel(ctx), e, r)
		}
		s.stop()
		if writeErr := write(out, &report, found); writeErr != nil {
			return writeErr
		}
		switch {
		case err != nil:
			return fmt.Errorf("comparing: %w", err)
		case report.InStep && (found == nil || len(found.Differences) == 0):
			return nil
		case report.InStep && len(report.Commanded) > 0:
			return errLeftOut
		}
		return errDiffers
	})
}
