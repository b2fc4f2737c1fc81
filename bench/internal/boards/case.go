package boards

import (
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// The systems that are measured.
const (
	Zrank     = "zrank"     // Board.Submit
	Sets      = "sets"      // three sets of this engine, in one transaction
	Bytedance = "bytedance" // three sets under one lock
	Redis     = "redis"     // three commands and three ranks between MULTI and EXEC
	// 100 submissions in one transaction, which ask for no ranks.
	Applied    = "apply/100" // InTx.Apply
	Increments = "sets/100"
	Pipelined  = "redis/100"
)

// together is how many submissions those have in a transaction.
const together = 100

// Ours returns the system of ours that makes its calls as a peer does, and false for ours themselves.
func Ours(system string) (string, bool) {
	switch system {
	case Sets, Bytedance, Redis:
		return Zrank, true
	case Increments, Pipelined:
		return Applied, true
	}
	return "", false
}

// OfRedis reports whether a system needs a redis-server.
func OfRedis(system string) bool { return strings.HasPrefix(system, Redis) }

// Level is what a submission waits for, or what is flushed behind its back, in the words of zrank and of Redis.
type Level struct {
	Name    string
	Title   string
	Systems []string
	disk    bool
	zrank   engine.Options
	redis   []string
}

// lag is what may be lost in a power cut at Interval, and the only one that Redis has.
const lag = time.Second

// Levels is every level, in the order of the report.
var Levels = []Level{
	{Name: "memory", Title: "memory", Systems: []string{Zrank, Sets, Bytedance, Redis, Applied, Increments, Pipelined},
		redis: []string{"--appendonly", "no"}},
	{Name: "interval", Title: "Interval", Systems: onDisk, disk: true,
		zrank: engine.Options{Durability: engine.Interval, Interval: lag}, redis: []string{"--appendonly", "yes", "--appendfsync", "everysec"}},
	{Name: "sync", Title: "Sync", Systems: onDisk, disk: true,
		zrank: engine.Options{Durability: engine.Sync}, redis: []string{"--appendonly", "yes", "--appendfsync", "always"}},
}

var onDisk = []string{Zrank, Sets, Redis, Applied, Increments, Pipelined}

// LevelNamed returns the level of a name.
func LevelNamed(name string) (Level, error) {
	for _, l := range Levels {
		if l.Name == name {
			return l, nil
		}
	}
	return Level{}, fmt.Errorf("no level %q", name)
}

// Kind is what is called: submissions of players drawn in some way, or cards in some rank mode.
type Kind struct {
	Title string
	Card  bool
	mode  board.Mode
	zipf  bool
}

// Kinds is every kind, in the order of the report, and Callers the numbers of callers.
var (
	Kinds = []Kind{
		{Title: "submits, uniform"},
		{Title: "submits, hot tail", zipf: true},
		{Title: "cards, ordinal", Card: true, mode: board.Ordinal},
		{Title: "cards, competition", Card: true, mode: board.Competition},
		{Title: "cards, modified", Card: true, mode: board.Modified},
		{Title: "cards, dense", Card: true, mode: board.Dense},
	}
	Callers = []int{1, 16}
)

// Has reports whether a system makes calls of a kind: cards are read in memory only, and by peers in ordinal ranks, the only ones
// that they have.
func (l Level) Has(system string, k Kind) bool {
	switch {
	case !k.Card:
		return true
	case l.disk:
		return false
	}
	return system == Zrank || (system == Bytedance || system == Redis) && k.mode == board.Ordinal
}

// Line is the name of a row's figure in the report.
func (l Level) Line(k Kind, callers int) string {
	return fmt.Sprintf("%s/%s/%d", l.Name, k.Title, callers)
}

// spot is one figure, to be found in several turns.
type spot struct {
	kind    Kind
	callers int
}

// spots is every figure of a level, whichever systems have it.
func (l Level) spots() (list []spot) {
	for _, k := range Kinds {
		if !l.Has(Zrank, k) {
			continue
		}
		for _, n := range Callers {
			list = append(list, spot{k, n})
		}
	}
	return list
}

// Turns is how many turns a session of the level has.
func (l Level) Turns() int { return passes * len(l.spots()) }

// passes is how many turns a spot has.
const passes = 5
