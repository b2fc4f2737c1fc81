package resp

import (
	"strings"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// What COMMAND says in Redis's words, made from the rows of the table.

// flagNames are a command's flags as Redis calls them.
func flagNames(m *command) (names []string) {
	for _, f := range []struct {
		flag flags
		name string
	}{
		{write, "write"}, {readonly, "readonly"}, {denyoom, "denyoom"}, {admin, "admin"}, {noAuth, "no_auth"}, {blocking, "blocking"},
		{noMulti, "no_multi"}, {fast, "fast"}, {movable, "movablekeys"},
	} {
		if m.flags&f.flag != 0 {
			names = append(names, f.name)
		}
	}
	return names
}

// groupCategories are the categories of groups, where they are not "@" and the group.
var groupCategories = map[string]string{
	"sorted-set": "@sortedset", "transactions": "@transaction", "generic": "@keyspace", "server": "",
}

// categories are those of ACL that a command is in.
func categories(m *command) (names []string) {
	add := func(yes bool, name string) {
		if yes && name != "" {
			names = append(names, name)
		}
	}
	group, other := groupCategories[m.doc.group]
	if !other {
		group = "@" + m.doc.group
	}
	add(m.flags&write != 0, "@write")
	add(m.flags&readonly != 0, "@read")
	add(true, group)
	add(m.flags&admin != 0, "@admin")
	add(m.flags&fast != 0, "@fast")
	add(m.flags&fast == 0, "@slow")
	add(m.flags&blocking != 0, "@blocking")
	add(m.flags&admin != 0, "@dangerous")
	return names
}

// keySpecs writes where a command has its keys, as COMMAND INFO of Redis 7 has it.
func keySpecs(w *wire.Writer, m *command) {
	access := "RO"
	if m.flags&write != 0 {
		access = "RW"
	}
	fixed, counted := m.keys.first > 0, m.keys.num > 0
	w.Array(int(number(fixed) + number(counted)))
	if fixed {
		last := m.keys.last
		if last > 0 {
			last -= m.keys.first // from the first on
		}
		keySpec(w, access, m.keys.first, "range", []string{"lastkey", "keystep", "limit"}, []int{last, m.keys.step, 0})
	}
	if counted {
		if fixed {
			access = "RO" // the first one is what is written to
		}
		keySpec(w, access, m.keys.num, "keynum", []string{"keynumidx", "firstkey", "keystep"}, []int{0, 1, 1})
	}
}

// keySpec writes one of them: where to begin, and how to find the keys from there.
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

// forms are what stands behind the names of commands, where the table does not tell.
var forms = map[string]string{
	"board.submit":     "name member score [score ...] [AT unix-seconds] [ONCE key] [META text]",
	"board.top":        "name window n [PERIOD period] [MODE ordinal|competition|modified|dense] [META]",
	"board.rank":       "name window member [PERIOD period] [MODE ordinal|competition|modified|dense] [META]",
	"board.around":     "name window member n [PERIOD period] [MODE ordinal|competition|modified|dense] [META]",
	"board.periods":    "name window",
	"board.info":       "[name]",
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
	"copy":             "source destination [DB destination-db] [REPLACE]",
	"set":              "key value [NX|XX] [GET] [EX seconds|PX milliseconds|EXAT unix-time|PXAT unix-time-ms|KEEPTTL]",
	"expire":           "key seconds [NX|XX|GT|LT]",
	"pexpire":          "key milliseconds [NX|XX|GT|LT]",
	"expireat":         "key unix-time [NX|XX|GT|LT]",
	"pexpireat":        "key unix-time-ms [NX|XX|GT|LT]",
}

// arguments returns the words behind a command's name: those of forms, or what its keys and its number of words tell.
func arguments(m *command) []string {
	if form, ok := forms[m.name]; ok {
		return []string{form}
	}
	least := max(m.arity, -m.arity) - 1 - strings.Count(m.name, "|")
	var words []string
	if m.keys.first == 1 {
		words = append(words, "key")
		if m.keys.last == -1 {
			words = append(words, "[key ...]")
		}
	}
	for len(words) < least {
		words = append(words, "arg")
	}
	if m.arity < 0 && m.keys.last != -1 && m.subs == nil {
		words = append(words, "[arg ...]")
	}
	return words
}
