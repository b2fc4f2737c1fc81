package moderation

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/engine"
)

// job is the stored form of a job, as JSON.
type job struct {
	Entry     uint64     `json:"entry"`
	Kind      audit.Kind `json:"kind"`
	Member    []byte     `json:"member"`
	To        []byte     `json:"to,omitempty"`
	Reason    string     `json:"reason,omitempty"`
	KeepRanks bool       `json:"keepRanks,omitempty"`
	Done      int        `json:"done"`
	Total     int        `json:"total"`
	Stage     stage      `json:"stage,omitempty"`
	Next      uint64     `json:"next,omitempty"` // where the stage goes on
	Rows      uint64     `json:"rows,omitempty"` // of a member that is renamed or merged: the newest row of the journal when it began
}

// stage is what a job does.
type stage int

func (j *job) put(tx *engine.Tx, boardName string) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return tx.Put(boardkey.Job(boardName, j.Entry), text)
}

// checkIdle returns ErrBusy if a change of one of these members is in progress. O(jobs).
func checkIdle(tx *engine.Tx, boardName string, members ...string) error {
	return checkJobs(tx, boardName, members, func(*job) bool { return true })
}

// checkStays returns ErrBusy if a member is being renamed, or merged with another one. O(jobs).
func checkStays(tx *engine.Tx, boardName, member string) error {
	return checkJobs(tx, boardName, []string{member}, func(j *job) bool { return j.Kind == audit.Rename || j.Kind == audit.Merge })
}

// CheckNone returns ErrBusy if a change of any member is in progress. O(1).
func CheckNone(tx *engine.Tx, boardName string) error {
	return catalog.EachKey(tx, boardkey.JobPrefix(boardName), func(number string, _ []byte) error {
		return fmt.Errorf("%w: a member of %q, job %s", board.ErrBusy, boardName, number)
	})
}

// checkJobs returns ErrBusy if a job of some kinds changes one of these members.
func checkJobs(tx *engine.Tx, boardName string, members []string, counts func(j *job) bool) error {
	return catalog.EachKey(tx, boardkey.JobPrefix(boardName), func(_ string, value []byte) error {
		var j job
		if err := json.Unmarshal(value, &j); err != nil {
			return err
		}
		for _, m := range members {
			if counts(&j) && (m == string(j.Member) || m == string(j.To)) {
				return fmt.Errorf("%w: %q of %q, entry %d of the audit log", board.ErrBusy, m, boardName, j.Entry)
			}
		}
		return nil
	})
}

// jobs returns the stored jobs of a board, in order.
func jobs(ctx context.Context, b *catalog.Board) (all []*job, err error) {
	prefix := boardkey.JobPrefix(b.State().Name)
	err = catalog.ViewKeys(ctx, b.Engine(), prefix, func(number string, value []byte) error {
		j := new(job)
		if err := json.Unmarshal(value, j); err != nil {
			return fmt.Errorf("board: stored as %q: job: %w", prefix+number, err)
		}
		all = append(all, j)
		return nil
	})
	return all, err
}

// Jobs returns the changes of a board that are in progress, in the order in which they began: see Board.Jobs.
func Jobs(ctx context.Context, b *catalog.Board) (list []board.Job, err error) {
	if _, err := b.Readable(); err != nil {
		return nil, err
	}
	all, err := jobs(ctx, b)
	for _, j := range all {
		list = append(list, board.Job{Entry: j.Entry, Kind: j.Kind, Member: string(j.Member), To: string(j.To), Done: j.Done, Total: j.Total})
	}
	return list, err
}
