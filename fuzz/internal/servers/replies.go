package servers

import (
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/zset"
)

// interval writes the ranks of an interval from its length and the number of members below it.
func interval(n, below *redis.IntCmd) string {
	if n.Err() == nil && n.Val() == 0 {
		return "none"
	}
	return answers(fmt.Sprint(below.Val(), below.Val()+n.Val()), n, below)
}

// none returns "none" if the server refused the interval with the given text.
func none(got, text string) string {
	if got == "error: "+text {
		return "none"
	}
	return got
}

// shown writes entries as apply.EntriesText does.
func shown(zs []redis.Z) string {
	var entries []zset.Entry
	for _, z := range zs {
		entries = append(entries, zset.Entry{Member: []byte(z.Member.(string)), Score: z.Score})
	}
	return apply.EntriesText(entries)
}

// answers returns a reply that is made of several commands, or the error of the first that failed.
func answers(reply any, cmds ...redis.Cmder) string {
	for _, c := range cmds {
		if c.Err() != nil {
			return answer(c, "")
		}
	}
	return fmt.Sprint(reply)
}

// refusals are the errors that clients are promised, with the names of apply.Outcome.
var refusals = map[string]string{
	"ERR value is not a valid float":                                    "not a number",
	"ERR resulting score is not a number (NaN)":                         "not a number",
	"ERR weight value is not a float":                                   "not a number",
	"ERR XX and NX options at the same time are not compatible":         "condition",
	"ERR GT, LT, and/or NX options at the same time are not compatible": "condition",
	"ERR no such key": "no set",
}

// answer returns the reply to a command, or the name of its error.
func answer(c redis.Cmder, reply any) string {
	if c.Err() == nil {
		return fmt.Sprint(reply)
	}
	if name, ok := refusals[c.Err().Error()]; ok {
		return name
	}
	return "error: " + c.Err().Error()
}

// copied returns the reply to COPY, which is 0 if there is nothing to copy.
func copied(n *redis.IntCmd, reply any) string {
	if n.Err() == nil && n.Val() == 0 {
		return "no set"
	}
	return answer(n, reply)
}
