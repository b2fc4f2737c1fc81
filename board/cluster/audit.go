package cluster

import (
	"context"
	"fmt"
	"iter"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/internal/auditlog"
)

// auditPage is how many entries Audit reads at once.
const auditPage = 256

// logged is an entry of the audit log as it is stored.
type logged struct {
	audit.Entry
	k    int // partition
	text string
}

// Audit iterates over the entries of the audit log that the filter selects, in the order of their numbers: see board.Board.Audit. It yields at most one error, at
// the end: those of the servers.
func (b *clusterBoard) Audit(ctx context.Context, f audit.Filter) iter.Seq2[audit.Entry, error] {
	return func(yield func(audit.Entry, error) bool) {
		hash := ""
		if f.Member != "" {
			hash = b.keys.HashOf(f.Member)
		}
		for list, err := range b.auditPages(ctx, f.After) {
			if err != nil {
				yield(audit.Entry{}, err)
				return
			}
			for i := range list {
				if e := &list[i].Entry; auditlog.Wants(&f, e, hash) && !yield(*e, nil) {
					return
				}
			}
		}
	}
}

// auditPages iterates over the audit log behind a number, a page at a time. It yields at most one error, at the end.
func (b *clusterBoard) auditPages(ctx context.Context, after uint64) iter.Seq2[[]logged, error] {
	return func(yield func([]logged, error) bool) {
		for from := after + 1; ; from += auditPage {
			list, last, err := b.auditFrom(ctx, from)
			if !yield(list, err) || err != nil || from+auditPage > last {
				return
			}
		}
	}
}

// auditFrom returns the entries of all partitions with the numbers of one page, and the last number.
func (b *clusterBoard) auditFrom(ctx context.Context, from uint64) (list []logged, last uint64, err error) {
	fields := make([]string, auditPage)
	for i := range fields {
		fields[i] = layout.EntryField(from + uint64(i))
	}
	var count *redis.StringCmd
	found := make([]*redis.SliceCmd, b.partitions())
	err = b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		count = pipe.HGet(ctx, b.keys.Audit(0), layout.LastField)
		for k := range found {
			found[k] = pipe.HMGet(ctx, b.keys.Audit(k), fields...)
		}
	})
	if err != nil {
		return nil, 0, err
	}
	last, _ = strconv.ParseUint(count.Val(), 10, 64) // none yet: 0
	for i := range fields {
		for k := range found {
			text, ok := found[k].Val()[i].(string)
			if !ok {
				continue
			}
			e, err := layout.DecodeEntry(b.keys.Audit(k), from+uint64(i), text)
			if err != nil {
				return nil, 0, err
			}
			list = append(list, logged{e, k, text})
		}
	}
	return list, last, nil
}

// AuditPlaces returns the places that the change of an entry of the audit log has changed. Errors: board.ErrAction if there is no such entry, those of the servers.
func (b *clusterBoard) AuditPlaces(ctx context.Context, number uint64) (list []board.Place, err error) {
	found := make([]*redis.SliceCmd, b.partitions())
	err = b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		for k := range found {
			found[k] = pipe.HMGet(ctx, b.keys.Audit(k), layout.EntryField(number), layout.PlacesField(number))
		}
	})
	if err != nil {
		return nil, err
	}
	for k, cmd := range found {
		entry, places := cmd.Val()[0], cmd.Val()[1]
		if entry == nil {
			continue
		}
		text, _ := places.(string) // none: ""
		return layout.DecodePlaces(b.keys.Audit(k), text)
	}
	return nil, fmt.Errorf("%w: the audit log of %q has no entry %d", board.ErrAction, b.st.Name, number)
}
