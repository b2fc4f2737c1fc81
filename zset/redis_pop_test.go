package zset_test

import (
	"math"
	"strings"

	"github.com/zrankdb/zrank/zset"
)

// popCommands are the commands that remove entries from either end, or return random ones.
func (s *server) popCommands() map[string]command {
	return map[string]command{
		"zpopmin":     {-2, s.zpop},
		"zpopmax":     {-2, s.zpop},
		"bzpopmin":    {-3, s.bzpop},
		"bzpopmax":    {-3, s.bzpop},
		"zmpop":       {-4, s.zmpop},
		"bzmpop":      {-5, s.bzmpop},
		"zrandmember": {-2, s.zrandmember},
	}
}

// pop removes up to n entries of the set at a key.
func (s *server) pop(key string, n int, highest bool) (list []zset.Entry, err error) {
	err = s.edit(key, "zset", func(set *zset.Set) error {
		if highest {
			list = set.PopMax(nil, n)
		} else {
			list = set.PopMin(nil, n)
		}
		return nil
	})
	return list, err
}

// zpop replies with a flat list of entries, or in RESP3 with pairs if a count is given.
func (s *server) zpop(name string, args []string) (reply, error) {
	if len(args) > 2 {
		return "", errSyntax
	}
	n := 1
	if len(args) == 2 {
		var err error
		if n, err = parseAtLeast(0, args[1], errPositive); err != nil {
			return "", err
		}
	}
	list, err := s.pop(args[0], n, name == "zpopmax")
	if err != nil {
		return "", err
	}
	if len(args) == 1 && len(list) == 1 {
		return array([]reply{text(list[0].Member), s.score(list[0].Score)}), nil
	}
	return s.entries(list, true), nil
}

// checkTimeout returns Redis's error for an invalid timeout. Like Redis, it treats a timeout that is too long as negative.
func checkTimeout(word string) error {
	f, err := parseScore(word)
	switch {
	case err != nil:
		return errTimeout
	case f < 0 || f >= 1<<63:
		return errTimeoutSign
	}
	return nil
}

func (s *server) bzpop(name string, args []string) (reply, error) {
	keys, timeout := args[:len(args)-1], args[len(args)-1]
	if err := checkTimeout(timeout); err != nil {
		return "", err
	}
	for _, key := range keys {
		list, err := s.pop(key, 1, name == "bzpopmax")
		if err != nil {
			return "", err
		}
		if len(list) > 0 {
			return array([]reply{text([]byte(key)), text(list[0].Member), s.score(list[0].Score)}), nil
		}
	}
	return s.nullArray(), nil
}

func (s *server) bzmpop(name string, args []string) (reply, error) {
	if err := checkTimeout(args[0]); err != nil {
		return "", err
	}
	return s.zmpop(name, args[1:])
}

// zmpop runs ZMPOP: it pops from the first of several keys that has a set with entries.
func (s *server) zmpop(_ string, args []string) (reply, error) {
	n, err := parseAtLeast(1, args[0], errNumKeys)
	if err != nil {
		return "", err
	}
	if n >= len(args)-1 {
		return "", errSyntax
	}
	where := strings.ToLower(args[n+1])
	if where != "min" && where != "max" {
		return "", errSyntax
	}
	count := 1
	if options := args[n+2:]; len(options) > 0 {
		if !strings.EqualFold(options[0], "count") || len(options) == 1 {
			return "", errSyntax
		}
		if count, err = parseAtLeast(1, options[1], errCount); err != nil {
			return "", err
		}
		if len(options) > 2 {
			return "", errSyntax
		}
	}
	for _, key := range args[1 : n+1] {
		list, err := s.pop(key, count, where == "max")
		if err != nil {
			return "", err
		}
		if len(list) > 0 {
			return array([]reply{text([]byte(key)), s.pairs(list)}), nil
		}
	}
	return s.nullArray(), nil
}

func (s *server) zrandmember(_ string, args []string) (reply, error) {
	count, withScores, err := drawOptions(args[1:])
	if err != nil {
		return "", err
	}
	v, err := s.view(args[0])
	if err != nil {
		return "", err
	}
	if len(args) > 1 {
		return s.entries(v.AppendRandom(nil, s.random, count), withScores), nil
	}
	member, _, ok := v.Random(s.random)
	if !ok {
		return s.null(), nil
	}
	return text(member), nil
}

// drawOptions reads the arguments of ZRANDMEMBER after the key, and returns the errors of Redis.
func drawOptions(words []string) (count int, withScores bool, err error) {
	if len(words) == 0 {
		return 0, false, nil
	}
	wide, err := parseInt64(words[0])
	if err != nil {
		return 0, false, err
	}
	count, _ = parseInt(words[0])
	withScores = len(words) == 2 && strings.EqualFold(words[1], "withscores")
	switch {
	case wide == math.MinInt64:
		return 0, false, errLongRange
	case len(words) > 1 && !withScores:
		return 0, false, errSyntax
	case withScores && (wide < -math.MaxInt64/2 || wide > math.MaxInt64/2):
		return 0, false, errRange
	}
	return count, withScores, nil
}
