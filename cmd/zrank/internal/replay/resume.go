package replay

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// stored is what is kept of an input, in the commit of the scores it produced: how far it was read and into which boards.
type stored struct {
	Position events.Position `json:"position"`
	Specs    []board.Spec    `json:"specs"`             // with the name of the default board, if there is one
	Columns  []string        `json:"columns,omitempty"` // of events.Input.Columns; nil: not known
}

// replayed begins the private keys that hold positions.
const replayed = "replay/"

// resume skips what has been applied already, having checked that it is the same input for the same boards.
func (r *replay) resume(in *input) error {
	was, err := r.find(in)
	if err != nil || was == nil || was.Position.Rows == 0 {
		return err
	}
	if diff := in.specs.Differences(was.Specs); diff != nil && !r.migrated(in.specs) {
		return fmt.Errorf("%s: was replayed with other flags: %s", in.path, strings.Join(diff, "; "))
	}
	if diff := columnDifference(was.Columns, in.Columns()); diff != "" {
		return fmt.Errorf("%s: was replayed with other columns: %s", in.path, diff)
	}
	return in.Resume(was.Position, r.flags.resumeEdited)
}

// columnDifference returns a text for the first column that is read from elsewhere than before.
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

// migrated reports whether the boards are by now what the specs say.
func (r *replay) migrated(s specs.Specs) bool {
	for _, spec := range s.All {
		b, err := r.d.Boards.Board(spec.Name)
		if err != nil || spec.Differences(b.Spec()) != nil {
			return false
		}
	}
	return true
}

// find returns what is stored of an input, nil if nothing is. A file that is not known by its name is known by its bytes: one
// that was moved, or is reached by another name, does not count twice.
func (r *replay) find(in *input) (was *stored, err error) {
	id := in.Position().File
	err = r.d.Engine.View(nil, func(tx *engine.Tx) error {
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
