package access

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/testclock"
)

// TestKeys: a key is presented as Bearer or by Basic, by its secret or where the options have its hash, and has the rights that it has.
func TestKeys(t *testing.T) {
	w := testclock.New()
	o := testOptions(w)
	sum := sha256.Sum256([]byte(readSecret))
	o.Keys[1] = Key{Name: "reader", SHA256: strings.ToUpper(hex.EncodeToString(sum[:])), Rights: Read}
	g := mustNew(t, o)
	for _, c := range []struct{ authorization, name string }{
		{"Bearer " + gameSecret, "game"}, {"BEARER " + readSecret, "reader"}, {"bearer  " + modSecret + " ", "ops"},
		{basic("game", gameSecret), "game"}, {basic("", readSecret), "reader"}, {basic(modSecret, ""), "ops"}, {"basic" + basic("ops", modSecret)[5:], "ops"},
	} {
		who, err := g.Authenticate(request(c.authorization))
		require.NoError(t, err, c.authorization)
		require.Equal(t, c.name, who.Name)
		require.Equal(t, "key:"+c.name, who.ID())
		require.False(t, who.IsPlayer())
		require.False(t, who.Is(""))
		require.False(t, who.Is(c.name))
	}
	for _, a := range []string{
		"Bearer " + gameSecret[1:], "Bearer " + gameSecret + "0", "Bearer", "Bearer ", "Basic", "Digest " + gameSecret, gameSecret, "Bearer\t" + gameSecret,
		"Bearer " + hex.EncodeToString(sum[:]), "Bearer " + string(sum[:]), basic("reader", gameSecret), basic("Game", gameSecret), basic("", ""),
		basic("game", gameSecret+":"), "Basic " + gameSecret, "Basic Og==", "Basic Zm9v", basic("game", gameSecret) + "=", basic(gameSecret, "game"),
		"Bearer " + strings.Repeat("a", 1<<20), "Basic " + strings.Repeat("a", 1<<20), basic("", strings.Repeat("a", MaxCredential+1)),
	} {
		who, err := mustNew(t, o).Authenticate(request(a))
		require.Equal(t, ErrCredentials, err, "%.60s", a)
		require.Equal(t, Principal{}, who)
	}
	_, err := g.Authenticate(request("Bearer "+gameSecret, "Bearer "+gameSecret))
	require.Equal(t, ErrCredentials, err, "two headers")
	_, err = g.Authenticate(request("", "Bearer "+gameSecret))
	require.Equal(t, ErrCredentials, err, "two headers")
	for _, none := range [][]string{nil, {""}} {
		_, err = g.Authenticate(request(none...))
		require.Equal(t, ErrNoCredentials, err)
	}
}

// TestShortSecretByHash: a secret that is too short is refused also where the options have its hash alone.
func TestShortSecretByHash(t *testing.T) {
	sum := sha256.Sum256([]byte("short"))
	g := mustNew(t, Options{Keys: []Key{{Name: "k", SHA256: hex.EncodeToString(sum[:]), Rights: All}}})
	_, err := g.Authenticate(request("Bearer short"))
	require.Equal(t, ErrCredentials, err)
	_, err = g.Authenticate(request(adaFor(t, testclock.New(), time.Hour)))
	require.Equal(t, ErrCredentials, err, "a token, where there are no keys for tokens")
}

// TestNewSecret: a new secret is one that Validate takes, and its hash is that of a key.
func TestNewSecret(t *testing.T) {
	secret, sum, err := NewSecret(&counting{})
	require.NoError(t, err)
	g := mustNew(t, Options{Keys: []Key{{Name: "k", SHA256: sum, Rights: All}}})
	who, err := g.Authenticate(request("Bearer " + secret))
	require.NoError(t, err)
	require.Equal(t, All, who.Rights())
	_, _, err = NewSecret(strings.NewReader("few"))
	require.Error(t, err)
}

// TestPrincipal: rights are those of the key, on its boards.
func TestPrincipal(t *testing.T) {
	g, _ := newGuard(t)
	game, err := g.Authenticate(request("Bearer " + gameSecret))
	require.NoError(t, err)
	require.True(t, game.Can(Submit, "arena"))
	require.True(t, game.Can(Read, "race"))
	require.False(t, game.Can(Read, "other"))
	require.False(t, game.Can(Read, ""), "all boards, by a key that is limited to some")
	require.False(t, game.Can(Moderate, "arena"))
	require.False(t, game.Can(All, "arena"))
	require.False(t, game.Can(0, "arena"))
	require.NoError(t, game.Need(Submit, "arena"))
	require.ErrorIs(t, game.Need(Moderate, "arena"), ErrForbidden)
	require.ErrorContains(t, game.Need(Submit, "other"), `"other"`)
	require.ErrorContains(t, game.Need(Read, ""), "all boards")
	ops, err := g.Authenticate(request("Bearer " + modSecret))
	require.NoError(t, err)
	for _, r := range []Rights{Read, Submit, Moderate, All} {
		require.True(t, ops.Can(r, ""))
		require.True(t, ops.Can(r, "any"))
		require.False(t, Principal{}.Can(r, "any"))
	}
	require.Empty(t, Principal{}.ID())
	require.Equal(t, Principal{}, FromContext(t.Context()))
	require.Equal(t, ops, FromContext(NewContext(t.Context(), ops)))
}

