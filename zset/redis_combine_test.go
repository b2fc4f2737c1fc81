package zset_test

import (
	"strings"

	"github.com/zrankdb/zrank/zset"
)

// combineCommands are the ones that make one set of several.
func (s *server) combineCommands() map[string]command {
	return map[string]command{
		"zunion":      {-3, s.combine},
		"zinter":      {-3, s.combine},
		"zdiff":       {-3, s.combine},
		"zintercard":  {-3, s.combine},
		"zunionstore": {-4, s.combineStore},
		"zinterstore": {-4, s.combineStore},
		"zdiffstore":  {-4, s.combineStore},
	}
}

// combination is a set operation and its options.
type combination struct {
	name       string // without STORE
	store      bool
	later      bool
	sets       []*zset.View
	how        zset.Combine[float64]
	withScores bool
	limit      int // of ZINTERCARD
}

func (s *server) combine(name string, args []string) (reply, error) {
	c := combination{name: name, later: s.later}
	if err := c.parse(s, name, args); err != nil {
		return "", err
	}
	if name == "zintercard" {
		return integer(zset.InterCard(c.limit, c.sets...)), nil
	}
	set, err := c.run(s.options)
	if err != nil {
		return "", err
	}
	return s.entries(set.Append(nil, 0, set.Len()), c.withScores), nil
}

func (s *server) combineStore(name string, args []string) (reply, error) {
	c := combination{name: strings.TrimSuffix(name, "store"), store: true, later: s.later}
	if err := c.parse(s, name, args[1:]); err != nil {
		return "", err
	}
	set, err := c.run(s.options)
	if err != nil {
		return "", err
	}
	return s.store(args[0], set), nil
}

func (c *combination) run(o zset.Options) (*zset.Set, error) {
	switch c.name {
	case "zunion":
		return zset.Union(o, c.how, c.sets...)
	case "zinter":
		return zset.Inter(o, c.how, c.sets...)
	default:
		return zset.Diff(o, c.sets[0], c.sets[1:]...)
	}
}

// parse reads the number of keys, the sets and then the options, in the order in which Redis reports errors.
func (c *combination) parse(s *server, name string, args []string) error {
	n, err := parseInt(args[0])
	switch {
	case err != nil:
		return err
	case n < 1:
		return errNoKeys(name)
	case n > len(args)-1:
		return errSyntax
	}
	for _, key := range args[1 : n+1] {
		v, err := s.viewOf(key, "zset", "set")
		if err != nil {
			return err
		}
		c.sets = append(c.sets, v)
	}
	for words := args[n+1:]; len(words) > 0; {
		if words, err = c.option(words); err != nil {
			return err
		}
	}
	return nil
}

// option reads one option and returns the words after it.
func (c *combination) option(words []string) (left []string, err error) {
	scored := c.name == "zunion" || c.name == "zinter"
	switch word := strings.ToLower(words[0]); {
	case word == "weights" && scored && len(words) > len(c.sets):
		return words[1+len(c.sets):], c.weights(words[1 : 1+len(c.sets)])
	case word == "aggregate" && scored && len(words) >= 2:
		return words[2:], c.aggregate(strings.ToLower(words[1]))
	case word == "withscores" && !c.store && c.name != "zintercard":
		c.withScores = true
		return words[1:], nil
	case word == "limit" && c.name == "zintercard" && len(words) >= 2:
		c.limit, err = parseAtLeast(0, words[1], errInterLimit)
		return words[2:], err
	}
	return nil, errSyntax
}

func (c *combination) weights(words []string) error {
	c.how.Weights = nil
	for _, word := range words {
		weight, err := parseScore(word)
		if err != nil {
			return errWeight
		}
		c.how.Weights = append(c.how.Weights, weight)
	}
	return nil
}

// aggregate sets the aggregate. COUNT exists only in Redis 8.8 and later.
func (c *combination) aggregate(word string) error {
	known := map[string]zset.Aggregate{"sum": zset.Sum, "min": zset.Min, "max": zset.Max}
	if c.later {
		known["count"] = zset.Count
	}
	a, ok := known[word]
	if !ok {
		return errSyntax
	}
	c.how.Aggregate = a
	return nil
}
