package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// commit is a change that one script makes in one partition, if nothing that it was decided from has changed.
type commit struct {
	b         *Board
	k         int // partition
	now       time.Time
	arrival   uint64   // see plan
	once      []string // Once keys
	edits     []edit
	standings []standingEdit

	isRanked     bool            // the script counts the ranks before and after each edit
	isWhole      bool            // edits has all periods of the partition
	hasBaselines bool            // and all baselines
	entry        *auditlog.Entry // of the audit log; nil: none
	places       []auditlog.Place
	number       uint64 // of the entry; 0: the next one
}

// edit is the change of a member in a period; was and is are equal if it stays.
type edit struct {
	t        *state.Timeline
	slot     *state.Slot
	closed   bool   // the period may be closed
	baseline string // of the window, in the place of a period; "": it is a period
	member   []byte
	was, is  value
	again    bool // an edit before is of the same member in the same period: was is what that has made

	near, overtaken int // rows that are asked for, if the commit is ranked
}

// again is in the place of the value before, which is at least 9 bytes long, if the script has it from an edit before.
const again = "="

// standingEdit is the change of the standing of a member.
type standingEdit struct{ was, is standing }

// onceSince returns the time of use, in milliseconds after 1970, up to which Once keys are expired.
func onceSince(b *Board, now time.Time) int64 {
	return now.Add(-time.Duration(b.st.Spec.OnceFor)).UnixMilli()
}

// keysAndArgs returns what the script takes.
func (c *commit) keysAndArgs() (keys []string, args []any, err error) {
	b := c.b
	keys = []string{b.keys.fence(c.k), b.keys.once(c.k), b.keys.standings(c.k), b.keys.audit(c.k), b.keys.changed(c.k)}
	entry, places, whole, ranks := "", "", "", ""
	if c.entry != nil {
		if entry, places, err = c.encodeEntry(); err != nil {
			return nil, nil, err
		}
	}
	if c.isWhole {
		whole = "p"
	}
	if c.hasBaselines {
		whole = "pb"
	}
	if c.isRanked {
		ranks = "ranks"
	}
	args = []any{c.now.UnixMilli(), onceSince(c.b, c.now), c.arrival, whole, ranks, entry, places, c.number, len(c.once), 2 * len(c.standings)}
	for _, key := range c.once {
		args = append(args, key)
	}
	for _, x := range c.standings {
		for i, field := range x.was.fields {
			args = append(args, field, x.was.stored[i], x.is.stored[i])
		}
	}
	for i := range c.edits {
		x := &c.edits[i]
		window, period, middle, was := x.t.Window.Name, "", "", x.was.encode()
		switch {
		case x.baseline != "":
			keys = append(keys, b.keys.baseline(c.k, window, x.baseline), b.keys.baselineValues(c.k, window, x.baseline))
			window += "/" + x.baseline
		default:
			period = x.slot.Name
			keys = append(keys, b.keys.ranking(c.k, window, period), b.keys.values(c.k, window, period))
			if !x.closed {
				middle = strconv.FormatInt(x.slot.Middle(), 10)
			}
		}
		if x.again {
			was = again
		}
		args = append(args, x.member, window, period, middle, was, x.is.encode(), x.was.text(x.member), x.is.text(x.member), x.near, x.overtaken)
	}
	return keys, args, nil
}

// encodeEntry returns the stored forms of the entry of the audit log and of its places; the latter is "" without places.
func (c *commit) encodeEntry() (entry, places string, err error) {
	c.entry.At, c.entry.Places = c.now.UTC(), len(c.places)
	text, err := c.entry.Encode()
	if err != nil || len(c.places) == 0 {
		return string(text), "", err
	}
	list, err := json.Marshal(c.places)
	return string(text), string(list), err
}

// reply is what a script has replied.
type reply struct {
	word   string // see change
	number uint64 // of the entry of the audit log
	edit   int    // whose period is closed
	ranks  []counts
}

// run runs the script. It notes up to when a window is closed if the script says so. Errors: ErrUndecided, board.ErrNoBoard, board.ErrRelocated, those of the server.
func (c *commit) run(ctx context.Context) (r reply, err error) {
	keys, args, err := c.keysAndArgs()
	if err != nil {
		return r, err
	}
	got, err := c.b.run(ctx, change, keys, args...)
	if err != nil {
		return r, err
	}
	list, _ := got.([]any)
	numbers := make([]int64, len(list))
	for i, x := range list {
		numbers[i], _ = x.(int64)
	}
	if len(list) > 0 {
		r.word, _ = list[0].(string)
	}
	switch {
	case r.word == "made" && len(list) > 1:
		r.number = uint64(numbers[1])
		r.ranks, err = decodeCounts(list[2:])
		return r, err
	case r.word == "other" || r.word == "duplicate":
		return r, nil
	case r.word == "dropped":
		return r, c.b.droppedError()
	case r.word == "closed" && len(list) == 3 && numbers[1] > 0 && int(numbers[1]) <= len(c.edits):
		r.edit = int(numbers[1]) - 1
		through, _ := list[2].(string)
		c.b.noteClosed(c.edits[r.edit].t, through)
		return r, nil
	}
	return r, fmt.Errorf("%w: a script replied %v", ErrCorrupt, got)
}

// undecidedTries is how often a change with a Once key is sent again when it is not known whether it was made.
const undecidedTries = 5

// runAgain runs the script of a commit with a Once key again, after an undecided run. Errors: that one, joined with another: a server that refuses the commit now may
// have made it then.
func (c *commit) runAgain(ctx context.Context, undecided error) (r reply, err error) {
	for range undecidedTries {
		if r, err = c.run(ctx); err == nil {
			return r, nil
		}
	}
	return r, errors.Join(undecided, err)
}

// confirm waits until the replicas that the options ask for have what a partition has: a Once key that is there need not be there after a failover.
func (b *Board) confirm(ctx context.Context, k int) error {
	if b.servers.Options.Replicas == 0 {
		return nil
	}
	_, err := b.servers.Run(ctx, touch, []string{b.keys.fence(k)})
	return err
}
