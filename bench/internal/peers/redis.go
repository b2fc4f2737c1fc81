package peers

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// queued is how many commands are sent before their replies are read, when a board is filled.
const queued = 256

// server is a redis-server and the connection that all its boards share.
type server struct {
	*subject.Server
	waiting int // commands that were queued and have no reply yet
}

// redisBoard is a key of a redis-server over TCP on loopback, one command a round trip, in memory (no appendonly file). The round
// trip, about 20 µs, is most of every figure: that is what a sorted set in another process costs. The commands engine and resp
// measure it with many connections and with 16 commands at a time.
type redisBoard struct {
	s    *server
	key  string
	page []row
}

// startRedis starts a server with its files in a directory.
func startRedis(dir string) (*Running, error) {
	program, err := redis.Find()
	if err != nil {
		return nil, err
	}
	x, err := subject.StartRedis(context.Background(), program, dir)
	if err != nil {
		return nil, err
	}
	s, boards := &server{Server: x}, 0
	return &Running{Close: x.Close, New: func() Board {
		boards++
		return &redisBoard{s: s, key: "board:" + strconv.Itoa(boards)}
	}}, nil
}

// ask sends one command and returns the first line or the text of its reply. The measurement ends when the server is gone.
func (b *redisBoard) ask(args ...string) []byte {
	b.s.Control.Append(args...)
	must(b.s.Control.Flush())
	return b.receive()
}

func (b *redisBoard) receive() []byte {
	reply, err := b.s.Control.Receive()
	must(err)
	return reply
}

// number is a reply that is one.
func number(reply []byte) int {
	n, err := strconv.Atoi(strings.TrimLeft(string(reply), ":*"))
	must(err)
	return n
}

func text(score float64) string { return strconv.FormatFloat(score, 'g', -1, 64) }

func (b *redisBoard) Queue(k workload.Key, score float64) {
	b.s.Control.Append("ZADD", b.key, text(score), k.Name)
	if b.s.waiting++; b.s.waiting == queued {
		b.Drain()
	}
}

func (b *redisBoard) Drain() {
	must(b.s.Control.Flush())
	must(b.s.Control.ReceiveAll(b.s.waiting))
	b.s.waiting = 0
}

func (b *redisBoard) Insert(k workload.Key, score float64) { b.ask("ZADD", b.key, text(score), k.Name) }
func (b *redisBoard) Set(k workload.Key, score float64)    { b.ask("ZADD", b.key, text(score), k.Name) }
func (b *redisBoard) Incr(k workload.Key, delta float64) {
	b.ask("ZINCRBY", b.key, text(delta), k.Name)
}
func (b *redisBoard) Remove(k workload.Key) { b.ask("ZREM", b.key, k.Name) }
func (b *redisBoard) Len() int              { return number(b.ask("ZCARD", b.key)) }

// absent is the reply for a member that is not there.
func absent(reply []byte) bool { return bytes.Equal(reply, []byte("$-1")) }

func (b *redisBoard) Score(k workload.Key) (float64, bool) {
	reply := b.ask("ZSCORE", b.key, k.Name)
	if absent(reply) {
		return 0, false
	}
	score, err := strconv.ParseFloat(string(reply), 64)
	must(err)
	return score, true
}

func (b *redisBoard) Rank(k workload.Key) (int, bool) {
	reply := b.ask("ZRANK", b.key, k.Name)
	if absent(reply) {
		return 0, false
	}
	return number(reply), true
}

func (b *redisBoard) Page(lo, hi int) int {
	lines := number(b.ask("ZRANGE", b.key, strconv.Itoa(lo), strconv.Itoa(hi-1), "WITHSCORES"))
	b.page = b.page[:0]
	for range lines / 2 {
		member := string(b.receive())
		score, err := strconv.ParseFloat(string(b.receive()), 64)
		must(err)
		b.page = append(b.page, row{score, member})
	}
	return len(b.page)
}

func (b *redisBoard) Row(i int) (string, float64) { return b.page[i].member, b.page[i].score }

// Walk has to take a page.
func (b *redisBoard) Walk(lo, hi int) uint64 {
	b.Page(lo, hi)
	var sum uint64
	for _, r := range b.page {
		sum = fold(sum, r.score, r.member)
	}
	return sum
}

// Bytes is what the server says of itself.
func (b *redisBoard) Bytes() (float64, error) { return subject.UsedMemory(b.s.Control) }
