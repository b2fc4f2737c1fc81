package access

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/testclock"
)

// FuzzToken: a text that is a token is one that our keys have signed: no change of a good one is. The names of callers come from tokens only.
func FuzzToken(f *testing.F) {
	w := testclock.New()
	g := mustNew(f, testOptions(w))
	good := map[string]bool{}
	for _, s := range []Signer{{ID: "h", HS256: hmacKey}, {EdDSA: edKey}} {
		token := mustIssue(f, s, Token{Member: "ada", Expires: w.Now().Add(time.Hour), Boards: []string{"arena"}})
		good[token] = true
		f.Add(token)
		f.Add(strings.Replace(token, ".", "..", 1))
	}
	f.Add(forge(f, map[string]any{"alg": "none"}, adaClaims(w, nil), hs256, hmacKey))
	f.Add(mustTicket(f, g.Tickets(), smallTicket))
	f.Add("e30.e30.e30")
	f.Fuzz(func(t *testing.T, text string) {
		who, guessed, err := g.check([]string{"Bearer " + text})
		if err == nil {
			require.True(t, good[strings.Trim(text, " ")], "%q is %v", text, who)
			return
		}
		require.Equal(t, Principal{}, who)
		require.True(t, guessed, "%q: %v", text, err)
	})
}

// FuzzTicket: a text that is a ticket is one that was issued.
func FuzzTicket(f *testing.F) {
	k, w := newTickets(f)
	good := map[string]bool{}
	for _, ticket := range []Ticket{smallTicket, {Board: "b", Member: "m", Score: []string{"1", "2"}, Windows: []string{"all"}, At: w.Now(), Meta: []byte{}, Skill: 3}} {
		text := mustTicket(f, k, ticket)
		good[text] = true
		f.Add(text)
	}
	f.Add("e30.e30.e30")
	f.Fuzz(func(t *testing.T, text string) {
		ticket, err := k.Open(text)
		require.Equal(t, good[text], err == nil, "%q is %v", text, ticket)
		if err != nil {
			require.Equal(t, Ticket{}, ticket)
		}
	})
}

// FuzzHeader: no header makes the guard fail, and none but those with a key or a token of ours lets anybody in.
func FuzzHeader(f *testing.F) {
	w := testclock.New()
	o := testOptions(w)
	o.Tokens, o.Failures = nil, maxFailures
	o.Tickets = TicketOptions{}
	g := mustNew(f, o)
	for _, h := range []string{"Bearer " + gameSecret, basic("game", gameSecret), basic(gameSecret, ""), "Basic !", "Bearer"} {
		f.Add(h, "10.0.0.1:1", "1.2.3.4, ::1")
	}
	f.Fuzz(func(t *testing.T, authorization, peer, forwarded string) {
		r := request(authorization)
		r.RemoteAddr = peer
		r.Header.Set("X-Forwarded-For", forwarded)
		who, err := g.Authenticate(r)
		require.Equal(t, err == nil, who.Name != "")
		if err == nil {
			secret := map[string]string{"game": gameSecret, "reader": readSecret, "ops": modSecret}[who.Name]
			presented := strings.Contains(authorization, secret) || strings.HasPrefix(strings.ToLower(authorization), "basic ")
			require.True(t, presented, "%q is %v", authorization, who)
		}
	})
}
