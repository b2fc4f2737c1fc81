package rdbfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/rdb"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/zset"
)

// key imports key n of the file, or counts why not. After an error the key before is the last one that has been seen.
func (m *importer) key(ctx context.Context, key *rdb.Key, n int64) error {
	v, wanted, err := m.read(key)
	if err != nil {
		return err
	}
	m.seen = n
	if !wanted {
		return nil
	}
	if err := m.store(ctx, v); err != nil {
		return fmt.Errorf("%w %.100q: %w", errStoring, v.key, err)
	}
	return nil
}

// read reads a value, or counts why not.
func (m *importer) read(key *rdb.Key) (v value, wanted bool, err error) {
	r := m.report
	if m.o.DB != AnyDatabase && key.DB != m.o.DB || !m.match(string(key.Name)) {
		r.Unasked++
		return v, false, nil
	}
	switch key.Kind {
	case rdb.String, rdb.Set, rdb.SortedSet:
	case rdb.Module:
		count(r.Others, "module "+key.ModuleType, key.Name, 0)
		return v, false, nil
	default:
		count(r.Others, key.Kind.String(), key.Name, 0)
		return v, false, nil
	}
	if !key.Expires.IsZero() && !m.space.Engine.Now().Before(key.Expires) {
		r.Expired.add(key.Name, 0)
		return v, false, nil
	}
	if m.o.Take != nil && key.Kind == rdb.SortedSet {
		taken, err := m.o.Take(key)
		if err != nil || taken {
			r.Taken++
			return v, false, err
		}
	}
	if key.DB >= keyspace.MaxDatabases {
		count(r.Refused, fmt.Sprintf("a database above %d", keyspace.MaxDatabases-1), key.Name, 0)
		return v, false, nil
	}
	v = value{db: key.DB, key: bytes.Clone(key.Name), name: keyspace.EngineKey(key.DB, key.Name), kind: key.Kind.String()}
	if !key.Expires.IsZero() {
		v.expires = keyspace.TimeOf(key.Expires.UnixMilli())
	}
	if len(v.name) > engine.MaxKey {
		count(r.Refused, fmt.Sprintf("a key of more than %d bytes", engine.MaxKey), key.Name[:100], 0)
		return v, false, nil
	}
	return v, true, v.read(key)
}

// read reads the value.
func (v *value) read(key *rdb.Key) error {
	switch key.Kind {
	case rdb.String:
		b, err := key.Bytes()
		v.plain = keyspace.Plain{Kind: keyspace.String, Body: bytes.Clone(b)}
		return err
	case rdb.Set:
		return v.readSet(key)
	}
	return v.readSorted(key)
}

// twice returns the error of a member that comes twice.
func (v *value) twice(member []byte) error {
	return fmt.Errorf("%w: %.100q of the key %.100q in database %d", ErrTwice, member, v.key, v.db)
}

func (v *value) readSet(key *rdb.Key) error {
	var list [][]byte
	had := map[string]struct{}{}
	err := key.Set(func(m []byte) error {
		if _, twice := had[string(m)]; twice {
			return v.twice(m)
		}
		own := string(m)
		had[own] = struct{}{}
		list = append(list, []byte(own))
		return nil
	})
	v.members = len(list)
	v.plain = keyspace.EncodeSet(list)
	_, integers := keyspace.Integers(list)
	v.plain.Hashed = !integers || len(list) > keyspace.DefaultIntsetEntries
	return err
}

// readSorted reads a sorted set.
func (v *value) readSorted(key *rdb.Key) (err error) {
	var failed error
	var twice []byte
	v.set, twice, err = zset.Build(zset.Options{}, runtime.GOMAXPROCS(0), func(yield func([]byte, float64) bool) {
		failed = key.SortedSet(func(m []byte, score float64) error {
			if v.members++; !yield(m, score) {
				return errEnough
			}
			return nil
		})
	})
	switch {
	case failed != nil && failed != errEnough:
		return failed
	case err != nil:
		return err
	case twice != nil:
		return v.twice(twice)
	}
	return nil
}

// errEnough ends the reading of a sorted set when no more members are wanted.
var errEnough = errors.New("rdbfile: enough")
