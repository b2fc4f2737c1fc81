package cluster

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/internal/auditlog"
)

// Erase erases a member from the board: see board.Board.Erase. One commit removes it from all periods and baselines; then the Once keys that have the name in them are deleted, and a hash
// takes the place of the name in the audit log. After an error call it again: what is erased stays erased. O(periods + Once keys + audit log). Errors: those of
// board.Board.Erase, ErrUnsupported for KeepRanks, ErrUndecided.
func (b *clusterBoard) Erase(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	if err := b.refuseKeptRanks(a); err != nil {
		return board.Moderated{}, err
	}
	var once [][]string
	r, err := b.act(ctx, audit.Erase, member, a, func(x *action) (err error) {
		if once, err = b.onceKeysWith(ctx, member); err != nil {
			return err
		}
		x.traces = nil
		baselines, err := b.baselineEdits(ctx, x.member)
		if err != nil {
			return err
		}
		for i := range baselines {
			e := &baselines[i]
			if e.Is = (layout.Value{}); e.Was.IsRanked() {
				x.traces = append(x.traces, audit.Trace{Kind: "baseline", Name: e.Timeline.Window.Name + " " + e.Baseline, Count: 1})
			}
		}
		for _, keys := range once {
			if len(keys) > 0 {
				x.traces = auditlog.AddTrace(x.traces, audit.Trace{Kind: "Once key", Count: len(keys)})
			}
		}
		x.mark(x.who.Erased())
		x.change(func(s *spot) (layout.Value, board.Place, bool) { return layout.Value{}, s.leaving(), true })
		x.commit.Edits, x.commit.HasBaselines = append(x.commit.Edits, baselines...), true
		return nil
	})
	if err != nil || a.DryRun {
		return r, err
	}
	if r.Hash, err = b.keys.HashOf(member), b.forget(ctx, member, once); err != nil {
		return board.Moderated{Entry: r.Entry}, fmt.Errorf("%w: entry %d of the audit log: call it again", err, r.Entry)
	}
	return r, nil
}

// Erase erases a member from all boards, as Board.Erase: see local.Boards.Erase. After an error call it again.
func (b *Boards) Erase(ctx context.Context, member string, a board.Action) (r board.Erased, err error) {
	r.Boards = map[string]board.Moderated{}
	all, err := b.all(ctx)
	for _, one := range all {
		m, err := one.Erase(ctx, member, a)
		if err != nil {
			return r, err
		}
		if len(m.Places)+len(m.Traces) > 0 {
			r.Boards[one.Name()] = m
		}
	}
	return r, err
}

// scanPage is about how many Once keys one step of a scan looks at.
const scanPage = 1000

// onceKeysWith returns for each partition the Once keys that have the name of a member in them.
func (b *clusterBoard) onceKeysWith(ctx context.Context, member string) ([][]string, error) {
	found := make([][]string, b.partitions())
	for k := range found {
		all := map[string]bool{} // a scan may return a key twice
		scan := b.client().ZScan(ctx, b.keys.Once(k), 0, "", scanPage).Iterator()
		for scan.Next(ctx) {
			key := scan.Val()
			if scan.Next(ctx); strings.Contains(key, member) && !all[key] { // behind it is the score
				all[key], found[k] = true, append(found[k], key)
			}
		}
		if err := scan.Err(); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// forget deletes Once keys, and puts the hash of a member in place of its name in the audit log.
func (b *clusterBoard) forget(ctx context.Context, member string, once [][]string) error {
	err := b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		for k, keys := range once {
			for _, key := range keys {
				pipe.ZRem(ctx, b.keys.Once(k), key)
			}
		}
	})
	if err != nil {
		return err
	}
	for list, err := range b.auditPages(ctx, 0) {
		if err != nil {
			return err
		}
		for i := range list {
			if err := b.forgetEntry(ctx, member, &list[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// forgetEntry puts the hash of a member in place of its name in an entry of the audit log.
func (b *clusterBoard) forgetEntry(ctx context.Context, member string, e *logged) error {
	number := e.Number
	for auditlog.ForgetName(&e.Entry, member, b.keys.HashOf(member)) {
		e.Number = 0 // as it is stored
		text, err := auditlog.Encode(&e.Entry)
		if err != nil {
			return err
		}
		if e.text, err = b.writer.RewriteEntry(ctx, e.k, number, e.text, string(text)); err != nil || e.text == string(text) {
			return err
		}
		if e.Entry, err = layout.DecodeEntry(b.keys.Audit(e.k), number, e.text); err != nil { // another member was erased meanwhile
			return err
		}
	}
	return nil
}
