package servers

import (
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/zset"
)

// interval writes ranks.
func interval(n, below *redis.IntCmd) string {
	if n.Err() == nil && n.Val() == 0 {
		return "none"
	}
	return answers(fmt.Sprint(below.Val(), below.Val()+n.Val()), n, below)
}

// none is what an interval is that the protocol refuses with a text.
func none(got, text string) string {
	if got == "error: "+text {
		return "none"
	}
	return got
}

// shown lists entries as show does.
func shown(zs []redis.Z) string {
	var entries []zset.Entry
	for _, z := range zs {
		entries = append(entries, zset.Entry{Member: []byte(z.Member.(string)), Score: z.Score})
	}
	return apply.EntriesText(entries)
}

// answers is a reply made of those of many commands.
func answers(reply any, cmds ...redis.Cmder) string {
	for _, c := range cmds {
		if c.Err() != nil {
			return answer(c, "")
		}
	}
	return fmt.Sprint(reply)
}

// refusals are the errors that clients are promised, by the names that outcome has for them.
var refusals = map[string]string{
	"ERR value is not a valid float":                                    "not a number",
	"ERR resulting score is not a number (NaN)":                         "not a number",
	"ERR weight value is not a float":                                   "not a number",
	"ERR XX and NX options at the same time are not compatible":         "condition",
	"ERR GT, LT, and/or NX options at the same time are not compatible": "condition",
	"ERR no such key": "no set",
}

// answer is the reply to a command, or its error by the name that outcome has for it.
func answer(c redis.Cmder, reply any) string {
	if c.Err() == nil {
		return fmt.Sprint(reply)
	}
	if name, ok := refusals[c.Err().Error()]; ok {
		return name
	}
	return "error: " + c.Err().Error()
}

// copied is the reply to COPY, which says 0 where there is nothing to copy.
func copied(n *redis.IntCmd, reply any) string {
	if n.Err() == nil && n.Val() == 0 {
		return "no set"
	}
	return answer(n, reply)
}
