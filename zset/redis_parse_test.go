package zset_test

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/zset"
)

// strtod reads a number as C does. A number out of range gives an infinity, or 0, and an error that wraps
// strconv.ErrRange.
func strtod(s string) (float64, error) {
	lower := strings.ToLower(s)
	if strings.Contains(lower, "_") {
		return 0, strconv.ErrSyntax
	}
	if strings.Contains(lower, "0x") && !strings.Contains(lower, "p") {
		lower += "p0"
	}
	f, err := strconv.ParseFloat(lower, 64)
	exponent := "e"
	if strings.Contains(lower, "0x") { // where e is a digit
		exponent = "p"
	}
	mantissa, _, _ := strings.Cut(lower, exponent)
	if err == nil && f == 0 && strings.ContainsAny(mantissa, "123456789abcdef") {
		return 0, strconv.ErrRange
	}
	return f, err
}

// parseScore reads what ZADD, ZINCRBY and WEIGHTS take as a number.
func parseScore(s string) (float64, error) {
	f, err := strtod(s)
	if err != nil || math.IsNaN(f) {
		return 0, errNotFloat
	}
	return f, nil
}

// parseInt64 reads an integer as Redis does: it accepts only the text that Redis itself would write.
func parseInt64(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != s {
		return 0, errNotInteger
	}
	return n, nil
}

// parseInt is parseInt64 for an int. If an int has 32 bits, it clamps the number to a range that is symmetric around 0.
func parseInt(s string) (int, error) {
	n, err := parseInt64(s)
	if int64(int(n)) != n {
		n = max(min(n, math.MaxInt), -math.MaxInt)
	}
	return int(n), err
}

// parseAtLeast reads an integer with a lower bound. It returns the given error for any invalid text.
func parseAtLeast(lowest int, s string, otherwise error) (int, error) {
	n, err := parseInt(s)
	if err != nil || n < lowest {
		return 0, otherwise
	}
	return n, nil
}

// interval is what two bounds mean in a set.
type interval func(*zset.View) (lo, hi int)

// bounds reads two bounds, the lower one first. Redis refuses bad ones before it looks at the key.
type bounds func(low, high string) (interval, error)

func byRank(low, high string) (interval, error) {
	start, stop, err := both(parseInt, low, high)
	return func(v *zset.View) (int, int) { return v.RankInterval(start, stop) }, err
}

func byScore(low, high string) (interval, error) {
	from, to, err := both(parseBound, low, high)
	return func(v *zset.View) (int, int) { return v.ScoreInterval(from, to) }, err
}

// both reads two bounds. The first error counts.
func both[T any](parse func(string) (T, error), low, high string) (from, to T, err error) {
	if from, err = parse(low); err == nil {
		to, err = parse(high)
	}
	return from, to, err
}

// parseBound reads an end of an interval of scores. No text at all is 0, space before it does not matter, and a number out
// of range is infinite.
func parseBound(s string) (zset.Bound, error) {
	s, exclusive := strings.CutPrefix(s, "(")
	s = strings.TrimLeft(s, " ")
	if s == "" {
		s = "0"
	}
	f, err := strtod(s)
	if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(f) {
		return zset.Bound{}, errBoundNotFloat
	}
	return zset.Bound{Score: f, Exclusive: exclusive}, nil
}

// byMember is MemberInterval.
func byMember(low, high string) (interval, error) {
	from, to, nothing, err := parseMemberBounds(low, high)
	return func(v *zset.View) (int, int) {
		if nothing {
			return 0, 0
		}
		return v.MemberInterval(from, to)
	}, err
}

// parseMemberBounds reads two bounds by member. "-" is before all members, and "+" after all. In zset "-" as lower and "+" as upper bound
// are nil. With "+" as lower or "-" as upper bound the interval is empty.
func parseMemberBounds(low, high string) (from, to *zset.MemberBound, nothing bool, err error) {
	if from, err = parseMemberBound(low); err == nil {
		to, err = parseMemberBound(high)
	}
	return from, to, low == "+" || high == "-", err
}

func parseMemberBound(s string) (*zset.MemberBound, error) {
	switch {
	case s == "-" || s == "+":
		return nil, nil
	case strings.HasPrefix(s, "[") || strings.HasPrefix(s, "("):
		return &zset.MemberBound{Member: []byte(s[1:]), Exclusive: s[0] == '('}, nil
	}
	return nil, errBoundNotMember
}
