// Command server is a game server with its leaderboards. It needs two secrets: export GAME_SECRET=$(openssl rand -hex 32) OPERATOR_SECRET=$(openssl rand -hex 32).
// It judges duels, and its players read their ranks over HTTP with the token of POST /login:
// curl -H "Authorization: Bearer $TOKEN" 'localhost:8080/v1/boards/arena/windows/week/card?member=ada'
// Whoever runs the game looks at it, and bans cheats, at http://localhost:8080/admin/.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/zrankdb/zrank/server/access"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/admin"
	"github.com/zrankdb/zrank/server/api"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	secret, operator, err := secrets(os.Getenv)
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:8080")
	if err == nil {
		err = serve(ctx, l, "game-data", secret, operator)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// secrets returns the two secrets of the server, or an error that says how to make those that are missing.
func secrets(getenv func(string) string) (secret, operator string, err error) {
	for _, name := range []string{"GAME_SECRET", "OPERATOR_SECRET"} {
		if n := len(getenv(name)); n < 32 {
			err = errors.Join(err, fmt.Errorf("the environment variable %s has %d bytes, want 32 random ones or more: export %s=$(openssl rand -hex 32)", name, n, name))
		}
	}
	return getenv("GAME_SECRET"), getenv("OPERATOR_SECRET"), err
}

// serve runs the game until ctx ends. secret signs the tokens of players, and operator signs in to the pages at /admin/.
func serve(ctx context.Context, l net.Listener, dir, secret, operator string) (err error) {
	e, err := engine.Open(dir, engine.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	boards, err := local.Open(e, local.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, boards.Close()) }()
	arena, err := boards.Define(ctx, board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Week}, Feed: &board.Feed{}})
	if err != nil {
		return err
	}
	tokens := access.Signer{HS256: []byte(secret)}
	h, err := api.New(boards, api.Options{Access: access.Options{Tokens: []access.TokenKey{tokens.Key()}}})
	if err != nil {
		return err
	}
	pages, err := admin.New(boards, admin.Options{Local: boards, Keys: []access.Key{{Name: "operator", Secret: operator, Rights: access.Moderate}}})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/v1/", h)                                                        // the leaderboards
	mux.Handle("/admin/", http.StripPrefix("/admin", pages))                     // whoever runs the game looks at them in a browser
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) { // a game would ask for a password
		name, _ := io.ReadAll(io.LimitReader(r.Body, 64))
		token, err := tokens.Issue(access.Token{Member: string(name), Expires: time.Now().Add(time.Hour)})
		answer(w, token, err)
	})
	mux.HandleFunc("POST /duel", func(w http.ResponseWriter, r *http.Request) { // the server decides who wins, and submits that
		change, err := arena.Submit(ctx, board.Submission{Member: r.FormValue("winner"), Score: board.Ints(3), Once: r.FormValue("match")})
		answer(w, fmt.Sprintf("number %d with %v points", change.After.Rank, change.After.Score), err)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: time.Minute}
	server.RegisterOnShutdown(func() { _ = errors.Join(h.Close(), pages.Close()) })
	go func() { _ = server.Serve(l) }()
	<-ctx.Done()
	return server.Shutdown(context.WithoutCancel(ctx))
}

func answer(w http.ResponseWriter, text string, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintln(w, text)
}
