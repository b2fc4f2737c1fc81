package boardtest

import (
	"errors"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/rules"
)

// parsePlan reads a PLAN: WINDOW, then words and tiers.
func parsePlan(text string) (p awards.Plan, err error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return p, errors.New("want a window and tiers")
	}
	p.Window = words[0]
	for _, word := range words[1:] {
		name, rest, isTier := strings.Cut(word, ":")
		switch {
		case isTier:
			t, err := parseTier(name, rest)
			if err != nil {
				return p, err
			}
			p.Tiers = append(p.Tiers, t)
		case word == "stack":
			p.Stack = true
		case word == "claim":
			p.Claim = true
		case word == "dropundelivered":
			p.DropUndelivered = true
		case strings.HasPrefix(word, "expires="):
			err = p.Expires.UnmarshalText([]byte(word[len("expires="):]))
		default:
			p.Mode, err = board.ParseMode(word)
		}
		if err != nil {
			return p, err
		}
	}
	return p, nil
}

// parseTier reads WHO[=PAYLOAD]: WHO is RANK, FROM-TO, PERCENT%, @SCORE with commas between columns, or all.
func parseTier(name, text string) (t awards.Tier, err error) {
	who, payload, _ := strings.Cut(text, "=")
	t.Name, t.Payload = name, payload
	switch {
	case who == "all":
		t.Everyone = true
	case strings.HasSuffix(who, "%"):
		t.Percent, err = strconv.ParseFloat(who[:len(who)-1], 64)
	case strings.HasPrefix(who, "@"):
		var values []board.Value
		for text := range strings.SplitSeq(who[1:], ",") {
			v, bad := rules.ParseValue(text)
			values, err = append(values, v), errors.Join(err, bad)
		}
		score := board.Values(values...)
		t.Score = &score
	default:
		from, to, isRange := strings.Cut(who, "-")
		if t.From, err = strconv.Atoi(from); err == nil && isRange {
			t.To, err = strconv.Atoi(to)
		}
	}
	return t, err
}
