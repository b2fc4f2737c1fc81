package servers

import (
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// byMember asks for the ranks of a range by member. The protocol replies with members, so it finds them among all members of the set.
func (a *asker) byMember(op script.Op) (reply func() string) {
	all := a.c.ZRange(a.ctx, op.Key, 0, -1)
	low, high := lexWord(op.Low), lexWord(op.High)
	n := a.c.ZLexCount(a.ctx, op.Key, low, high)
	words := []any{"zrangebylex", op.Key, low, high}
	switch op.Kind {
	case "lexpage":
		words = append(words, "limit", op.Lo, op.PageSize())
	case "revlexpage":
		words = []any{"zrevrangebylex", op.Key, high, low, "limit", op.Lo, op.PageSize()}
	}
	page := list(a.ctx, a.c, words...)
	return func() string {
		found, order := page.Val(), all.Val()
		if op.Kind == "revlexpage" {
			slices.Reverse(order)
		}
		switch {
		case op.Kind == "lex" && n.Val() != int64(len(found)):
			return answers(fmt.Sprintf("%d counted, %d found", n.Val(), len(found)), all, n, page)
		case len(found) == 0:
			return answers("none", all, n, page)
		}
		lo := max(slices.Index(order, found[0]), 0)
		hi := lo + len(found)
		if hi > len(order) || !slices.Equal(order[lo:hi], found) {
			return answers(fmt.Sprintf("%q of %q", found, order), all, n, page)
		}
		return answers(fmt.Sprint(lo, " ", hi), all, n, page)
	}
}

// list sends a command whose reply is a list of strings.
func list(ctx context.Context, c sender, words ...any) *redis.StringSliceCmd {
	cmd := redis.NewStringSliceCmd(ctx, words...)
	_ = c.Process(ctx, cmd) // the error is in cmd too
	return cmd
}

// lexWord writes an end of an interval of members for the protocol.
func lexWord(word string) string {
	b := apply.MemberBound(word)
	switch {
	case b == nil:
		return word // "-" or "+"
	case b.Exclusive:
		return "(" + string(b.Member)
	}
	return "[" + string(b.Member)
}
