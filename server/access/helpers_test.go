package access

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/testclock"
)

const (
	gameSecret = "game-secret-0123456789"
	readSecret = "read-secret-0123456789"
	modSecret  = "moderate.secret.0123456789"
)

var (
	hmacKey   = []byte("0123456789abcdef0123456789abcdef")
	ticketKey = []byte("tickets-0123456789abcdef0123456789")
	edKey     = ed25519.NewKeyFromSeed([]byte("seed-of-the-key-of-the-tests-32b"))
	edPublic  = edKey.Public().(ed25519.PublicKey)
)

// counting is a reader of bytes that are all different at first, so that IDs are.
type counting struct{ n byte }

func (c *counting) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = c.n
		c.n++
	}
	return len(b), nil
}

// testOptions have three server keys, a key of each algorithm and a key of tickets.
func testOptions(w *testclock.Clock) Options {
	return Options{
		Keys: []Key{
			{Name: "game", Secret: gameSecret, Rights: Submit, Boards: []string{"arena", "race"}},
			{Name: "reader", Secret: readSecret, Rights: Read},
			{Name: "ops", Secret: modSecret, Rights: All},
		},
		Tokens:  []TokenKey{{ID: "h", HS256: hmacKey}, {EdDSA: edPublic}},
		Tickets: TicketOptions{Keys: [][]byte{ticketKey}},
		Clock:   w.Now, Random: &counting{},
	}
}

func mustNew(t testing.TB, o Options) *Guard {
	t.Helper()
	g, err := New(o)
	require.NoError(t, err)
	return g
}

// newGuard returns a guard of testOptions and its clock.
func newGuard(t testing.TB) (*Guard, *testclock.Clock) {
	t.Helper()
	w := testclock.New()
	return mustNew(t, testOptions(w)), w
}

// request returns a request with some values of the header Authorization, from 192.0.2.1.
func request(authorization ...string) *http.Request {
	r := httptest.NewRequest("GET", "http://127.0.0.1/v1/boards", nil)
	r.RemoteAddr = "192.0.2.1:1234"
	for _, a := range authorization {
		r.Header.Add("Authorization", a)
	}
	return r
}

func basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

func mustIssue(t testing.TB, s Signer, token Token) string {
	t.Helper()
	text, err := s.Issue(token)
	require.NoError(t, err)
	return text
}

// adaFor returns a token of ada for a time.
func adaFor(t testing.TB, w *testclock.Clock, d time.Duration) string {
	t.Helper()
	return mustIssue(t, Signer{ID: "h", HS256: hmacKey}, Token{Member: "ada", Issued: w.Now(), Expires: w.Now().Add(d)})
}

// forge returns a token with any header and payload, signed by a method and key of package jwt.
func forge(t testing.TB, header, payload map[string]any, method jwt.SigningMethod, key any) string {
	t.Helper()
	h, err := json.Marshal(header)
	require.NoError(t, err)
	p, err := json.Marshal(payload)
	require.NoError(t, err)
	return forgeText(t, string(h), string(p), method, key)
}

func forgeText(t testing.TB, header, payload string, method jwt.SigningMethod, key any) string {
	t.Helper()
	text := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(payload))
	sig, err := method.Sign(text, key)
	require.NoError(t, err)
	return text + "." + base64.RawURLEncoding.EncodeToString(sig)
}

// adaClaims are the claims of a good token, with some changed; nil removes one.
func adaClaims(w *testclock.Clock, changed map[string]any) map[string]any {
	c := map[string]any{"sub": "ada", "exp": w.Now().Add(time.Minute).Unix()}
	for name, value := range changed {
		if c[name] = value; value == nil {
			delete(c, name)
		}
	}
	return c
}

// flips returns a text with the character at a position replaced by others of the alphabet, and with one removed or added there. At the end of a
// part, where some bits of base64 count for nothing, they are all characters of the alphabet.
func flips(text string, i int) (changed []string) {
	others := "AB"
	if i+1 == len(text) || text[i+1] == '.' {
		others = "-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	}
	for c := range strings.SplitSeq(others, "") {
		if c != text[i:i+1] {
			changed = append(changed, text[:i]+c+text[i+1:])
		}
	}
	return append(changed, text[:i]+text[i+1:], text[:i]+"\n"+text[i:], text[:i]+"="+text[i:])
}
