package moving

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine/board/internal/relocation"
)

// The parts of what is stored of members and of the audit log: see standing.go and audit.go of package cluster.
const (
	memberField  = "m"       // begins the field of a member; another one that of the hash of an erased one
	bannedLetter = "b"       // in the value
	hiddenLetter = "h"       // likewise
	lastField    = "last"    // of the audit log of the first partition: the last number
	placesField  = "/places" // ends the field of the places of an entry
)

// readModeration reads who is hidden and banned, and the audit log.
func (c contents) readModeration(ctx context.Context, h *relocation.Header) error {
	standings := make([]*redis.MapStringStringCmd, c.b.Partitions())
	audits := make([]*redis.MapStringStringCmd, c.b.Partitions())
	err := c.v.Ask(ctx, func(pipe redis.Pipeliner) {
		for k := range standings {
			standings[k] = pipe.HGetAll(ctx, c.b.Keys(k).Standings())
			audits[k] = pipe.HGetAll(ctx, c.b.Keys(k).Audit())
		}
	})
	if err != nil {
		return err
	}
	for k := range standings {
		for field, letters := range standings[k].Val() {
			if member, ok := strings.CutPrefix(field, memberField); ok {
				h.Standings = append(h.Standings, relocation.Standing{Member: member,
					Banned: strings.Contains(letters, bannedLetter), Hidden: strings.Contains(letters, hiddenLetter)})
			}
		}
		if err := readAudit(h, c.b.Keys(k).Audit(), audits[k].Val()); err != nil {
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
		if x.Entry, err = auditlog.Decode(key, []byte(text)); err != nil {
			return err
		}
		x.Number = number
		if places := fields[field+placesField]; places != "" {
			if err := json.Unmarshal([]byte(places), &x.List); err != nil {
				return fmt.Errorf("stored as %q: places of the audit log: %w", key, err)
			}
		}
		h.Audit = append(h.Audit, x)
	}
	return nil
}

// storeModeration stores who is hidden and banned, and the audit log, in the place of what an earlier move has stored.
func (t *target) storeModeration(ctx context.Context, h relocation.Header) error {
	for k := range t.b.Partitions() {
		standings, audit, err := t.moderationOf(k, h)
		if err != nil {
			return err
		}
		keys := t.b.Keys(k)
		err = t.v.AskWhole(ctx, func(pipe redis.Pipeliner) {
			pipe.Unlink(ctx, keys.Standings(), keys.Audit())
			for _, x := range []struct {
				key    string
				fields []any
			}{{keys.Standings(), standings}, {keys.Audit(), audit}} {
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

// moderationOf returns the fields and values of a partition. Entries without a member are in the first one.
func (t *target) moderationOf(k int, h relocation.Header) (standings, audit []any, err error) {
	for _, x := range h.Standings {
		letters := ""
		if x.Banned {
			letters += bannedLetter
		}
		if x.Hidden {
			letters += hiddenLetter
		}
		if t.b.PartitionOf(x.Member) == k {
			standings = append(standings, memberField+x.Member, letters)
		}
	}
	for _, x := range h.Audit {
		if x.Member != "" && t.b.PartitionOf(x.Member) != k || x.Member == "" && k > 0 {
			continue
		}
		number := strconv.FormatUint(x.Number, 10)
		x.Places, x.Parts = len(x.List), 0
		text, err := x.Encode()
		if err != nil {
			return nil, nil, err
		}
		audit = append(audit, number, string(text))
		if len(x.List) > 0 {
			places, err := json.Marshal(x.List)
			if err != nil {
				return nil, nil, err
			}
			audit = append(audit, number+placesField, string(places))
		}
	}
	if n := len(h.Audit); k == 0 && n > 0 {
		audit = append(audit, lastField, strconv.FormatUint(h.Audit[n-1].Number, 10))
	}
	return standings, audit, nil
}
