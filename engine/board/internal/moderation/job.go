package moderation

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
)

// Job is a change that is in progress: see board.Job.
type Job struct {
	Entry  uint64        // of the audit log
	Kind   auditlog.Kind // of the change
	Member string
	To     string
	Done   int // closed periods that are changed
	Total  int // that were to be changed when it began
}

// job is the stored form of a job, as JSON.
type job struct {
	Entry     uint64        `json:"entry"`
	Kind      auditlog.Kind `json:"kind"`
	Member    []byte        `json:"member"`
	To        []byte        `json:"to,omitempty"`
	Reason    string        `json:"reason,omitempty"`
	KeepRanks bool          `json:"keepRanks,omitempty"`
	Done      int           `json:"done"`
	Total     int           `json:"total"`
	Stage     stage         `json:"stage,omitempty"`
	Next      uint64        `json:"next,omitempty"` // where the stage goes on
	Rows      uint64        `json:"rows,omitempty"` // of a member that is renamed or merged: the newest row of the journal when it began
}

// stage is what a job does.
type stage int

func (j *job) put(tx *engine.Tx, board string) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return tx.Put(boardkey.Job(board, j.Entry), text)
}

// checkIdle returns ErrBusy if a change of one of these members is in progress. O(jobs).
func checkIdle(tx *engine.Tx, board string, members ...string) error {
	return checkJobs(tx, board, members, func(*job) bool { return true })
}

// CheckStays returns ErrBusy if a member is being renamed, or merged with another one. O(jobs).
func CheckStays(tx *engine.Tx, board, member string) error {
	return checkJobs(tx, board, []string{member}, func(j *job) bool { return j.Kind == auditlog.Rename || j.Kind == auditlog.Merge })
}

// CheckNone returns ErrBusy if a change of any member is in progress. O(1).
func CheckNone(tx *engine.Tx, board string) error {
	for kv, err := range tx.Scan(boardkey.JobPrefix(board)) {
		if err != nil {
			return err
		}
		return fmt.Errorf("%w: a member of %q, job %s", errs.ErrBusy, board, kv.Key[len(boardkey.JobPrefix(board)):])
	}
	return nil
}

// checkJobs returns ErrBusy if a job of some kinds changes one of these members.
func checkJobs(tx *engine.Tx, board string, members []string, counts func(j *job) bool) error {
	for kv, err := range tx.Scan(boardkey.JobPrefix(board)) {
		var j job
		if err == nil {
			err = json.Unmarshal(kv.Value, &j)
		}
		if err != nil {
			return err
		}
		for _, m := range members {
			if counts(&j) && (m == string(j.Member) || m == string(j.To)) {
				return fmt.Errorf("%w: %q of %q, entry %d of the audit log", errs.ErrBusy, m, board, j.Entry)
			}
		}
	}
	return nil
}

// jobs returns the stored jobs of a board, in order.
func jobs(b *catalog.Board) (all []*job, err error) {
	prefix := boardkey.JobPrefix(b.State().Name)
	err = b.Engine().View(nil, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(prefix) {
			if err != nil {
				return err
			}
			j := new(job)
			if err := json.Unmarshal(kv.Value, j); err != nil || !strings.HasPrefix(string(kv.Key), prefix) {
				return fmt.Errorf("board: stored as %q: job: %w", kv.Key, err)
			}
			all = append(all, j)
		}
		return nil
	})
	return all, err
}

// Jobs returns the changes of a board that are in progress, in the order in which they began: see Board.Jobs.
func Jobs(b *catalog.Board) (list []Job, err error) {
	if _, err := b.Readable(); err != nil {
		return nil, err
	}
	all, err := jobs(b)
	for _, j := range all {
		list = append(list, Job{j.Entry, j.Kind, string(j.Member), string(j.To), j.Done, j.Total})
	}
	return list, err
}
