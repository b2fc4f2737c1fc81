package apply

import (
	"strings"

	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/zset"
)

// byMember returns the ranks of such an operation, of "revlexpage" reverse ones.
func byMember[S zset.Score](s SetOf[S], op script.Op) (lo, hi int) {
	low, high := MemberBound(op.Low), MemberBound(op.High)
	switch {
	case op.Low == "+" || op.High == "-":
		return 0, 0
	case op.Kind == "lexpage":
		return s.MemberPage(low, high, op.Lo, op.PageSize())
	case op.Kind == "revlexpage":
		return s.RevMemberPage(low, high, op.Lo, op.PageSize())
	}
	return s.MemberInterval(low, high)
}

// MemberBound reads "[a" or "(a"; "-" and "+" are nil, and other words are as with "[".
func MemberBound(word string) *zset.MemberBound {
	if word == "-" || word == "+" {
		return nil
	}
	if member, ok := strings.CutPrefix(word, "("); ok {
		return &zset.MemberBound{Member: []byte(member), Exclusive: true}
	}
	return &zset.MemberBound{Member: []byte(strings.TrimPrefix(word, "["))}
}
