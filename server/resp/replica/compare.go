package replica

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/numbers"
	"github.com/zrankdb/zrank/rdb"
)

// Difference is a key that the engine does not have as the source has it.
type Difference struct {
	DB  int
	Key string
	Why string
}

// Comparison is what Compare has found.
type Comparison struct {
	Keys        int64 // of the source and of the engine, each once, without those of Types
	Differences []Difference
	More        int64            // differences beyond MaxDifferences
	Types       map[string]Tally // keys of the source that the engine cannot have
}

// MaxDifferences is how many differences a Comparison lists.
const MaxDifferences = 100

// expirySlack is by how many milliseconds an expiry may differ that was computed from what is left.
const expirySlack = 1000

// Compare compares every key of the source with the engine, and every key of the engine with the source: members, scores, strings and expiries. Keys that change meanwhile may
// differ. Errors: those of Run.
func Compare(ctx context.Context, e *engine.Engine, o Options) (*Comparison, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	server, err := newLocal(ctx, e)
	if err != nil {
		return nil, err
	}
	s := &scanner{o: o, t: newTracker(nil), source: map[int]*redis.Client{}, ours: map[int]*redis.Client{}, server: server}
	defer func() { _ = s.close() }()
	c := &Comparison{Types: map[string]Tally{}}
	if err := s.client(0).Ping(ctx).Err(); err != nil {
		return nil, refusedBy(err)
	}
	for db, err := range usedDatabases(ctx, s.client(0), server) {
		if err != nil {
			return nil, err
		}
		for i, of := range []*redis.Client{s.client(db), s.our(db)} {
			if err := s.compareOf(ctx, c, of, db, i == 0); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// compareOf compares the keys that a client finds: all of the source, and those of ours that the source does not have.
func (s *scanner) compareOf(ctx context.Context, c *Comparison, of *redis.Client, db int, all bool) error {
	cursor := uint64(0)
	for {
		keys, next, err := of.Scan(ctx, cursor, "*", scanStep).Result()
		if err != nil {
			return err
		}
		keys = slices.DeleteFunc(keys, isOfBoards)
		if len(keys) > 0 {
			if err := s.compareKeys(ctx, c, db, keys, all); err != nil {
				return err
			}
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

func (s *scanner) compareKeys(ctx context.Context, c *Comparison, db int, keys []string, all bool) error {
	theirs, err := fetch(ctx, s.client(db), keys)
	if err != nil {
		return err
	}
	ours, err := fetch(ctx, s.our(db), keys)
	if err != nil {
		return err
	}
	for i := range keys {
		if !all && !theirs[i].gone {
			continue // it was compared
		}
		c.Keys++
		why, err := s.differ(ctx, c, db, theirs[i], ours[i])
		switch {
		case err != nil:
			return err
		case why == "":
		case len(c.Differences) == MaxDifferences:
			c.More++
		default:
			c.Differences = append(c.Differences, Difference{db, keys[i], why})
		}
	}
	return nil
}

// differ returns how two values differ, "" if they do not.
func (s *scanner) differ(ctx context.Context, c *Comparison, db int, theirs, ours value) (string, error) {
	switch {
	case theirs.gone && ours.gone:
		return "", nil
	case theirs.gone:
		return "the source does not have it", nil
	case ours.gone:
		kind, err := s.client(db).Type(ctx, theirs.key).Result()
		if err != nil {
			return "", err
		}
		if !slices.Contains([]string{"zset", "set", "string"}, kind) {
			leaveOut(c.Types, kind, theirs.key)
			c.Keys--
			return "", nil
		}
		return "it is missing", nil
	}
	if d := theirs.expires - ours.expires; d > expirySlack || d < -expirySlack || (theirs.expires == 0) != (ours.expires == 0) {
		return fmt.Sprintf("it expires %s, and in the source %s", expiryText(ours.expires), expiryText(theirs.expires)), nil
	}
	if theirs.dump == ours.dump {
		return "", nil
	}
	a, err := contents(theirs.dump)
	if err != nil {
		return "its value in the source cannot be read: " + err.Error(), nil
	}
	b, err := contents(ours.dump)
	if err != nil {
		return "", err
	}
	if !maps.Equal(a, b) {
		return fmt.Sprintf("its values differ: %s, and in the source %s", sizeText(b), sizeText(a)), nil
	}
	return "", nil
}

// expiryText says when a key expires, from milliseconds of Unix time; 0: never.
func expiryText(ms int64) string {
	if ms == 0 {
		return "never"
	}
	return "at " + time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z07:00")
}

// sizeText says how large what contents returned is.
func sizeText(all map[string]float64) string {
	for name := range all {
		if text, ok := strings.CutPrefix(name, "="); ok {
			return numbers.Plural(len(text), "byte")
		}
	}
	return numbers.Plural(len(all), "member")
}

// contents returns a value as members with their scores, or a string under the empty name.
func contents(dump string) (map[string]float64, error) {
	v, err := rdb.OpenDump([]byte(dump), rdb.ReadOptions{AnyVersion: true})
	if err != nil {
		return nil, err
	}
	all := map[string]float64{}
	switch v.Kind {
	case rdb.SortedSet:
		err = v.SortedSet(func(member []byte, score float64) error {
			all["m"+string(member)] = score
			return nil
		})
	case rdb.Set:
		err = v.Set(func(member []byte) error {
			all["s"+string(member)] = 0
			return nil
		})
	case rdb.String:
		var text []byte
		text, err = v.Bytes()
		all["="+string(bytes.Clone(text))] = 0
	default:
		err = fmt.Errorf("replica: a value of kind %v", v.Kind)
	}
	return all, err
}
