package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/remote"
)

// TestPlayer plays a client of the game: it logs in, duels, hears of it, and reads its card; it cannot submit a score.
func TestPlayer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- serve(ctx, l, t.TempDir(), strings.Repeat("secret", 6), strings.Repeat("operator", 4))
	}()
	base := "http://" + l.Addr().String()
	post := func(path, body string) string {
		response, err := http.Post(base+path, "application/x-www-form-urlencoded", strings.NewReader(body))
		require.NoError(t, err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, response.StatusCode, "%s", text)
		return strings.TrimSpace(string(text))
	}
	token := post("/login", "ada")

	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/v1/events?member=ada&kinds=submitted", nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	events, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer events.Body.Close()
	require.Equal(t, http.StatusOK, events.StatusCode)

	require.Equal(t, "number 1 with 3 points", post("/duel", url.Values{"winner": {"bea"}, "match": {"1"}}.Encode()))
	require.Equal(t, "number 2 with 3 points", post("/duel", url.Values{"winner": {"ada"}, "match": {"2"}}.Encode()))
	require.Equal(t, "number 2 with 3 points", post("/duel", url.Values{"winner": {"ada"}, "match": {"2"}}.Encode()), "sent again")
	lines := bufio.NewScanner(events.Body)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "data:") {
	}
	require.Contains(t, lines.Text(), `"member":"ada"`)

	boards, err := remote.New(base, remote.Options{Key: token})
	require.NoError(t, err)
	arena, err := boards.Board(ctx, "arena")
	require.NoError(t, err)
	week, err := arena.Live(ctx, "week")
	require.NoError(t, err)
	card, err := week.Card(ctx, "ada", 3, 1)
	require.NoError(t, err)
	require.Equal(t, 2, card.Own.Rank)
	require.Equal(t, "bea", card.Top[0].Member)
	_, err = week.Card(ctx, "bea", 3, 1)
	require.ErrorContains(t, err, "players may read about themselves")
	_, err = arena.Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(1000)})
	require.ErrorContains(t, err, "forbidden")

	lookAsOperator(t, base)
	stop()
	require.NoError(t, <-ended)
}

// lookAsOperator signs in to the pages, and finds a player.
func lookAsOperator(t *testing.T, base string) {
	form := url.Values{"name": {"operator"}, "secret": {strings.Repeat("operator", 4)}, "back": {"board?board=arena"}}
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	browser := &http.Client{Jar: jar}
	signedIn, err := browser.PostForm(base+"/admin/signin", form)
	require.NoError(t, err)
	defer signedIn.Body.Close()
	text, err := io.ReadAll(signedIn.Body)
	require.NoError(t, err)
	require.Contains(t, string(text), `title="bea"`)
}

// TestSecrets: without its secrets the program says which are missing, and how to make them.
func TestSecrets(t *testing.T) {
	env := map[string]string{"GAME_SECRET": "short"}
	_, _, err := secrets(func(name string) string { return env[name] })
	require.EqualError(t, err, "the environment variable GAME_SECRET has 5 bytes, want 32 random ones or more: export GAME_SECRET=$(openssl rand -hex 32)\n"+
		"the environment variable OPERATOR_SECRET has 0 bytes, want 32 random ones or more: export OPERATOR_SECRET=$(openssl rand -hex 32)")
	env = map[string]string{"GAME_SECRET": strings.Repeat("g", 32), "OPERATOR_SECRET": strings.Repeat("o", 32)}
	secret, operator, err := secrets(func(name string) string { return env[name] })
	require.NoError(t, err)
	require.Equal(t, env, map[string]string{"GAME_SECRET": secret, "OPERATOR_SECRET": operator})
}
