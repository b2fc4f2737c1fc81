package apply

import (
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/zset"
)

// Op runs one operation and returns its reply.
func Op(st State, op script.Op) string {
	if op.Kind == "claim" {
		return claim(st, op)
	}
	if op.Is(script.OnBoard) {
		return BoardOp(st.(WithBoards).Boards(), op)
	}
	switch op.Kind {
	case "put":
		return Outcome("", st.Put(op.Key, []byte(op.Member)))
	case "del":
		return Outcome("", st.Delete(op.Key))
	case "get":
		value, ok, err := st.Get(op.Key)
		return Outcome(fmt.Sprintf("%q %v", value, ok), err)
	case "scan":
		return scan(st, op.Key)
	}
	if k, ok := st.(Keyspace); ok {
		if reply, ok := applyWhole(k, op); ok {
			return reply
		}
		if s, ints, err := k.Ints(op.Key); ints || err != nil {
			return onSet(s, op, err)
		}
	}
	s, err := st.Floats(op.Key)
	return onSet(s, op, err)
}

// applyWhole runs an operation on whole sets. It returns false for any other operation.
func applyWhole(k Keyspace, op script.Op) (reply string, ok bool) {
	switch op.Kind {
	case "drop":
		dropped, err := k.Drop(op.Key)
		return Outcome(dropped, err), true
	case "rename":
		return Outcome("", k.Rename(op.Key, op.Other)), true
	case "copy":
		return Outcome("", k.Copy(op.Key, op.Other)), true
	case "expire":
		there, err := k.Expire(op.Key, time.Duration(op.Lo)*time.Second)
		return Outcome(there, err), true
	case "persist":
		had, err := k.Persist(op.Key)
		return Outcome(had, err), true
	case "expiry":
		at, ok, err := k.Expiry(op.Key)
		return Outcome(TimeText(at, ok), err), true
	case "stat":
		st, err := k.Stat(op.Key)
		return Outcome(describe(st), err), true
	}
	return "", false
}

// onSet runs an operation on the members of a set.
func onSet[S zset.Score](s SetOf[S], op script.Op, err error) string {
	if err != nil {
		return Outcome("", err)
	}
	if reply, ok := change(s, op); ok {
		return reply
	}
	return readSet(s, op)
}

// scan lists private keys.
func scan(st State, prefix string) string {
	var b strings.Builder
	for kv, err := range st.Scan(prefix) {
		if err != nil {
			return Outcome("", err)
		}
		fmt.Fprintf(&b, "%q=%q ", kv.Key, kv.Value)
	}
	return b.String()
}
