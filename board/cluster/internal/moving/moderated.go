package moving

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/internal/relocation"
)

// readModeration reads who is hidden and banned, and the audit log.
func (c contents) readModeration(ctx context.Context, h *relocation.Header) error {
	keys := c.b.Keys()
	standings := make([]*redis.MapStringStringCmd, keys.Partitions())
	audits := make([]*redis.MapStringStringCmd, keys.Partitions())
	err := c.v.Ask(ctx, func(pipe redis.Pipeliner) {
		for k := range standings {
			standings[k] = pipe.HGetAll(ctx, keys.Standings(k))
			audits[k] = pipe.HGetAll(ctx, keys.Audit(k))
		}
	})
	if err != nil {
		return err
	}
	for k := range standings {
		for field, letters := range standings[k].Val() {
			if member, ok := layout.MemberOf(field); ok {
				s := layout.DecodeStanding([2]string{}, []any{letters, nil})
				h.Standings = append(h.Standings, relocation.Standing{Member: member, Banned: s.Banned, Hidden: s.Hidden})
			}
		}
		if err := readAudit(h, keys.Audit(k), audits[k].Val()); err != nil {
			return err
		}
	}
	slices.SortFunc(h.Audit, func(x, y relocation.Logged) int { return cmp.Compare(x.Number, y.Number) })
	return nil
}

// readAudit reads the audit log of a partition.
func readAudit(h *relocation.Header, key string, fields map[string]string) error {
	for field, text := range fields {
		number, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			continue // the last number, or places
		}
		x := relocation.Logged{}
		if x.Entry, err = layout.DecodeEntry(key, number, text); err != nil {
			return err
		}
		if x.List, err = layout.DecodePlaces(key, fields[layout.PlacesField(number)]); err != nil {
			return err
		}
		h.Audit = append(h.Audit, x)
	}
	return nil
}

// storeModeration stores who is hidden and banned, and the audit log, in place of what an earlier move has stored.
func (t *target) storeModeration(ctx context.Context, h relocation.Header) error {
	keys := t.b.Keys()
	for k := range keys.Partitions() {
		audit, err := t.auditOf(k, h)
		if err != nil {
			return err
		}
		err = t.v.AskWhole(ctx, func(pipe redis.Pipeliner) {
			pipe.Unlink(ctx, keys.Standings(k), keys.Audit(k))
			for _, x := range []struct {
				key    string
				fields []any
			}{{keys.Standings(k), t.standingsOf(k, h)}, {keys.Audit(k), audit}} {
				for some := range slices.Chunk(x.fields, scanned) {
					pipe.HSet(ctx, x.key, some...)
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// standingsOf returns the fields and values of the members of a partition who are hidden or banned.
func (t *target) standingsOf(k int, h relocation.Header) (fields []any) {
	for _, x := range h.Standings {
		if t.b.Keys().PartitionOf([]byte(x.Member)) == k {
			fields = append(fields, layout.MemberField(x.Member), layout.Standing{}.With(x.Banned, x.Hidden).Stored[0])
		}
	}
	return fields
}

// auditOf returns the fields and values of the audit log of a partition. Entries without a member are in the first one.
func (t *target) auditOf(k int, h relocation.Header) (fields []any, err error) {
	for _, x := range h.Audit {
		if x.Member != "" && t.b.Keys().PartitionOf([]byte(x.Member)) != k || x.Member == "" && k > 0 {
			continue
		}
		entry, places, err := layout.EncodeEntry(x.Entry, x.List)
		if err != nil {
			return nil, err
		}
		fields = append(fields, layout.EntryField(x.Number), entry)
		if places != "" {
			fields = append(fields, layout.PlacesField(x.Number), places)
		}
	}
	if n := len(h.Audit); k == 0 && n > 0 {
		fields = append(fields, layout.LastField, layout.EntryField(h.Audit[n-1].Number))
	}
	return fields, nil
}