// TestRights: texts of rights, and which rights there are.
func TestRights(t *testing.T) {
	for text, want := range map[string]Rights{
		"all": All, "read": Read, "submit": Submit, "moderate": Moderate, "submit, moderate": Submit | Moderate, "read,submit": Submit, "all,read": All,
	} {
		got, err := ParseRights(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
		again, err := ParseRights(got.String())
		require.NoError(t, err)
		require.Equal(t, got, again)
	}
	for _, text := range []string{"", ",", "All", "read,", "write"} {
		var r Rights
		require.Error(t, r.UnmarshalText([]byte(text)), text)
	}
	valid := 0
	for r := range 256 {
		if Rights(r).Valid() {
			valid++
		}
	}
	require.Equal(t, 5, valid, "read, submit, moderate, submit and moderate, all")
	text, err := (Submit | Moderate).MarshalText()
	require.NoError(t, err)
	require.Equal(t, "submit,moderate", string(text))
	require.Equal(t, "none", submitBit.String())
}

// TestThrottled: an address that has failed Failures times is refused without a look at what it presents, until an interval has passed; others are
// not, and what is right changes nothing for others.
func TestThrottled(t *testing.T) {
	w := testclock.New()
	o := testOptions(w)
	o.Failures = 6
	g := mustNew(t, o)
	from := func(addr, authorization string) error {
		r := request(authorization)
		r.RemoteAddr = addr
		_, err := g.Authenticate(r)
		return err
	}
	const bad, good = "192.0.2.7:1", "192.0.2.8:1"
	for range 6 {
		require.Equal(t, ErrCredentials, from(bad, "Bearer wrong"))
		require.NoError(t, from(good, "Bearer "+gameSecret))
	}
	err := from(bad, "Bearer "+gameSecret)
	var throttled *ThrottledError
	require.ErrorAs(t, err, &throttled)
	require.ErrorIs(t, err, ErrThrottled)
	require.False(t, errors.Is(err, ErrCredentials))
	require.Equal(t, 10*time.Second, throttled.RetryAfter)
	require.Equal(t, ErrNoCredentials, from(bad, ""), "a request without credentials has none to look at")
	w.Add(10*time.Second - 1)
	require.ErrorIs(t, from(bad, "Bearer "+gameSecret), ErrThrottled)
	w.Add(1)
	require.NoError(t, from(bad, "Bearer "+gameSecret))
	require.Equal(t, ErrCredentials, from(bad, "Bearer wrong"), "what was right has given nothing back")
	require.ErrorIs(t, from(bad, "Bearer wrong"), ErrThrottled)
	w.Add(-time.Hour)
	require.ErrorIs(t, from(bad, "Bearer wrong"), ErrThrottled)
	w.Add(10 * time.Second)
	require.NoError(t, from(bad, "Bearer "+gameSecret), "a clock that went back keeps nobody out for longer")

	// Expired tokens are no guesses: a game whose players come back from a pause must not be refused.
	token := adaFor(t, w, time.Second)
	w.Add(time.Hour)
	for range 20 {
		require.Equal(t, ErrCredentials, from("192.0.2.9:1", "Bearer "+token))
	}
	require.NoError(t, from("192.0.2.9:1", "Bearer "+gameSecret))
}

// TestThrottleByBlock: IPv6 addresses count by their first 64 bits; connections without an address count together.
func TestThrottleByBlock(t *testing.T) {
	w := testclock.New()
	o := testOptions(w)
	o.Failures = 3
	g := mustNew(t, o)
	status := func(addr string) error {
		r := request("Bearer wrong")
		r.RemoteAddr = addr
		_, err := g.Authenticate(r)
		return err
	}
	for i := range 3 {
		require.Equal(t, ErrCredentials, status(fmt.Sprintf("[2001:db8:0:1::%x]:1", i)))
		require.Equal(t, ErrCredentials, status([]string{"@", "", "pipe"}[i]))
	}
	require.ErrorIs(t, status("[2001:db8:0:1:ffff::1]:1"), ErrThrottled)
	require.ErrorIs(t, status("@"), ErrThrottled)
	require.Equal(t, ErrCredentials, status("[2001:db8:0:2::1]:1"))
	require.Equal(t, ErrCredentials, status("[::ffff:192.0.2.3]:1"))
	require.Equal(t, ErrCredentials, status("[::ffff:192.0.2.4]:1"))
	require.Equal(t, ErrCredentials, status("192.0.2.3:1"))
	require.Equal(t, ErrCredentials, status("192.0.2.3:2"))
	require.ErrorIs(t, status("192.0.2.3:3"), ErrThrottled, "the same address in both forms")
}

// TestThrottleIsBounded: of 100,000 addresses that fail it stores the last ones, and no more than maxAddresses (A6).
func TestThrottleIsBounded(t *testing.T) {
	h := newThrottle(2)
	now := testclock.Noon
	addr := func(i int) string { return fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255) }
	for i := range 100_000 {
		h.fail(Block(parseAddress(addr(i))), now)
		h.fail(Block(parseAddress(addr(i))), now)
		if i%10_000 == 0 { // it fails again before so many others have failed that it is forgotten
			h.fail(Block(parseAddress("192.0.2.1")), now)
		}
		require.LessOrEqual(t, len(h.byKey), maxAddresses)
		require.Equal(t, len(h.byKey), h.order.Len())
	}
	require.Len(t, h.byKey, maxAddresses)
	require.Positive(t, h.wait(Block(parseAddress(addr(99_999))), now))
	require.Positive(t, h.wait(Block(parseAddress("192.0.2.1")), now))
	require.Zero(t, h.wait(Block(parseAddress(addr(0))), now))
	require.Zero(t, h.wait(Block(parseAddress(addr(99_999))), now.Add(time.Minute)))
}

