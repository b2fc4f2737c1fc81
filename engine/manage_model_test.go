package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"time"
)

// keysModel makes calls on whole sets, on an engine and on a naive map, and returns the first difference. Keys have arbitrary bytes.
type keysModel struct {
	e    *Engine
	rng  *rand.Rand
	now  int64 // milliseconds
	sets map[string]keptSet
	did  map[string]int // calls by name
}

// keptSet is a set of the map: its number of members and its expiry. An expired one stays until an Update names it.
type keptSet struct{ members, at int64 }

var someKeys = []string{"", "\x00", "a", "b", "c:1", "c:2", "c:22", "\xff\xfe", "a\x000", "staged\x001", strings.Repeat("k", MaxKey)}

func (m *keysModel) key() string { return someKeys[m.rng.IntN(len(someKeys))] }

func (m *keysModel) clock() time.Time { return time.UnixMilli(m.now) }

// look returns the set of a key unless it has expired.
func (m *keysModel) look(key string) (keptSet, bool) {
	s, ok := m.sets[key]
	return s, ok && (s.at == 0 || m.now < s.at)
}

// named drops the expired sets of these keys, as an Update that names them does if it succeeds.
func (m *keysModel) named(keys ...string) {
	for _, key := range keys {
		if _, ok := m.look(key); !ok {
			delete(m.sets, key)
		}
	}
}

