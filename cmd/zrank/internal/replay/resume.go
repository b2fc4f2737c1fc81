package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
	"github.com/zrankdb/zrank/engine"
)

// stored is the state of an input, in the same commit as its scores: how far it was read, and into which boards.
type stored struct {
	Position events.Position `json:"position"`
	Specs    []board.Spec    `json:"specs"`             // with the name of the default board, if there is one
	Columns  []string        `json:"columns,omitempty"` // of events.Input.Columns; nil: not known
}

// replayed is the prefix of the private keys that hold positions.
const replayed = "replay/"

// resume skips the rows that have been applied. Errors: another input, or other boards than before.
func (r *replay) resume(ctx context.Context, in *input) error {
	was, err := r.find(ctx, in)
	if err != nil || was == nil || was.Position.Rows == 0 {
		return err
	}
	if diff := in.specs.Differences(was.Specs); diff != nil && !r.migrated(ctx, in.specs) {
		return fmt.Errorf("%s: was replayed with other flags: %s", in.path, strings.Join(diff, "; "))
	}
	if diff := columnDifference(was.Columns, in.Columns()); diff != "" {
		return fmt.Errorf("%s: was replayed with other columns: %s", in.path, diff)
	}
	return in.Resume(was.Position, r.flags.resumeEdited)
}

// columnDifference describes the first column that is read from another column of the file than before, or "". See events.Input.Columns.
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

// migrated reports whether the boards have the specs by now.
func (r *replay) migrated(ctx context.Context, s specs.Specs) bool {
	for _, spec := range s.All {
		b, err := r.d.Boards.Board(ctx, spec.Name)
		if err != nil || spec.Differences(b.Spec()) != nil {
			return false
		}
	}
	return true
}

// find returns the stored state of an input, or nil. If no state is stored under the name of a file, find searches for one of a file with
// the same bytes, and takes its key: so a file that was moved or copied does not count twice.
func (r *replay) find(ctx context.Context, in *input) (was *stored, err error) {
	id := in.Position().File
	err = r.d.Engine.View(ctx, func(tx *engine.Tx) error {
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
