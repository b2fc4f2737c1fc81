package peers

import (
	"context"
	"strconv"

	redigo "github.com/gomodule/redigo/redis"

	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// pipelined is the number of commands in a pipeline when a board is filled.
const pipelined = 256

// redisBoard is a key of a redis-server over TCP on loopback, one command a round trip, in memory (no appendonly file). The round
// trip, about 20 µs, is most of every figure: a sorted set in another process costs that. The commands engine and resp measure Redis
// with many connections and with 16 commands in a pipeline. Every board uses the connection of the server.
type redisBoard struct {
	s    *redis.Server
	key  string
	page []row
}

// startRedis starts a server with its files in a directory.
func startRedis(dir string) (*Running, error) {
	program, err := redis.Find()
	if err != nil {
		return nil, err
	}
	s, err := redis.Start(context.Background(), program, dir)
	if err != nil {
		return nil, err
	}
	boards := 0
	return &Running{Close: s.Close, Bytes: s.UsedMemory, Fill: fillRedis, New: func() Board {
		boards++
		return &redisBoard{s: s, key: "board:" + strconv.Itoa(boards)}
	}}, nil
}

// fillRedis inserts a stream in pipelines.
func fillRedis(boards []Board, x *workload.Stream) error {
	s := boards[0].(*redisBoard).s
	for i := range x.Len() {
		s.Queue("ZADD", boards[x.Board(i)].(*redisBoard).key, x.Score(i), x.Key(i).Name)
		if i%pipelined == pipelined-1 {
			if _, err := s.Finish(); err != nil {
				return err
			}
		}
	}
	_, err := s.Finish()
	return err
}

// ask sends one command and returns its reply. An error ends the measurement.
func (b *redisBoard) ask(command string, args ...any) any {
	reply, err := b.s.Do(command, args...)
	must(err)
	return reply
}

func (b *redisBoard) Insert(k workload.Key, score float64) { b.ask("ZADD", b.key, score, k.Name) }
func (b *redisBoard) Set(k workload.Key, score float64)    { b.ask("ZADD", b.key, score, k.Name) }
func (b *redisBoard) Incr(k workload.Key, delta float64)   { b.ask("ZINCRBY", b.key, delta, k.Name) }
func (b *redisBoard) Remove(k workload.Key)                { b.ask("ZREM", b.key, k.Name) }
func (b *redisBoard) Len() int                             { return int(b.ask("ZCARD", b.key).(int64)) }

func (b *redisBoard) Score(k workload.Key) (float64, bool) {
	reply := b.ask("ZSCORE", b.key, k.Name)
	if reply == nil {
		return 0, false
	}
	score, err := redigo.Float64(reply, nil)
	must(err)
	return score, true
}

func (b *redisBoard) Rank(k workload.Key) (int, bool) {
	rank, ok := b.ask("ZRANK", b.key, k.Name).(int64)
	return int(rank), ok
}

func (b *redisBoard) Page(lo, hi int) int {
	replies := b.ask("ZRANGE", b.key, lo, hi-1, "WITHSCORES").([]any)
	b.page = b.page[:0]
	for i := 0; i < len(replies); i += 2 {
		score, err := redigo.Float64(replies[i+1], nil)
		must(err)
		b.page = append(b.page, row{score, string(replies[i].([]byte))})
	}
	return len(b.page)
}

func (b *redisBoard) Row(i int) (string, float64) { return b.page[i].member, b.page[i].score }

// Walk takes a page: Redis has no other way.
func (b *redisBoard) Walk(lo, hi int) (sum uint64) {
	b.Page(lo, hi)
	for _, r := range b.page {
		sum = fold(sum, r.score, r.member)
	}
	return sum
}

// Encode takes a page, as Walk.
func (b *redisBoard) Encode(dst []byte, lo, hi int, f Format) []byte {
	dst = f.begin(dst, b.Page(lo, hi))
	for _, r := range b.page {
		dst = appendEntry(dst, f, r.member, r.score)
	}
	return f.end(dst)
}