func (m *keysModel) keys(match func(string) bool) []string {
	keys := []string{}
	for key := range maps.Keys(m.sets) {
		if _, ok := m.look(key); ok && match(key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// said returns an error if an answer of the engine differs from the model's.
func said(got any, err error, want any) error {
	if text := answer(got, err); text != fmt.Sprint(want) {
		return fmt.Errorf("got %.300s, want %.300s", text, fmt.Sprint(want))
	}
	return nil
}

// step makes one random call; the weights add up to 34.
func (m *keysModel) step() error {
	calls := []struct {
		weight int
		name   string
		do     func() error
	}{
		{6, "add", m.add}, {3, "delete", m.delete}, {3, "exists", m.exists}, {3, "rename", m.rename}, {2, "renameIfAbsent", m.renameIfAbsent},
		{4, "expire", m.expire}, {1, "persist", m.persist}, {2, "expiry", m.expiry}, {1, "count", m.count}, {2, "glob", m.glob},
		{1, "prefix", m.prefix}, {2, "scan", m.scan}, {2, "random", m.random}, {2, "wait", m.wait},
	}
	n := m.rng.IntN(34)
	for _, c := range calls {
		if n -= c.weight; n < 0 {
			m.did[c.name]++
			if err := c.do(); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			return nil
		}
	}
	panic("the weights are not 34")
}

func (m *keysModel) add() error {
	key := m.key()
	m.named(key)
	s := m.sets[key]
	s.members++
	m.sets[key] = s
	n := 0
	err := m.e.Update(context.Background(), func(tx *Tx) error {
		set, err := tx.Set(key)
		if err == nil {
			_, err = set.Add(fmt.Append(nil, s.members), 1)
		}
		n = set.Len()
		return err
	}, key)
	return said(n, err, s.members)
}

func (m *keysModel) delete() error {
	keys := []string{m.key(), m.key(), m.key()}[:1+m.rng.IntN(3)]
	m.named(keys...)
	want := 0
	for _, key := range inOrder(keys) {
		if _, ok := m.sets[key]; ok {
			want++
		}
		delete(m.sets, key)
	}
	n, err := m.e.Delete(context.Background(), keys...)
	return said(n, err, want)
}

func (m *keysModel) exists() error {
	keys := make([]string, m.rng.IntN(5))
	want := 0
	for i := range keys {
		keys[i] = m.key()
		if _, ok := m.look(keys[i]); ok {
			want++
		}
	}
	if len(keys) > 0 {
		_, there := m.look(keys[0])
		kind, err := m.e.Type(context.Background(), keys[0])
		if err = errors.Join(err, said(kind, nil, map[bool]string{false: "none", true: "zset"}[there])); err != nil {
			return err
		}
	}
	n, err := m.e.Exists(context.Background(), keys...)
	return said(n, err, want)
}

func (m *keysModel) rename() error {
	from, to := m.key(), m.key()
	err := m.e.Rename(context.Background(), from, to)
	return said("", err, m.renamed(from, to))
}

func (m *keysModel) renamed(from, to string) string {
	s, ok := m.look(from)
	if !ok {
		return errText(ErrNoSet)
	}
	m.named(from, to)
	delete(m.sets, from)
	m.sets[to] = s
	return ""
}

func (m *keysModel) renameIfAbsent() error {
	from, to := m.key(), m.key()
	want := "true"
	if _, ok := m.look(from); !ok {
		want = errText(ErrNoSet)
	} else if _, ok := m.look(to); ok {
		want = "false"
		m.named(from, to)
	} else {
		m.renamed(from, to)
	}
	done, err := m.e.RenameIfAbsent(context.Background(), from, to)
	return said(done, err, want)
}

func (m *keysModel) expire() error {
	key, in := m.key(), int64(m.rng.IntN(3000)-200)
	m.named(key)
	s, ok := m.sets[key]
	if s.at = m.now + in; ok {
		m.sets[key] = s
	}
	m.named(key)
	var got bool
	var err error
	if m.rng.IntN(2) == 0 {
		got, err = m.e.ExpireIn(context.Background(), key, time.Duration(in)*time.Millisecond)
	} else {
		got, err = m.e.ExpireAt(context.Background(), key, time.UnixMilli(s.at))
	}
	return said(got, err, ok)
}

func (m *keysModel) persist() error {
	key := m.key()
	m.named(key)
	s, ok := m.sets[key]
	had := s.at != 0
	if s.at = 0; ok {
		m.sets[key] = s
	}
	got, err := m.e.Persist(context.Background(), key)
	return said(got, err, had)
}

func (m *keysModel) expiry() error {
	key := m.key()
	s, ok := m.look(key)
	want := time.Time{}
	if ok && s.at != 0 {
		want = time.UnixMilli(s.at)
	}
	at, exists, err := m.e.Expiry(key)
	return said(fmt.Sprint(at, exists), err, fmt.Sprint(want, ok))
}

func (m *keysModel) count() error {
	n, err := m.e.Count()
	return said(n, err, len(m.sets))
}

func (m *keysModel) glob() error {
	pattern := []string{"*", "c:*", "c:?", "[ab]", "", "?", "*\xfe", "k*k", "c:[^2]*"}[m.rng.IntN(9)]
	got, err := m.e.Glob(pattern)
	return said(fmt.Sprintf("%q", append([]string{}, got...)), err, fmt.Sprintf("%q", m.keys(func(key string) bool {
		// path.Match works on letters, where a glob works on bytes
		ok, _ := path.Match(runes(pattern), runes(key))
		return ok
	})))
}

// runes makes a letter of each byte.
func runes(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

func (m *keysModel) prefix() error {
	prefix := []string{"", "c:", "k", "zzz"}[m.rng.IntN(4)]
	got, err := m.e.Keys(prefix)
	return said(fmt.Sprintf("%q", append([]string{}, got...)), err, fmt.Sprintf("%q", m.keys(func(key string) bool {
		return strings.HasPrefix(key, prefix)
	})))
}

func (m *keysModel) scan() error {
	n := m.rng.IntN(6) - 2
	got := []string{}
	for cursor, begun := uint64(0), false; !begun || cursor != 0; begun = true {
		keys, next, err := m.e.ScanKeys(cursor, n)
		if err != nil {
			return err
		}
		if next != 0 && cmp.Compare(next, cursor) <= 0 {
			return fmt.Errorf("the cursor went from %d to %d", cursor, next)
		}
		got, cursor = append(got, keys...), next
	}
	slices.Sort(got)
	return said(fmt.Sprintf("%q", got), nil, fmt.Sprintf("%q", m.keys(func(string) bool { return true })))
}

func (m *keysModel) random() error {
	key, ok, err := m.e.RandomKey(m.rng)
	if _, there := m.look(key); err == nil && ok && !there {
		return fmt.Errorf("%.50q does not exist", key)
	}
	return said(ok, err, len(m.keys(func(string) bool { return true })) > 0)
}

func (m *keysModel) wait() error {
	m.now += int64(m.rng.IntN(700))
	return nil
}
