package served

import (
	"fmt"
	"time"
)

// The systems that are measured.
const (
	Zrank = "zrank"
	Redis = "redis"
)

// Systems is both.
var Systems = []string{Zrank, Redis}

// Level is what is kept of writes, in the words of both programs.
type Level struct {
	Name, Title string
	zrank       []string // without the directory
	redis       []string
}

// lag is what a power cut may take at Interval, and the only one that Redis has.
const lag = time.Second

// Levels are the levels in the order of the report.
var Levels = []Level{
	{Name: "memory", Title: "memory", zrank: []string{"--memory"}, redis: []string{"--appendonly", "no"}},
	{Name: "interval", Title: "Interval", zrank: []string{"--durability", "interval", "--interval", lag.String()},
		redis: []string{"--appendonly", "yes", "--appendfsync", "everysec"}},
}

// LevelNamed returns the level of a name.
func LevelNamed(name string) (Level, error) {
	for _, l := range Levels {
		if l.Name == name {
			return l, nil
		}
	}
	return Level{}, fmt.Errorf("no level %q", name)
}

// Command is a command that is measured, on a member at random.
type Command struct {
	Name string
	// benchmark is the command in the words of redis-benchmark, where __rand_int__ is a number of 12 digits below the number of members.
	benchmark []string
}

const (
	board = "arena" // the key of the set
	// player is a member in the words of redis-benchmark: workload's.
	player = "player:0__rand_int__"
)

// Commands are the commands in the order of the report.
var Commands = []Command{
	{"ZADD", []string{"ZADD", board, "__rand_int__", player}},
	{"ZINCRBY", []string{"ZINCRBY", board, "1", player}},
	{"ZRANK", []string{"ZRANK", board, player}},
	{"ZSCORE", []string{"ZSCORE", board, player}},
	{"ZRANGE", []string{"ZRANGE", board, "0", "99"}},
}

// Depths are how many commands a connection sends before it reads the replies.
var Depths = []int{16, 1}

// The clients.
const (
	Client    = "client"
	Benchmark = "redis-benchmark"
)

// Clients is both. The first tells how many calls the second should make.
var Clients = []string{Client, Benchmark}

// Connections is how many there are.
const Connections = 50

// Process is the line of the memory at a level.
func (l Level) Process() string { return l.Name + "/process" }

// Line is the name of a spot at a level in the report.
func (l Level) Line(s Spot) string {
	return fmt.Sprintf("%s/%d/%s/%s", l.Name, s.Depth, s.Command.Name, s.Client)
}

// Spot is what one turn measures.
type Spot struct {
	Depth   int
	Command Command
	Client  string
}

// Spots is every spot: each takes its turn after the one before. Without redis-benchmark there are half as many.
func Spots(benchmark bool) (list []Spot) {
	for _, d := range Depths {
		for _, m := range Commands {
			list = append(list, Spot{d, m, Client})
			if benchmark {
				list = append(list, Spot{d, m, Benchmark})
			}
		}
	}
	return list
}

// passes is how many turns a spot has.
const passes = 3

// Turns is how many turns a session has.
func Turns(benchmark bool) int { return passes * len(Spots(benchmark)) }
