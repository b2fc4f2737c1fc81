package zset_test

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/zset"
)

// readCommands are the commands that read members by name, or all members.
func (s *server) readCommands() map[string]command {
	return map[string]command{
		"zcard":    {2, s.zcard},
		"zscore":   {3, s.zscore},
		"zmscore":  {-3, s.zmscore},
		"zrank":    {-3, s.zrank},
		"zrevrank": {-3, s.zrank},
		"zscan":    {-3, s.zscan},
	}
}

func (s *server) zcard(_ string, args []string) (reply, error) {
	v, err := s.view(args[0])
	if err != nil {
		return "", err
	}
	return integer(v.Len()), nil
}

func (s *server) zscore(_ string, args []string) (reply, error) {
	v, err := s.view(args[0])
	if err != nil {
		return "", err
	}
	return s.scoreOrNull(v.Score([]byte(args[1]))), nil
}

func (s *server) zmscore(_ string, args []string) (reply, error) {
	v, err := s.view(args[0])
	if err != nil {
		return "", err
	}
	var members [][]byte
	for _, member := range args[1:] {
		members = append(members, []byte(member))
	}
	var items []reply
	for _, score := range v.MultiScore(nil, members...) {
		items = append(items, s.scoreOrNull(score.Score, score.OK))
	}
	return array(items), nil
}

// zrank is ZREVRANK too. WITHSCORE came with Redis 7.2.
func (s *server) zrank(name string, args []string) (reply, error) {
	withScore := len(args) > 2
	switch {
	case len(args) > 3 || withScore && !s.later:
		return "", errArity(name)
	case withScore && !strings.EqualFold(args[2], "withscore"):
		return "", errSyntax
	}
	v, err := s.view(args[0])
	if err != nil {
		return "", err
	}
	if withScore {
		return s.rankScore(v, name == "zrevrank", args[1]), nil
	}
	find := v.Rank
	if name == "zrevrank" {
		find = v.RevRank
	}
	rank, ok := find([]byte(args[1]))
	if !ok {
		return s.null(), nil
	}
	return integer(rank), nil
}

func (s *server) rankScore(v *zset.View, reverse bool, member string) reply {
	rank, score, ok := v.RankScore([]byte(member))
	if !ok {
		return s.nullArray()
	}
	if reverse {
		rank = v.Len() - 1 - rank
	}
	return array([]reply{integer(rank), s.score(score)})
}

// scan runs a scan to its end, as a listpack does in one call. It returns the entries in the order of a listpack, because the recordings
// have that order.
func scan(v *zset.View, cursor uint64, count int) (list []zset.Entry, next uint64) {
	for list, next = v.AppendScan(nil, cursor, count); next != 0; {
		list, next = v.AppendScan(list, next, count)
	}
	slices.SortFunc(list, func(a, b zset.Entry) int {
		return cmp.Or(cmp.Compare(a.Score, b.Score), bytes.Compare(a.Member, b.Member))
	})
	return list, next
}

// zscan runs ZSCAN with MATCH and COUNT.
func (s *server) zscan(_ string, args []string) (reply, error) {
	cursor, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		return "", errCursor
	}
	v, err := s.view(args[0])
	if err != nil {
		return "", err
	}
	pattern, count := "*", 10
	if v.Len() > 0 { // Redis reads no options where there is nothing to scan
		if pattern, count, err = scanOptions(args[2:]); err != nil {
			return "", err
		}
	}
	list, next := scan(v, cursor, count)
	var items []reply
	for _, e := range list {
		if ok, _ := path.Match(pattern, string(e.Member)); ok {
			items = append(items, text(e.Member), text([]byte(storedText(e.Score))))
		}
	}
	return array([]reply{text(strconv.AppendUint(nil, next, 10)), array(items)}), nil
}

func scanOptions(words []string) (pattern string, count int, err error) {
	pattern, count = "*", 10
	for ; len(words) >= 2; words = words[2:] {
		switch strings.ToLower(words[0]) {
		case "match":
			pattern = words[1]
		case "count":
			if count, err = parseInt(words[1]); err != nil {
				return "", 0, err
			}
			if count < 1 {
				return "", 0, errSyntax
			}
		default:
			return "", 0, errSyntax
		}
	}
	if len(words) > 0 {
		return "", 0, errSyntax
	}
	return pattern, count, nil
}
