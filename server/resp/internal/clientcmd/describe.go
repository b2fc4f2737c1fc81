package clientcmd

import (
	"strings"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// flagNames returns Redis's names of a command's flags.
func flagNames(m *session.Command) (names []string) {
	for _, f := range []struct {
		flag command.Flags
		name string
	}{
		{command.Write, "write"}, {command.ReadOnly, "readonly"}, {command.DenyOOM, "denyoom"}, {command.Admin, "admin"}, {command.NoAuth, "no_auth"}, {command.Blocking, "blocking"},
		{command.NoMulti, "no_multi"}, {command.Fast, "fast"}, {command.Movable, "movablekeys"},
	} {
		if m.Flags&f.flag != 0 {
			names = append(names, f.name)
		}
	}
	return names
}

// groupCategories are the ACL categories of groups, where they differ from "@" and the group.
var groupCategories = map[string]string{
	"sorted-set": "@sortedset", "transactions": "@transaction", "generic": "@keyspace", "server": "",
}

// categories returns the ACL categories of a command.
func categories(m *session.Command) (names []string) {
	add := func(yes bool, name string) {
		if yes && name != "" {
			names = append(names, name)
		}
	}
	group, other := groupCategories[m.Doc.Group]
	if !other {
		group = "@" + m.Doc.Group
	}
	add(m.Flags&command.Write != 0, "@write")
	add(m.Flags&command.ReadOnly != 0, "@read")
	add(true, group)
	add(m.Flags&command.Admin != 0, "@admin")
	add(m.Flags&command.Moderate != 0, "@moderation")
	add(m.Flags&command.Fast != 0, "@fast")
	add(m.Flags&command.Fast == 0, "@slow")
	add(m.Flags&command.Blocking != 0, "@blocking")
	add(m.Flags&(command.Admin|command.Dangerous) != 0, "@dangerous")
	return names
}

// keySpecs writes where a command has its keys, as COMMAND INFO of Redis 7 does.
func keySpecs(w *wire.Writer, m *session.Command) {
	access := "RO"
	if m.Flags&command.Write != 0 {
		access = "RW"
	}
	fixed, counted := m.Keys.First > 0, m.Keys.Num > 0
	w.Array(int(command.Bit(fixed) + command.Bit(counted)))
	if fixed {
		last := m.Keys.Last
		if last > 0 {
			last -= m.Keys.First // counted from the first key
		}
		keySpec(w, access, m.Keys.First, "range", []string{"lastkey", "keystep", "limit"}, []int{last, m.Keys.Step, 0})
	}
	if counted {
		if fixed {
			access = "RO" // only the first key is written
		}
		keySpec(w, access, m.Keys.Num, "keynum", []string{"keynumidx", "firstkey", "keystep"}, []int{0, 1, 1})
	}
}

// keySpec writes one key specification: where to begin, and how to find the keys from there.
func keySpec(w *wire.Writer, access string, index int, how string, names []string, values []int) {
	w.Map(3)
	w.BulkString("flags")
	statuses(w, []string{access})
	w.BulkString("begin_search")
	w.Map(2)
	w.BulkString("type")
	w.BulkString("index")
	w.BulkString("spec")
	w.Map(1)
	w.BulkString("index")
	w.Int(int64(index))
	w.BulkString("find_keys")
	w.Map(2)
	w.BulkString("type")
	w.BulkString(how)
	w.BulkString("spec")
	w.Map(len(names))
	for i, name := range names {
		w.BulkString(name)
		w.Int(int64(values[i]))
	}
}

// Forms are the arguments of commands for COMMAND DOCS, where they do not follow from the command's row.
var Forms = map[string]string{
	"board.info":       "[name]",
	"board.move":       "name TO|FROM url [PREFIX text] [PARTITIONS n] [REPLICAS n] [PARTIAL] [ABORT]",
	"board.feed":       "position [COUNT n] [BLOCK milliseconds] [BOARD name] [WINDOW window] [MEMBER member] [KIND kind]",
	"group.join":       "kind member group [member group ...]",
	"zadd":             "key [NX|XX] [GT|LT] [CH] [INCR] score member [score member ...]",
	"zincrby":          "key increment member",
	"zrank":            "key member [WITHSCORE]",
	"zrevrank":         "key member [WITHSCORE]",
	"zcount":           "key min max",
	"zlexcount":        "key min max",
	"zrange":           "key start stop [BYSCORE|BYLEX] [REV] [LIMIT offset count] [WITHSCORES]",
	"zrangestore":      "dst src min max [BYSCORE|BYLEX] [REV] [LIMIT offset count]",
	"zrevrange":        "key start stop [WITHSCORES]",
	"zrangebyscore":    "key min max [WITHSCORES] [LIMIT offset count]",
	"zrevrangebyscore": "key max min [WITHSCORES] [LIMIT offset count]",
	"zrangebylex":      "key min max [LIMIT offset count]",
	"zrevrangebylex":   "key max min [LIMIT offset count]",
	"zremrangebyrank":  "key start stop",
	"zremrangebyscore": "key min max",
	"zremrangebylex":   "key min max",
	"zpopmin":          "key [count]",
	"zpopmax":          "key [count]",
	"bzpopmin":         "key [key ...] timeout",
	"bzpopmax":         "key [key ...] timeout",
	"zmpop":            "numkeys key [key ...] MIN|MAX [COUNT count]",
	"bzmpop":           "timeout numkeys key [key ...] MIN|MAX [COUNT count]",
	"zunion":           "numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE SUM|MIN|MAX|COUNT] [WITHSCORES]",
	"zinter":           "numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE SUM|MIN|MAX|COUNT] [WITHSCORES]",
	"zdiff":            "numkeys key [key ...] [WITHSCORES]",
	"zintercard":       "numkeys key [key ...] [LIMIT limit]",
	"zunionstore":      "destination numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE SUM|MIN|MAX|COUNT]",
	"zinterstore":      "destination numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE SUM|MIN|MAX|COUNT]",
	"zdiffstore":       "destination numkeys key [key ...]",
	"zrandmember":      "key [count [WITHSCORES]]",
	"zscan":            "key cursor [MATCH pattern] [COUNT count]",
	"hello":            "[protover [AUTH username password] [SETNAME clientname]]",
	"auth":             "[username] password",
	"select":           "index",
	"scan":             "cursor [MATCH pattern] [COUNT count] [TYPE type]",
	"restore":          "key ttl serialized-value [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ frequency]",
	"migrate":          "host port key|\"\" destination-db timeout [COPY] [REPLACE] [AUTH password|AUTH2 username password] [KEYS key [key ...]]",
	"copy":             "source destination [DB destination-db] [REPLACE]",
	"set":              "key value [NX|XX] [GET] [EX seconds|PX milliseconds|EXAT unix-time|PXAT unix-time-ms|KEEPTTL]",
	"expire":           "key seconds [NX|XX|GT|LT]",
	"pexpire":          "key milliseconds [NX|XX|GT|LT]",
	"expireat":         "key unix-time [NX|XX|GT|LT]",
	"pexpireat":        "key unix-time-ms [NX|XX|GT|LT]",
}

// arguments returns the arguments of a command: those of its row, those of Forms, or those that follow from its keys and its arity.
func arguments(m *session.Command) (all []command.Argument) {
	if m.Doc.Arguments != nil {
		return m.Doc.Arguments
	}
	names := []string{Forms[m.Name]}
	if names[0] == "" {
		names = namesOf(m)
	}
	for _, name := range names {
		all = append(all, command.Argument{Name: name, Type: "string"})
	}
	return all
}

// namesOf returns the arguments that follow from the keys of a command and its arity.
func namesOf(m *session.Command) []string {
	least := max(m.Arity, -m.Arity) - 1 - strings.Count(m.Name, "|")
	var words []string
	if m.Keys.First == 1 {
		words = append(words, "key")
		if m.Keys.Last == -1 {
			words = append(words, "[key ...]")
		}
	}
	for len(words) < least {
		words = append(words, "arg")
	}
	if m.Arity < 0 && m.Keys.Last != -1 && m.Subs == nil {
		words = append(words, "[arg ...]")
	}
	return words
}

// statuses writes a set of short texts.
func statuses(w *wire.Writer, list []string) {
	w.Set(len(list))
	for _, text := range list {
		w.Status(text)
	}
}
