package script

import (
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/zset"
)

// Op is one operation. Fields that its kind does not have are zero.
type Op struct {
	Kind   string
	Key    string
	Other  string // a second key
	To     string // the key that gets the result
	Member string
	Score  float64
	Step   float64
	Tie    uint64
	Lo, Hi int
	Low    string // ends of an interval of scores ("5", "(5") or members ("[a", "(a", "-", "+")
	High   string
	How    string // a condition: nx, xx, gt, lt, several joined by +, or -; or an aggregate: sum, min, max, count
}

// field returns a pointer to the field that holds the argument with a letter.
func (op *Op) field(arg rune) any {
	switch arg {
	case 'k', 'B':
		return &op.Key
	case 'o', 'Q':
		return &op.Other
	case 'd':
		return &op.To
	case 'w':
		return &op.How
	case 'm', 'P', 'M', 'Z':
		return &op.Member
	case 'f':
		return &op.Score
	case 'g':
		return &op.Step
	case 't':
		return &op.Tie
	case 'i', 'A', 'U':
		return &op.Lo
	case 'j', 'V', 'T':
		return &op.Hi
	case 'l', 'W', 'O', 'D':
		return &op.Low
	case 'h', 'S', 'X', 'Y', 'L':
		return &op.High
	}
	panic("fuzz: no argument has the letter " + string(arg))
}

// String returns the operation as a line that Parse reads.
func (op Op) String() string {
	words := []string{op.Kind}
	for _, a := range kindOf[op.Kind].args {
		switch v := op.field(a).(type) {
		case *string:
			words = append(words, quote(*v))
		case *float64:
			words = append(words, Number(*v))
		case *uint64:
			words = append(words, strconv.FormatUint(*v, 10))
		case *int:
			words = append(words, strconv.Itoa(*v))
		}
	}
	return strings.Join(words, " ")
}

// Number writes a score. Two scores have the same text only if all their bits are equal.
func Number[S zset.Score](score S) string {
	if n, ok := any(score).(int64); ok {
		return strconv.FormatInt(n, 10)
	}
	return strconv.FormatFloat(float64(score), 'g', -1, 64)
}

// quote writes a text as one word.
func quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.:+-([", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return strconv.Quote(s)
}

// PageSize returns the most members that a page may have; a negative number is no limit.
func (op Op) PageSize() int { return op.Hi - op.Lo - 1 }

// Begin is the time at which scripts begin: F7.
var Begin = time.Unix(1_000_000_000, 0)

// Sleep returns how long the operation sleep lasts. Time never goes back.
func (op Op) Sleep() time.Duration { return time.Duration(max(op.Lo, 0)) * time.Second }

// Is reports whether the operation has one of the traits.
func (op Op) Is(t trait) bool { return kindOf[op.Kind].traits&t != 0 }

// Skipped reports whether a transaction skips the operation: F3.
func (op Op) Skipped() bool { return op.Is(Alone | Between) }

// Keys returns the keys of the sets that the operation is about.
func (op Op) Keys() (keys []string) {
	for _, a := range kindOf[op.Kind].args {
		if strings.ContainsRune("kod", a) && !op.Is(Private) {
			keys = append(keys, *op.field(a).(*string))
		}
	}
	return keys
}
