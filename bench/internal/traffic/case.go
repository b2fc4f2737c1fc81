package traffic

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// The systems that are measured.
const (
	Zrank     = "zrank"    // a transaction for each call
	Batched   = "zrank/16" // 16 calls in a transaction
	Bytedance = "bytedance"
	Redis     = "redis"    // one command at a time
	Pipelined = "redis/16" // 16 commands at a time
)

// together is how many calls Batched has in a transaction, and how many commands Pipelined sends before it reads the replies.
const together = 16

// level is what a write waits for, or what is flushed behind its back, in the words of zrank and of Redis.
type level struct {
	title string
	disk  bool
	zrank engine.Options
	redis []string
}

// lag is what may be lost in a power cut at Interval, and the only one that Redis has.
const lag = time.Second

var (
	memory   = level{title: "memory", redis: []string{"--appendonly", "no"}}
	interval = level{title: "Interval", disk: true, zrank: engine.Options{Durability: engine.Interval, Interval: lag},
		redis: []string{"--appendonly", "yes", "--appendfsync", "everysec"}}
	waits = level{title: "Sync", disk: true, zrank: engine.Options{Durability: engine.Sync},
		redis: []string{"--appendonly", "yes", "--appendfsync", "always"}}
)

// Case is a keyspace at a level.
type Case struct {
	Name    string
	Systems []string
	hot     bool // one set of all members
	level   level
}

// Cases is every case, in the order of the report.
var Cases = []Case{
	{Name: "hot/memory", Systems: inMemory, hot: true, level: memory},
	{Name: "hot/interval", Systems: onDisk, hot: true, level: interval},
	{Name: "hot/sync", Systems: onDisk, hot: true, level: waits},
	{Name: "many/memory", Systems: inMemory, level: memory},
	{Name: "many/interval", Systems: onDisk, level: interval},
	{Name: "many/sync", Systems: onDisk, level: waits},
}

var (
	inMemory = []string{Zrank, Bytedance, Redis, Batched, Pipelined}
	onDisk   = []string{Zrank, Redis, Batched, Pipelined}
)

// Ours returns the system of ours that makes its calls as a peer does, and false for ours themselves.
func Ours(system string) (string, bool) {
	switch system {
	case Bytedance, Redis:
		return Zrank, true
	case Pipelined:
		return Batched, true
	}
	return "", false
}

// Named returns the case of a name.
func Named(name string) (Case, error) {
	for _, c := range Cases {
		if c.Name == name {
			return c, nil
		}
	}
	return Case{}, fmt.Errorf("no case %q", name)
}

// OfRedis reports whether a system needs a redis-server.
func OfRedis(system string) bool { return system == Redis || system == Pipelined }

// Describe says what a case is, at most 30 characters.
func (c Case) Describe() string {
	if c.hot {
		return "one set, " + c.level.title
	}
	return "many sets, " + c.level.title
}

// Mix is how many of 100 calls are writes.
type Mix struct {
	Title  string
	writes int
}

// Mixes are the mixes of reads and writes, and Callers the numbers of goroutines, in the order of the report.
var (
	Mixes   = []Mix{{"50/50", 50}, {"95/5", 5}}
	Callers = []int{1, 2, 4, 8}
)

// Spots is how many lines a case has: each takes its turn after the one before.
var Spots = len(Mixes) * len(Callers)

// Turns is how many turns a session has.
var Turns = passes * Spots

// passes is how many turns a spot has.
const passes = 5

// Line is the name of a spot of a case in the report.
func (c Case) Line(m Mix, callers int) string {
	return fmt.Sprintf("%s/%s/%d", c.Name, m.Title, callers)
}
