package settlement

import (
	"context"
	"slices"
	"strings"
)

// retryDue tries failed awards again whose time has come, in the order of their times.
func (w work) retryDue(ctx context.Context, d Delivery, n *Delivered) error {
	now := w.b.Engine().Now().UnixMicro()
	var due []string
	for member, r := range w.s.Retries {
		if r.At <= now {
			due = append(due, member)
		}
	}
	slices.SortFunc(due, func(x, y string) int {
		a, b := w.s.Retries[x], w.s.Retries[y]
		if a.At != b.At {
			return int(min(max(a.At-b.At, -1), 1))
		}
		return strings.Compare(x, y)
	})
	for _, member := range due {
		before := n.Granted + n.Failed
		if err := w.grantOne(ctx, d, member, n); err != nil {
			return err
		}
		if n.Granted+n.Failed == before { // the award does not wait any more
			w.s.DropRetry(member)
		}
	}
	return nil
}
