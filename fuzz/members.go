package fuzz

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/zset"
)

// Operations on ranges by member: in sets, and as commands.

// byMember returns the ranks of such an operation, of "revlexpage" reverse ones.
func byMember[S zset.Score](s setOf[S], op Op) (lo, hi int) {
	low, high := memberBound(op.Low), memberBound(op.High)
	switch {
	case op.Low == "+" || op.High == "-":
		return 0, 0
	case op.Kind == "lexpage":
		return s.MemberPage(low, high, op.Lo, op.count())
	case op.Kind == "revlexpage":
		return s.RevMemberPage(low, high, op.Lo, op.count())
	}
	return s.MemberInterval(low, high)
}

// count is how many members a page may have; negative numbers are no limit.
func (op Op) count() int { return op.Hi - op.Lo - 1 }

// memberBound reads "[a" or "(a"; "-" and "+" are nil, and other words are as with "[".
func memberBound(word string) *zset.MemberBound {
	if word == "-" || word == "+" {
		return nil
	}
	if member, ok := strings.CutPrefix(word, "("); ok {
		return &zset.MemberBound{Member: []byte(member), Exclusive: true}
	}
	return &zset.MemberBound{Member: []byte(strings.TrimPrefix(word, "["))}
}

// byMember asks for the ranks of a range by member. Clients are told no ranks but members, which it looks for in all of them.
func (a *asker) byMember(op Op) (reply func() string) {
	all := a.c.ZRange(a.ctx, op.Key, 0, -1)
	low, high := lexWord(op.Low), lexWord(op.High)
	n := a.c.ZLexCount(a.ctx, op.Key, low, high)
	words := []any{"zrangebylex", op.Key, low, high}
	switch op.Kind {
	case "lexpage":
		words = append(words, "limit", op.Lo, op.count())
	case "revlexpage":
		words = []any{"zrevrangebylex", op.Key, high, low, "limit", op.Lo, op.count()}
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

// list sends a command that is answered with a list of words.
func list(ctx context.Context, c sender, words ...any) *redis.StringSliceCmd {
	cmd := redis.NewStringSliceCmd(ctx, words...)
	_ = c.Process(ctx, cmd) // its error is the command's
	return cmd
}

// lexWord is an end of an interval of members as the protocol has it.
func lexWord(word string) string {
	b := memberBound(word)
	switch {
	case b == nil:
		return word // "-" or "+"
	case b.Exclusive:
		return "(" + string(b.Member)
	}
	return "[" + string(b.Member)
}
