package zset_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/zset"
)

// server runs Redis's commands for sorted sets with package zset. It implements Redis's syntax and errors itself. It never waits: a
// command that would block replies at once that there is nothing.
type server struct {
	later    bool         // speaks the commands of Redis 7.2 and later too
	fixed    bool         // CONFIG SET leaves the options alone
	options  zset.Options // of sets to come
	protocol int          // 2 or 3: how replies are written
	keys     map[string]*value
	multi    bool
	queue    [][]string // commands between MULTI and EXEC
	random   *rand.Rand
	commands map[string]command
	answered map[string]bool // commands that have given more than errors
}

// value is what a key holds: a "zset"; a "set", whose members all have score 1; or a "string", which nothing here reads.
type value struct {
	kind string
	set  *zset.Set
	ttl  int // seconds, as far as they were given: no time passes. -1 for no end
}

// command is how a command is run. arity is the number of words, name included, or minus the smallest such number.
type command struct {
	arity int
	run   func(name string, args []string) (reply, error)
}

func newServer(o zset.Options, seed uint64) *server {
	s := &server{options: o, protocol: 2, keys: map[string]*value{}, answered: map[string]bool{}}
	s.random = rand.New(rand.NewPCG(seed, 0))
	s.commands = map[string]command{}
	for _, some := range []map[string]command{
		s.keyCommands(), s.addCommands(), s.readCommands(), s.rangeCommands(), s.combineCommands(), s.popCommands(),
	} {
		maps.Copy(s.commands, some)
	}
	return s
}

// do runs a command and returns the reply. After MULTI it queues the command.
func (s *server) do(words []string) reply {
	name := strings.ToLower(words[0])
	c, ok := s.commands[name]
	switch {
	case !ok:
		return failure(redisError("ERR unknown command '" + words[0] + "'"))
	case c.arity > 0 && len(words) != c.arity || len(words) < -c.arity:
		return failure(errArity(name))
	case s.multi && name != "exec":
		s.queue = append(s.queue, words)
		return "+QUEUED"
	}
	r, err := c.run(name, words[1:])
	if err != nil {
		return failure(err)
	}
	s.answered[name] = true
	return r
}

// view returns the sorted set at a key, an empty one if there is none.
func (s *server) view(key string) (*zset.View, error) { return s.viewOf(key, "zset") }

// viewOf is view where other kinds will do.
func (s *server) viewOf(key string, kinds ...string) (*zset.View, error) {
	v, ok := s.keys[key]
	switch {
	case !ok:
		return &zset.View{}, nil
	case !slices.Contains(kinds, v.kind):
		return nil, errWrongType
	}
	return v.set.View(), nil
}

// edit changes the set at a key. It creates a missing set first, and removes the key if the set is empty afterwards.
func (s *server) edit(key, kind string, change func(*zset.Set) error) error {
	v, ok := s.keys[key]
	if !ok {
		set, err := zset.New(s.options)
		if err != nil {
			return err
		}
		v = &value{kind: kind, set: set, ttl: -1}
	}
	if v.kind != kind {
		return errWrongType
	}
	err := change(v.set)
	if s.keys[key] = v; v.set.Len() == 0 {
		delete(s.keys, key)
	}
	return err
}

// store replaces the value of a key by a result, or deletes the key if the result is empty. It replies with the size.
func (s *server) store(key string, set *zset.Set) reply {
	delete(s.keys, key)
	if set.Len() > 0 {
		s.keys[key] = &value{kind: "zset", set: set, ttl: -1}
	}
	return integer(set.Len())
}
