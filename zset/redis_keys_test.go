package zset_test

import (
	"strings"

	"github.com/zrankdb/zrank/zset"
)

// keyCommands are the commands that the files in testdata use besides those for sorted sets.
func (s *server) keyCommands() map[string]command {
	return map[string]command{
		"flushall": {-1, s.flushAll},
		"del":      {-2, s.del},
		"exists":   {2, s.exists},
		"type":     {2, s.typeOf},
		"set":      {3, s.set},
		"sadd":     {-3, s.sadd},
		"expire":   {3, s.expire},
		"ttl":      {2, s.ttl},
		"object":   {3, s.objectEncoding},
		"config":   {4, s.configSet},
		"debug":    {2, s.debugReload},
		"hello":    {2, s.hello},
		"multi":    {1, s.begin},
		"exec":     {1, s.exec},
	}
}

func (s *server) flushAll(string, []string) (reply, error) {
	clear(s.keys)
	return "+OK", nil
}

func (s *server) del(_ string, args []string) (reply, error) {
	before := len(s.keys)
	for _, key := range args {
		delete(s.keys, key)
	}
	return integer(before - len(s.keys)), nil
}

func (s *server) exists(_ string, args []string) (reply, error) {
	if s.keys[args[0]] == nil {
		return integer(0), nil
	}
	return integer(1), nil
}

func (s *server) typeOf(_ string, args []string) (reply, error) {
	if v := s.keys[args[0]]; v != nil {
		return reply("+" + v.kind), nil
	}
	return "+none", nil
}

func (s *server) set(_ string, args []string) (reply, error) {
	s.keys[args[0]] = &value{kind: "string", ttl: -1}
	return "+OK", nil
}

func (s *server) sadd(_ string, args []string) (reply, error) {
	n := 0
	err := s.edit(args[0], "set", func(set *zset.Set) error {
		for _, member := range args[1:] {
			added, err := set.Add([]byte(member), 1)
			if err != nil {
				return err
			}
			if added {
				n++
			}
		}
		return nil
	})
	return integer(n), err
}

func (s *server) expire(_ string, args []string) (reply, error) {
	seconds, err := parseInt(args[1])
	v := s.keys[args[0]]
	if err != nil || v == nil {
		return integer(0), err
	}
	v.ttl = seconds
	return integer(1), nil
}

func (s *server) ttl(_ string, args []string) (reply, error) {
	if v := s.keys[args[0]]; v != nil {
		return integer(v.ttl), nil
	}
	return integer(-2), nil
}

func (s *server) objectEncoding(_ string, args []string) (reply, error) {
	v := s.keys[args[1]]
	switch {
	case !strings.EqualFold(args[0], "encoding"):
		return "", errSyntax
	case v == nil:
		return s.null(), nil
	case v.kind != "zset":
		return "", errWrongType
	}
	return text([]byte(v.set.Encoding())), nil
}

// configSet sets the listpack thresholds. Redis's 0 is a negative number in Options.
func (s *server) configSet(_ string, args []string) (reply, error) {
	n, err := parseInt(args[2])
	if err != nil {
		return "", err
	}
	o := s.options
	switch strings.ToLower(args[1]) {
	case "zset-max-listpack-entries", "zset-max-ziplist-entries":
		if o.MaxListpackEntries = n; n == 0 {
			o.MaxListpackEntries = -1
		}
	case "zset-max-listpack-value", "zset-max-ziplist-value":
		if o.MaxListpackMember = n; n == 0 {
			o.MaxListpackMember = -1
		}
	default:
		return "", redisError("ERR Unknown option or number of arguments for CONFIG SET - '" + args[1] + "'")
	}
	if s.fixed {
		return "+OK", nil
	}
	s.options = o
	for _, v := range s.keys {
		if v.set != nil {
			v.set.SetListpack(o.Listpack())
		}
	}
	return "+OK", nil
}

// debugReload writes every set to pages and reads it back, with the current thresholds.
func (s *server) debugReload(string, []string) (reply, error) {
	for _, v := range s.keys {
		if v.set == nil {
			continue
		}
		b, err := zset.NewBuilder(s.options)
		if err != nil {
			return "", err
		}
		for i := range v.set.Pages() {
			if err := b.LoadPage(v.set.AppendPage(nil, i)); err != nil {
				return "", err
			}
		}
		v.set = b.Set()
	}
	return "+OK", nil
}

func (s *server) hello(_ string, args []string) (reply, error) {
	n, err := parseInt(args[0])
	s.protocol = n
	return "+OK", err
}

func (s *server) begin(string, []string) (reply, error) {
	s.multi = true
	return "+OK", nil
}

func (s *server) exec(string, []string) (reply, error) {
	queue := s.queue
	s.multi, s.queue = false, nil
	var items []reply
	for _, words := range queue {
		items = append(items, s.do(words))
	}
	return array(items), nil
}
