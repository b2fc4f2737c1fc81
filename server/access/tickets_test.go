package access

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/testclock"
)

func newTickets(t testing.TB) (*Tickets, *testclock.Clock) {
	t.Helper()
	w := testclock.New()
	k, err := NewTickets(TicketOptions{Keys: [][]byte{ticketKey}, Clock: w.Now, Random: &counting{}})
	require.NoError(t, err)
	return k, w
}

func mustTicket(t testing.TB, k *Tickets, ticket Ticket) string {
	t.Helper()
	text, err := k.Issue(ticket)
	require.NoError(t, err)
	return text
}

var smallTicket = Ticket{Board: "arena", Member: "ada", Score: []string{"1"}}

// TestTickets: a ticket is opened as it was issued, each with its own ID.
func TestTickets(t *testing.T) {
	k, w := newTickets(t)
	require.Equal(t, DefaultTicketLife, k.MaxLife())
	seen := map[string]bool{}
	for _, want := range []Ticket{
		smallTicket,
		{Board: "a/b é\"<>\x00", Member: strings.Repeat("é", 512), Score: []string{"9223372036854775807", "-0.10", ""}, Windows: []string{"week", "all"},
			At: w.Now().Add(-time.Minute - 123456789*time.Nanosecond), Meta: []byte{0, 255, 10}, Skill: -1 << 63, Expires: w.Now().Add(time.Second)},
		{Board: "arena", Member: "ada", Score: make([]string, MaxColumns), Meta: []byte{}, Expires: w.Now().Add(DefaultTicketLife)},
	} {
		got, err := k.Open(mustTicket(t, k, want))
		require.NoError(t, err)
		require.Len(t, got.ID, 22)
		require.False(t, seen[got.ID])
		seen[got.ID] = true
		want.ID = got.ID
		if want.Expires.IsZero() {
			want.Expires = w.Now().Add(DefaultTicketLife)
		}
		require.Equal(t, want.At.UnixMicro(), got.At.UnixMicro())
		require.Equal(t, want.At.IsZero(), got.At.IsZero())
		require.Equal(t, want.Expires.Unix(), got.Expires.Unix())
		require.Equal(t, w.Now().Unix(), got.Issued.Unix())
		want.At, want.Expires, want.Issued = got.At, got.Expires, got.Issued
		require.Equal(t, want, got)
	}
}

// TestTicketTimes: a ticket is good until it expires, and never longer than MaxLife after it was issued, whatever fractions of a second there are.
func TestTicketTimes(t *testing.T) {
	for _, fraction := range []time.Duration{0, 1, 500 * time.Millisecond, time.Second - 1} {
		for _, asked := range []time.Duration{1, time.Millisecond, time.Second, 1500 * time.Millisecond, DefaultTicketLife - 1, DefaultTicketLife} {
			k, w := newTickets(t)
			w.Add(fraction)
			ticket := smallTicket
			ticket.Expires = w.Now().Add(asked)
			text := mustTicket(t, k, ticket)
			issued := w.Now()
			_, err := k.Open(text)
			require.NoError(t, err, "%v %v", fraction, asked)
			w.Set(issued.Add(asked - 1))
			if _, err = k.Open(text); asked < DefaultTicketLife-time.Second {
				require.NoError(t, err, "%v %v", fraction, asked)
			}
			w.Set(issued.Add(min(asked+time.Second, DefaultTicketLife)))
			_, err = k.Open(text)
			require.ErrorIs(t, err, ErrTicketExpired, "%v %v", fraction, asked)
			require.ErrorIs(t, err, ErrTicket)
		}
	}
	k, w := newTickets(t)
	for _, life := range []time.Duration{0, -1, DefaultTicketLife + 1} {
		ticket := smallTicket
		ticket.Expires = w.Now().Add(life)
		_, err := k.Issue(ticket)
		require.ErrorIs(t, err, ErrTicket, "%v", life)
	}
}

// TestTicketOfAnotherLife: a server with a shorter MaxLife refuses tickets that are valid for longer.
func TestTicketOfAnotherLife(t *testing.T) {
	k, w := newTickets(t)
	text := mustTicket(t, k, smallTicket)
	strict, err := NewTickets(TicketOptions{Keys: [][]byte{ticketKey}, MaxLife: time.Minute, Clock: w.Now})
	require.NoError(t, err)
	_, err = strict.Open(text)
	require.Equal(t, ErrTicket, err)
}

