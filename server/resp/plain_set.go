package resp

import (
	"cmp"
	"slices"
)

// setCommands are about plain sets, in the least form: they are there to be inputs of set operations, each member with score 1.
var setCommands = []command{
	{name: "sadd", arity: -3, flags: write | denyoom | fast, keys: oneKey, tx: sadd,
		doc: doc{"Adds members to a plain set", "1.0.0", "set", "O(members of the set)"}},
	{name: "srem", arity: -3, flags: write | fast, keys: oneKey, tx: srem,
		doc: doc{"Removes members from a plain set", "1.0.0", "set", "O(members of the set)"}},
	{name: "smembers", arity: 2, flags: readonly, keys: oneKey, tx: smembers,
		doc: doc{"Returns all members of a plain set", "1.0.0", "set", "O(members of the set)"}},
	{name: "scard", arity: 2, flags: readonly | fast, keys: oneKey, tx: scard,
		doc: doc{"Returns the number of members of a plain set", "1.0.0", "set", "O(members of the set)"}},
	{name: "sismember", arity: 3, flags: readonly | fast, keys: oneKey, tx: sismember,
		doc: doc{"Says whether a plain set has a member", "1.0.0", "set", "O(members of the set)"}},
}

// plainSet returns the plain set of a key; one that does not exist is empty. Errors: errWrongType.
func plainSet(t *txn, name string) (list [][]byte, v plainValue, err error) {
	h, err := t.look(name)
	if err != nil {
		return nil, v, err
	}
	if h.kind != none && h.kind != aSet {
		return nil, v, errWrongType
	}
	return members(h.plain), h.plain, nil
}

// putSet stores a plain set in the place of one whose expiry it has, and which makes it a hashtable if that was one. A set without
// members is gone.
func putSet(t *txn, name string, list [][]byte, was plainValue) error {
	if len(list) == 0 {
		_, err := t.dropPlain(name)
		return err
	}
	v := setOf(list)
	v.expires, v.hashed = was.expires, was.hashed
	return t.putPlain(name, v)
}

func sadd(t *txn, a [][]byte) error {
	name := t.name(a[1])
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
		_, integers := intset(list)
		was.hashed = was.hashed || !integers || int64(len(list)) > t.space.intsetEntries.Load()
		if err := putSet(t, name, list, was); err != nil {
			return err
		}
	}
	t.w.Int(int64(len(list) - before))
	return nil
}

func srem(t *txn, a [][]byte) error {
	name := t.name(a[1])
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
	t.w.Int(int64(before - len(list)))
	return nil
}

func smembers(t *txn, a [][]byte) error {
	list, v, err := plainSet(t, t.name(a[1]))
	if err != nil {
		return err
	}
	if numbers, ok := intset(list); ok && !v.hashed {
		slices.SortFunc(list, func(a, b []byte) int { return cmp.Compare(numbers[string(a)], numbers[string(b)]) })
	}
	t.w.Set(len(list))
	for _, m := range list {
		t.w.Bulk(m)
	}
	return nil
}

func scard(t *txn, a [][]byte) error {
	list, _, err := plainSet(t, t.name(a[1]))
	if err == nil {
		t.w.Int(int64(len(list)))
	}
	return err
}

func sismember(t *txn, a [][]byte) error {
	list, _, err := plainSet(t, t.name(a[1]))
	if err == nil {
		t.w.Int(number(slices.ContainsFunc(list, func(m []byte) bool { return string(m) == string(a[2]) })))
	}
	return err
}
