package commit

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/board/cluster/internal/layout"
)

// CloseThrough makes a partition refuse submissions to a window up to a time, in microseconds after 1970. Errors: board.ErrNoBoard, board.ErrRelocated, those of the servers.
func (w Writer) CloseThrough(ctx context.Context, k int, window string, through int64) error {
	_, _, err := w.run(ctx, shut, []string{w.Keys.Fence(k)}, window, through)
	return err
}

// SaveBaseline copies the ranking of a period in a partition to a baseline. Errors: as CloseThrough.
func (w Writer) SaveBaseline(ctx context.Context, k int, window, period, name string) error {
	keys := append(w.baselineKeys(k, window, name), w.Keys.Ranking(k, window, period), w.Keys.Values(k, window, period))
	_, _, err := w.run(ctx, save, keys, layout.BaselineField(window, name))
	return err
}

// DropBaseline deletes a baseline in a partition. Errors: as CloseThrough.
func (w Writer) DropBaseline(ctx context.Context, k int, window, name string) error {
	_, _, err := w.run(ctx, unsave, w.baselineKeys(k, window, name), layout.BaselineField(window, name))
	return err
}

func (w Writer) baselineKeys(k int, window, name string) []string {
	return []string{w.Keys.Fence(k), w.Keys.Baseline(k, window, name), w.Keys.BaselineValues(k, window, name)}
}

// TakeNumber takes the next number of the audit log of a board with several partitions. Errors: those of the servers.
func (w Writer) TakeNumber(ctx context.Context) (uint64, error) {
	number, err := w.Servers.Run(ctx, take, []string{w.Keys.Audit(0)})
	n, _ := number.(int64)
	return uint64(n), err
}

// RewriteEntry changes the text of an entry of the audit log of a partition from was to is, and returns what it is then: another text if it was not was. Errors: those of the servers.
func (w Writer) RewriteEntry(ctx context.Context, k int, number uint64, was, is string) (stored string, err error) {
	reply, err := w.Servers.Run(ctx, rewrite, []string{w.Keys.Audit(k)}, layout.EntryField(number), was, is)
	stored, _ = reply.(string)
	return stored, err
}

// Hold makes submissions of a member wait until HoldFor after a time, or until a commit with its standing. Errors: those of the servers.
func (w Writer) Hold(ctx context.Context, member []byte, now time.Time) error {
	k, fields := w.Keys.PartitionOf(member), w.Keys.StandingFields(string(member))
	_, err := w.Servers.Run(ctx, hold, []string{w.Keys.Standings(k), w.Keys.Fence(k)}, fields[0], now.Add(HoldFor).UnixMilli())
	return err
}

// Confirm waits until the replicas that the options ask for have what a partition has: a Once key that is there need not be there after a failover. Errors: those of the servers.
func (w Writer) Confirm(ctx context.Context, k int) error {
	if w.Servers.Options.Replicas == 0 {
		return nil
	}
	_, err := w.Servers.Run(ctx, touch, []string{w.Keys.Fence(k)})
	return err
}
