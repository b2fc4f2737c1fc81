package plaincmd

import (
	"cmp"
	"slices"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// Sets are the commands on plain sets.
var Sets = []session.Command{
	{Name: "sadd", Arity: -3, Flags: command.Write | command.DenyOOM | command.Fast, Keys: command.OneKey, Tx: sadd,
		Doc: command.NewDoc("Adds members to a plain set", "1.0.0", "set", "O(members of the set)")},
	{Name: "srem", Arity: -3, Flags: command.Write | command.Fast, Keys: command.OneKey, Tx: srem,
		Doc: command.NewDoc("Removes members from a plain set", "1.0.0", "set", "O(members of the set)")},
	{Name: "smembers", Arity: 2, Flags: command.ReadOnly, Keys: command.OneKey, Tx: smembers,
		Doc: command.NewDoc("Returns all members of a plain set", "1.0.0", "set", "O(members of the set)")},
	{Name: "scard", Arity: 2, Flags: command.ReadOnly | command.Fast, Keys: command.OneKey, Tx: scard,
		Doc: command.NewDoc("Returns the number of members of a plain set", "1.0.0", "set", "O(members of the set)")},
	{Name: "sismember", Arity: 3, Flags: command.ReadOnly | command.Fast, Keys: command.OneKey, Tx: sismember,
		Doc: command.NewDoc("Says whether a plain set has a member", "1.0.0", "set", "O(members of the set)")},
}

// plainSet returns the plain set of a key; without a value it is empty. Errors: ErrWrongType.
func plainSet(t *session.Txn, name string) (list [][]byte, v keyspace.Plain, err error) {
	h, err := t.Get(name)
	if err != nil {
		return nil, v, err
	}
	if h.Kind != keyspace.None && h.Kind != keyspace.PlainSet {
		return nil, v, command.ErrWrongType
	}
	return keyspace.Members(h.Plain), h.Plain, nil
}

// putSet stores a plain set in place of one whose expiry and encoding it keeps. A set without members is dropped.
func putSet(t *session.Txn, name string, list [][]byte, was keyspace.Plain) error {
	if len(list) == 0 {
		_, err := t.DropPlain(name)
		return err
	}
	v := keyspace.EncodeSet(list)
	v.Expires, v.Hashed = was.Expires, was.Hashed
	return t.PutPlain(name, v)
}

func sadd(t *session.Txn, a [][]byte) error {
	name := t.Name(a[1])
	list, was, err := plainSet(t, name)
	if err != nil {
		return err
	}
	had := make(map[string]struct{}, len(list)+len(a)-2)
	for _, m := range list {
		had[string(m)] = struct{}{}
	}
	before := len(list)
	for _, m := range a[2:] {
		if _, ok := had[string(m)]; !ok {
			had[string(m)] = struct{}{}
			list = append(list, m)
		}
	}
	if len(list) > before {
		_, integers := keyspace.Integers(list)
		was.Hashed = was.Hashed || !integers || int64(len(list)) > t.Space.IntsetEntries.Load()
		if err := putSet(t, name, list, was); err != nil {
			return err
		}
	}
	t.Out.Int(int64(len(list) - before))
	return nil
}

func srem(t *session.Txn, a [][]byte) error {
	name := t.Name(a[1])
	list, was, err := plainSet(t, name)
	if err != nil {
		return err
	}
	gone := make(map[string]struct{}, len(a)-2)
	for _, m := range a[2:] {
		gone[string(m)] = struct{}{}
	}
	before := len(list)
	list = slices.DeleteFunc(list, func(m []byte) bool { _, ok := gone[string(m)]; return ok })
	if len(list) < before {
		if err := putSet(t, name, list, was); err != nil {
			return err
		}
	}
	t.Out.Int(int64(before - len(list)))
	return nil
}

func smembers(t *session.Txn, a [][]byte) error {
	list, v, err := plainSet(t, t.Name(a[1]))
	if err != nil {
		return err
	}
	if numbers, ok := keyspace.Integers(list); ok && !v.Hashed {
		slices.SortFunc(list, func(a, b []byte) int { return cmp.Compare(numbers[string(a)], numbers[string(b)]) })
	}
	t.Out.Set(len(list))
	for _, m := range list {
		t.Out.Bulk(m)
	}
	return nil
}

func scard(t *session.Txn, a [][]byte) error {
	list, _, err := plainSet(t, t.Name(a[1]))
	if err == nil {
		t.Out.Int(int64(len(list)))
	}
	return err
}

func sismember(t *session.Txn, a [][]byte) error {
	list, _, err := plainSet(t, t.Name(a[1]))
	if err == nil {
		t.Out.Int(command.Bit(slices.ContainsFunc(list, func(m []byte) bool { return string(m) == string(a[2]) })))
	}
	return err
}