// TestTicketsAndTokensAreApart: no token is a ticket, no ticket is a token, even if somebody gives both one key, against Validate (A2).
func TestTicketsAndTokensAreApart(t *testing.T) {
	_, w := newGuard(t)
	v := newVerifier([]TokenKey{{HS256: ticketKey}}, "", "", 0, w.Now)
	k, err := NewTickets(TicketOptions{Keys: [][]byte{ticketKey}, Clock: w.Now, Random: &counting{}})
	require.NoError(t, err)
	token := mustIssue(t, Signer{HS256: ticketKey}, Token{Member: "ada", Issued: w.Now(), Expires: w.Now().Add(time.Minute)})
	_, _, err = v.verify(token)
	require.NoError(t, err)
	_, err = k.Open(token)
	require.Equal(t, ErrTicket, err)
	ticket := mustTicket(t, k, smallTicket)
	_, err = k.Open(ticket)
	require.NoError(t, err)
	who, _, err := v.verify(ticket)
	require.Error(t, err)
	require.Equal(t, Principal{}, who)

	// Either of the two differences is enough.
	claims := adaClaims(w, map[string]any{"aud": ticketAudience, "jti": "AAECAwQFBgcICQoLDA0ODw", "board": "arena", "score": []string{"1"}, "iat": w.Now().Unix()})
	text := forge(t, map[string]any{"alg": "HS256", "typ": "JWT"}, claims, hs256, ticketKey)
	_, _, err = v.verify(text)
	require.Error(t, err)
	_, err = k.Open(text)
	require.Equal(t, ErrTicket, err)
	delete(claims, "aud")
	text = forge(t, map[string]any{"alg": "HS256", "typ": ticketType}, claims, hs256, ticketKey)
	_, _, err = v.verify(text)
	require.Error(t, err)
	_, err = k.Open(text)
	require.Equal(t, ErrTicket, err)
}

// TestForgedTickets: a ticket whose header, claims or key are wrong is refused.
func TestForgedTickets(t *testing.T) {
	k, w := newTickets(t)
	good := func(changed map[string]any) map[string]any {
		c := map[string]any{"aud": ticketAudience, "jti": "AAECAwQFBgcICQoLDA0ODw", "board": "arena", "score": []string{"1"}, "iat": w.Now().Unix()}
		for name, value := range changed {
			c[name] = value
		}
		return adaClaims(w, c)
	}
	head := map[string]any{"alg": "HS256", "typ": ticketType}
	_, err := k.Open(forge(t, head, good(nil), hs256, ticketKey))
	require.NoError(t, err)
	for name, changed := range map[string]map[string]any{
		"no board": {"board": nil}, "board is empty": {"board": ""}, "no member": {"sub": nil}, "long member": {"sub": strings.Repeat("m", MaxMember+1)},
		"no score": {"score": nil}, "no columns": {"score": []string{}}, "many columns": {"score": make([]string, MaxColumns+1)},
		"numbers": {"score": []int{1}}, "long column": {"score": []string{strings.Repeat("1", maxColumn+1)}}, "no id": {"jti": nil},
		"short id": {"jti": "AAECAwQFBgcICQoLDA0O"}, "loose id": {"jti": "AAECAwQFBgcICQoLDA0ODx"}, "no iat": {"iat": nil}, "no exp": {"exp": nil},
		"two audiences": {"aud": []string{ticketAudience, "x"}}, "other audience": {"aud": "x"}, "window is empty": {"windows": []string{""}},
		"meta is no base64": {"meta": "*"}, "at is no number": {"at": "now"}, "at is out of range": {"at": "9223372036854775807"}, "at is negative": {"at": "-1"},
		"issued later": {"iat": w.Now().Add(2 * time.Minute).Unix()}, "too long": {"exp": w.Now().Add(DefaultTicketLife + time.Minute).Unix()},
		"not yet": {"nbf": w.Now().Add(time.Minute).Unix()},
	} {
		_, err := k.Open(forge(t, head, good(changed), hs256, ticketKey))
		require.Equal(t, ErrTicket, err, name)
	}
	for name, text := range map[string]string{
		"another key":    forge(t, head, good(nil), hs256, hmacKey),
		"no typ":         forge(t, map[string]any{"alg": "HS256"}, good(nil), hs256, ticketKey),
		"crit":           forge(t, map[string]any{"alg": "HS256", "typ": ticketType, "crit": []string{"b64"}}, good(nil), hs256, ticketKey),
		"alg EdDSA":      forge(t, map[string]any{"alg": "EdDSA", "typ": ticketType}, good(nil), eddsa, edKey),
		"empty":          "",
		"spaces":         " " + forge(t, head, good(nil), hs256, ticketKey),
		"a line":         forge(t, head, good(nil), hs256, ticketKey) + "\n",
		"expired, wrong": forge(t, head, good(map[string]any{"exp": 1}), hs256, hmacKey),
		"too long":       strings.Repeat("a", MaxCredential) + "..",
	} {
		_, err := k.Open(text)
		require.Equal(t, ErrTicket, err, name)
	}
}

