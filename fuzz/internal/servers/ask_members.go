package servers

import (
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// byMember asks for the ranks of a range by member. The protocol replies with members; byMember finds their ranks in a list of all members.
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
		inRange, members := page.Val(), all.Val()
		if op.Kind == "revlexpage" {
			slices.Reverse(members)
		}
		switch {
		case op.Kind == "lex" && n.Val() != int64(len(inRange)):
			return answers(fmt.Sprintf("%d counted, %d found", n.Val(), len(inRange)), all, n, page)
		case len(inRange) == 0:
			return answers("none", all, n, page)
		}
		lo := max(slices.Index(members, inRange[0]), 0)
		hi := lo + len(inRange)
		if hi > len(members) || !slices.Equal(members[lo:hi], inRange) { // the range is not a run of members
			return answers(fmt.Sprintf("%q of %q", inRange, members), all, n, page)
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
