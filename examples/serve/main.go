// Command serve is a game with leaderboards in its own process, which any Redis client can read while it runs: redis-cli, a dashboard, a
// service in another language.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net"
	"strings"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/resp"
)

func main() {
	ctx := context.Background()
	db, err := zrank.New(nil) // or zrank.Open, to keep it
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	arena, err := db.Define(ctx, board.Spec{Name: "arena", Op: board.Sum})
	if err != nil {
		log.Fatal(err)
	}

	server, err := resp.New(ctx, db.Engine(), resp.Options{Boards: db.Boards()}) // a program with boards needs only this line …
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	addr, err := server.Listen("127.0.0.1:0") // … and this one; a game would listen on ":6379"
	if err != nil {
		log.Fatal(err)
	}

	for member, points := range map[string]int64{"ada": 15, "bea": 20} { // the game itself does not change
		if _, err := arena.Submit(ctx, board.Submission{Member: member, Score: board.Ints(points)}); err != nil {
			log.Fatal(err)
		}
	}
	redisCLI(addr, "ZREVRANGE board/arena/all/all/v1 0 9 WITHSCORES", // clients read a ranking as a sorted set
		"BOARD.SUBMIT arena ada 10", // a service in another language may submit to the board
		"BOARD.TOP arena all 10",
		"ZADD board/arena/all/all/v1 1000 eve", // but it cannot write to the board's set
		"ZADD visitors 1 eve")                  // any client may write other keys
	change, err := arena.Submit(ctx, board.Submission{Member: "bea", Score: board.Ints(10)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("bea: %v points, number %d, passed %d\n", change.After.Score, change.After.Rank, change.Passed)
}

// redisCLI sends lines as redis-cli would, and prints the replies.
func redisCLI(addr net.Addr, lines ...string) {
	conn, err := net.Dial("tcp", addr.String())
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	r := bufio.NewReader(conn)
	for _, line := range lines {
		fmt.Fprintf(conn, "%s\r\n", line)
		fmt.Printf("> %s\n%s\n", line, strings.Join(reply(r), " "))
	}
}

// reply reads a reply of RESP2 and returns its words.
func reply(r *bufio.Reader) (words []string) {
	line, err := r.ReadString('\n')
	if err != nil {
		log.Fatal(err)
	}
	kind, text := line[0], strings.TrimSpace(line[1:])
	n := 0
	fmt.Sscan(text, &n)
	switch kind {
	case '$':
		text, _ = r.ReadString('\n')
	case '*':
		for range n {
			words = append(words, reply(r)...)
		}
		return words
	}
	return []string{strings.TrimSpace(text)}
}
