package commit

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/internal/state"
)

// Commit is a change that one script makes in one partition, if nothing that it was decided from has changed.
type Commit struct {
	K         int // partition
	Now       time.Time
	Arrival   uint64   // the highest of the submissions; 0: none has one
	Once      []string // Once keys
	Edits     []Edit
	Standings []StandingEdit

	IsRanked     bool         // the script counts the ranks before and after each edit
	IsWhole      bool         // Edits has all periods of the partition
	HasBaselines bool         // and all baselines
	Entry        *audit.Entry // of the audit log; nil: none
	Places       []board.Place
	Number       uint64 // of the entry; 0: the next one
}

// Edit is the change of a member in a period; Was and Is are equal if it stays.
type Edit struct {
	Timeline *state.Timeline
	Slot     *state.Slot
	Closed   bool   // the period may be closed
	Baseline string // of the window, in place of a period; "": it is a period
	Member   []byte
	Was, Is  layout.Value
	Again    bool // an edit before is of the same member in the same period: Was is what that has made

	Near, Overtaken int // rows that are asked for, if the commit is ranked
}

// again is in place of the value before, which is at least 9 bytes long, if the script has it from an edit before.
const again = "="

// StandingEdit is the change of the standing of a member.
type StandingEdit struct{ Was, Is layout.Standing }

// KeysOf returns the keys that the script of a commit takes. All of them are in the slot of the partition.
func (w Writer) KeysOf(c *Commit) []string {
	keys := []string{w.Keys.Fence(c.K), w.Keys.Once(c.K), w.Keys.Standings(c.K), w.Keys.Audit(c.K), w.Keys.Changed(c.K)}
	for i := range c.Edits {
		x := &c.Edits[i]
		if window := x.Timeline.Window.Name; x.Baseline != "" {
			keys = append(keys, w.Keys.Baseline(c.K, window, x.Baseline), w.Keys.BaselineValues(c.K, window, x.Baseline))
		} else {
			keys = append(keys, w.Keys.Ranking(c.K, window, x.Slot.Name), w.Keys.Values(c.K, window, x.Slot.Name))
		}
	}
	return keys
}

// argsOf returns what else the script takes: see change.
func (w Writer) argsOf(c *Commit) (args []any, err error) {
	entry, places, whole, ranks := "", "", "", ""
	if c.Entry != nil {
		e := *c.Entry
		e.At = c.Now.UTC()
		if entry, places, err = layout.EncodeEntry(e, c.Places); err != nil {
			return nil, err
		}
	}
	if c.IsWhole {
		whole = layout.PeriodKind
	}
	if c.HasBaselines {
		whole = layout.PeriodKind + layout.BaselineKind
	}
	if c.IsRanked {
		ranks = "ranks"
	}
	args = []any{c.Now.UnixMilli(), w.OnceSince(c.Now), c.Arrival, whole, ranks, entry, places, c.Number, len(c.Once), 2 * len(c.Standings)}
	for _, key := range c.Once {
		args = append(args, key)
	}
	for _, x := range c.Standings {
		for i, field := range x.Was.Fields {
			args = append(args, field, x.Was.Stored[i], x.Is.Stored[i])
		}
	}
	for i := range c.Edits {
		args = c.Edits[i].appendTo(args)
	}
	return args, nil
}

// appendTo appends what the script takes of an edit.
func (x *Edit) appendTo(args []any) []any {
	window, period, middle, was := x.Timeline.Window.Name, "", "", x.Was.Encode()
	if x.Baseline != "" {
		window += "/" + x.Baseline
	} else if period = x.Slot.Name; !x.Closed {
		middle = strconv.FormatInt(x.Slot.Middle(), 10)
	}
	if x.Again {
		was = again
	}
	return append(args, x.Member, window, period, middle, was, x.Is.Encode(), x.Was.Text(x.Member), x.Is.Text(x.Member), x.Near, x.Overtaken)
}

// Word says what has become of a commit.
type Word string

// What becomes of a commit. All but Made have changed nothing.
const (
	Made      Word = "made"
	Other     Word = "other"     // a value or a standing was another one, or there were other periods
	Duplicate Word = "duplicate" // a Once key was used before
	Closed    Word = "closed"    // a period of an edit is closed
)

// Reply is what a script has replied.
type Reply struct {
	Word   Word
	Number uint64   // of the entry of the audit log, if it was made
	Edit   int      // whose period is closed, if one is
	Ranks  []Counts // of each edit, if it was made and is ranked
}

// Make runs the script of a commit. It notes up to when a window is closed if the script says so. Errors: board.ErrUndecided, board.ErrNoBoard, board.ErrRelocated, those of the
// servers.
func (w Writer) Make(ctx context.Context, c *Commit) (r Reply, err error) {
	args, err := w.argsOf(c)
	if err != nil {
		return r, err
	}
	word, list, err := w.run(ctx, change, w.KeysOf(c), args...)
	if err != nil {
		return r, err
	}
	number := uint64(0)
	if len(list) > 0 {
		n, _ := list[0].(int64)
		number = uint64(n)
	}
	switch r.Word = Word(word); {
	case r.Word == Made && len(list) > 0:
		r.Number = number
		r.Ranks, err = decodeCounts(list[1:])
		return r, err
	case r.Word == Other || r.Word == Duplicate:
		return r, nil
	case r.Word == Closed && len(list) == 2 && 0 < number && number <= uint64(len(c.Edits)):
		r.Edit = int(number) - 1
		through, _ := list[1].(string)
		NoteClosed(c.Edits[r.Edit].Timeline, through)
		return r, nil
	}
	return r, fmt.Errorf("%w: a script replied %q and %v", layout.ErrCorrupt, word, list)
}

// undecidedTries is how often a change with a Once key is sent again when it is not known whether it was made.
const undecidedTries = 5

// MakeAgain runs the script of a commit with a Once key again, after an undecided run. Errors: that one, joined with another: a server that refuses the commit now may
// have made it then.
func (w Writer) MakeAgain(ctx context.Context, c *Commit, undecided error) (r Reply, err error) {
	for range undecidedTries {
		if r, err = w.Make(ctx, c); err == nil {
			return r, nil
		}
	}
	return r, errors.Join(undecided, err)
}