// TestTicketsHaveOneText: a ticket with a byte changed, added or removed anywhere is refused: else it could be used twice (A3).
func TestTicketsHaveOneText(t *testing.T) {
	k, w := newTickets(t)
	text := mustTicket(t, k, Ticket{Board: "arena", Member: "ada", Score: []string{"1", "2"}, Meta: []byte("m"), At: w.Now()})
	for i := range len(text) {
		for _, changed := range flips(text, i) {
			_, err := k.Open(changed)
			require.Equal(t, ErrTicket, err, "%d: %q", i, changed)
		}
	}
}

// TestKeysOfTicketsRotate: the first key signs, and each verifies.
func TestKeysOfTicketsRotate(t *testing.T) {
	k, w := newTickets(t)
	next := []byte("next-0123456789abcdef0123456789ab")
	both, err := NewTickets(TicketOptions{Keys: [][]byte{next, ticketKey}, Clock: w.Now})
	require.NoError(t, err)
	after, err := NewTickets(TicketOptions{Keys: [][]byte{next}, Clock: w.Now})
	require.NoError(t, err)
	old, recent := mustTicket(t, k, smallTicket), mustTicket(t, both, smallTicket)
	for _, opens := range []struct {
		by   *Tickets
		text string
		ok   bool
	}{{k, old, true}, {k, recent, false}, {both, old, true}, {both, recent, true}, {after, old, false}, {after, recent, true}} {
		_, err := opens.by.Open(opens.text)
		require.Equal(t, opens.ok, err == nil)
	}
}

// TestTicketRefused: a ticket that would not be read as it is meant is not issued; the error names everything.
func TestTicketRefused(t *testing.T) {
	k, w := newTickets(t)
	_, err := k.Issue(Ticket{Board: "\xff", Member: "\xff", Score: []string{"\xff"}, Windows: []string{""}, Expires: w.Now()})
	require.ErrorIs(t, err, ErrTicket)
	for _, part := range []string{"Board", "Member", "Score[0]", "Windows[0]", "Expires"} {
		require.ErrorContains(t, err, part)
	}
	_, err = k.Issue(Ticket{Board: "arena", Member: "ada", Score: []string{"1"}, At: time.Unix(-1, 0)})
	require.ErrorContains(t, err, "At is")
	_, err = k.Issue(Ticket{Board: "arena", Member: "ada", Score: []string{"1"}, Meta: make([]byte, MaxCredential)})
	require.ErrorIs(t, err, ErrTicket)
	broken, err := NewTickets(TicketOptions{Keys: [][]byte{ticketKey}, Random: strings.NewReader("few")})
	require.NoError(t, err)
	_, err = broken.Issue(smallTicket)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.False(t, errors.Is(err, ErrTicket))
	_, err = NewTickets(TicketOptions{Keys: [][]byte{ticketKey, []byte("short-secret")}, MaxLife: -1})
	require.ErrorIs(t, err, ErrOptions)
	require.ErrorContains(t, err, "Keys[1] has 12 bytes")
	require.ErrorContains(t, err, "MaxLife")
	require.NotContains(t, err.Error(), "short-secret")
	_, err = NewTickets(TicketOptions{})
	require.ErrorContains(t, err, "Keys is empty")
}
