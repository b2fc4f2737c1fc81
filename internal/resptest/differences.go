package resptest

import (
	"slices"
	"strconv"
	"strings"
)

// difference is a row of the table of allowed differences: the commands whose replies need not be equal byte for byte, and the part of the
// replies that must be equal.
type difference struct {
	commands string                              // their names, upper case, between blanks
	form     func(words []string, r Value) Value // the part of a reply that must be the same; nil: all
	near     int                                 // the largest allowed difference of two integers
	why      string
}

const (
	chance   = "Redis draws by chance, and in no order that means anything"
	hashed   = "Redis walks a hash table, whose order means nothing"
	clock    = "the reply tells the time"
	later    = "Redis 7.0 does not know it yet"
	years    = "a time after the year 9999 is that year's end"
	identity = "the reply names the server and its version"
	foreign  = "not a command about sorted sets"
	counting = "Redis 7.2 counts the pairs of a command before it makes a key; zset, as Redis 7.0, counts members"
	unsigned = "Redis keeps the sign of -0 in a skiplist, and in replies to additions; zset has one zero"
)

var differences = []difference{
	{"ZRANDMEMBER", drawn, 0, chance},
	{"RANDOMKEY", kindOnly, 0, chance},
	{"KEYS", anyOrder, 0, hashed},
	{"SMEMBERS", anyOrder, 0, hashed},
	{"SCAN ZSCAN", walk, 0, hashed},
	{"TTL EXPIRETIME", nil, 2, clock},
	{"PTTL PEXPIRETIME", nil, 2000, clock},
	{"TTL EXPIRETIME PTTL PEXPIRETIME", until9999, 0, years},
	{"CONFIG", settingsInOrder, 0, hashed},
	{"HELLO", kindOnly, 0, identity},
	{"ZSCORE ZMSCORE ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE ZPOPMIN ZPOPMAX BZPOPMIN BZPOPMAX ZMPOP BZMPOP ZUNION ZINTER ZDIFF " +
		"ZADD ZINCRBY ZSCAN ZRANDMEMBER", withoutSign, 0, unsigned},
	{"ZRANK ZREVRANK", withScore, 0, later},
	{"ZUNION ZINTER ZUNIONSTORE ZINTERSTORE", aggregateCount, 0, later},
	{"SETRANGE SORT", nothing, 0, foreign}, // in recordings, as is the next
	{"OBJECT", pairs, 0, counting},
	{"DUMP", contents, 0, hashed},
}

// Same reports whether two replies to a command are alike: byte for byte, or as far as the table's rows for the command compare them.
func Same(words []string, a, b Value) bool {
	name := strings.ToUpper(words[0])
	near := 0
	for _, d := range differences {
		if !slices.Contains(strings.Fields(d.commands), name) {
			continue
		}
		if d.form != nil {
			a, b = d.form(words, a), d.form(words, b)
		}
		near = max(near, d.near)
	}
	return a.String() == b.String() || near > 0 && nearby(a, b, near)
}

// nearby reports whether two replies are integers, not negative, that differ by near at most.
func nearby(a, b Value, near int) bool {
	m, err := strconv.Atoi(a.Text)
	n, failed := strconv.Atoi(b.Text)
	return err == nil && failed == nil && a.Kind == ':' && b.Kind == ':' && min(m, n) >= 0 && max(m, n)-min(m, n) <= near
}

func anyOrder(_ []string, r Value) Value {
	if r.Kind == '~' {
		r.Kind = '*'
	}
	return r.sorted(1)
}

// withScore drops the reply to ZRANK with a further word.
func withScore(words []string, r Value) Value {
	if len(words) > 3 {
		return Value{}
	}
	return r
}

// aggregateCount drops the reply to AGGREGATE COUNT.
func aggregateCount(words []string, r Value) Value {
	for i := 1; i < len(words); i++ {
		if strings.EqualFold(words[i-1], "AGGREGATE") && strings.EqualFold(words[i], "COUNT") {
			return Value{}
		}
	}
	return r
}

// until9999 keeps times, and times to live, that end before the year 10000, and makes all later ones equal.
func until9999(words []string, r Value) Value {
	end := int64(251_000_000_000) // the seconds from 2020 or so until then
	if name := strings.ToUpper(words[0]); name[0] == 'P' {
		end *= 1000
	}
	if n, err := strconv.ParseInt(r.Text, 10, 64); err == nil && r.Kind == ':' {
		r.Text = strconv.FormatInt(min(n, end), 10)
	}
	return r
}

func nothing([]string, Value) Value { return Value{} }

// pairs keeps the encoding of keys, but not of the one called pairs.
func pairs(words []string, r Value) Value {
	if words[len(words)-1] == "pairs" {
		return Value{}
	}
	return r
}

// settingsInOrder sorts names with their values.
func settingsInOrder(_ []string, r Value) Value { return r.sorted(2) }

// kindOnly keeps errors. Of other replies it keeps only the kind, and whether they are null.
func kindOnly(_ []string, r Value) Value {
	if r.Kind == '-' {
		return r
	}
	return Value{Kind: r.Kind, Null: r.Null}
}

// drawn normalizes random replies: it keeps the number of entries and their kinds, and all entries, sorted, if the set has fewer than the
// command asks for.
func drawn(words []string, r Value) Value {
	if r.Kind == '-' || r.Null || r.Kind == '_' {
		return r
	}
	if r.Kind != '*' {
		return Value{Kind: r.Kind}
	}
	group := 1
	if len(words) > 3 && len(r.Items) > 0 && r.Items[0].Kind == '$' { // WITHSCORES in RESP2: members and scores in turn
		group = 2
	}
	count, err := strconv.Atoi(words[min(2, len(words)-1)])
	if err == nil && count > len(r.Items)/group {
		return r.sorted(group)
	}
	return Value{Kind: '*', Text: strconv.Itoa(len(r.Items)), Items: blank(r.Items)}
}

// blank keeps the kinds of values.
func blank(items []Value) []Value {
	var list []Value
	for _, v := range items {
		list = append(list, Value{Kind: v.Kind, Items: blank(v.Items)})
	}
	return list
}

// walk keeps the entries of a whole walk, each once and sorted, and nothing of a single step.
func walk(words []string, r Value) Value {
	if r.Kind != '*' || len(r.Items) == 2 && r.Items[1].Kind == '*' {
		return kindOnly(words, r)
	}
	group := 1
	if strings.ToUpper(words[0]) == "ZSCAN" {
		group = 2
	}
	r = r.sorted(group)
	groups := slices.CompactFunc(slices.Collect(slices.Chunk(r.Items, group)), func(a, b []Value) bool {
		return Value{Items: a}.items() == Value{Items: b}.items()
	})
	r.Items = slices.Concat(groups...)
	return r
}

func withoutSign(words []string, r Value) Value {
	if (r.Kind == '$' || r.Kind == ',') && r.Text == "-0" {
		r.Text = "0"
	}
	items := r.Items
	r.Items = nil
	for _, v := range items {
		r.Items = append(r.Items, withoutSign(words, v))
	}
	return r
}