// TestOpen: an open server lets everybody in who asks it by an address of its own, and no page in a browser that asks it by another name.
func TestOpen(t *testing.T) {
	g := mustNew(t, Options{Open: true, Hosts: []string{"Zrank"}})
	r := request("Bearer anything", "twice")
	for _, host := range []string{"127.0.0.1", "127.0.0.1:80", "[::1]:80", "[::1]", "localhost", "LOCALHOST:1", "", "192.168.1.2:80", "zrank:8080", "ZRANK"} {
		r.Host = host
		who, err := g.Authenticate(r)
		require.NoError(t, err, host)
		require.True(t, who.Can(All, ""))
		require.Equal(t, "open", who.ID())
		require.False(t, who.IsPlayer())
	}
	for _, host := range []string{"evil.example", "evil.example:80", "localhost.evil.example", "zrank.evil.example", "127.0.0.1.evil.example"} {
		r.Host = host
		_, err := g.Authenticate(r)
		require.ErrorIs(t, err, ErrForbidden, host)
	}
	require.Nil(t, g.Tickets())
}

// TestNothingLeaks: neither the log nor texts of options and errors have a secret, and the log has the reason (A5).
func TestNothingLeaks(t *testing.T) {
	var out bytes.Buffer
	w := testclock.New()
	o := testOptions(w)
	o.Logger = slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	g := mustNew(t, o)
	token := adaFor(t, w, time.Second)
	w.Add(time.Hour)
	for _, a := range []string{"Bearer " + token, "Bearer wrong-secret-0123456789", basic("game", "wrong-secret-0123456789"), "wrong-secret-0123456789 x"} {
		_, err := g.Authenticate(request(a))
		require.Equal(t, ErrCredentials, err)
		require.NotContains(t, out.String(), a)
	}
	require.Equal(t, 4, strings.Count(out.String(), "credentials refused"))
	require.Contains(t, out.String(), "token is expired")
	o.Logger.Info("keys", "first", o.Keys[0])
	fmt.Fprintf(&out, "%v %+v %s", o.Keys[0], o.Tokens, o.Tokens[0])
	require.Contains(t, out.String(), "game (submit)")
	for _, secret := range []string{"wrong-secret", token, strings.Split(token, ".")[2], gameSecret, string(hmacKey), fmt.Sprint(hmacKey)} {
		require.NotContains(t, out.String(), secret)
	}
}

// TestConcurrent: goroutines that fail and succeed at the same time do not disturb each other; run with -race.
func TestConcurrent(t *testing.T) {
	g, w := newGuard(t)
	token := adaFor(t, w, time.Hour)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 100 {
				r := request("Bearer wrong")
				r.RemoteAddr = fmt.Sprintf("10.0.%d.%d:1", i, j)
				if _, err := g.Authenticate(r); err != ErrCredentials {
					t.Errorf("wrong: %v", err)
				}
				if who, err := g.Authenticate(request("Bearer " + token)); err != nil || who.Member != "ada" {
					t.Errorf("right: %v %v", who, err)
				}
			}
		})
	}
	wg.Wait()
}
