package access

import (
	"crypto/rand"
	"crypto/rsa"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"
)

var (
	hs256 = jwt.SigningMethodHS256
	eddsa = jwt.SigningMethodEdDSA
)

// TestTokens: what Issue issues is a player, by either algorithm, who reads and does nothing else.
func TestTokens(t *testing.T) {
	g, w := newGuard(t)
	for name, s := range map[string]Signer{"HS256": {ID: "h", HS256: hmacKey}, "EdDSA": {EdDSA: edKey}, "EdDSA with a kid": {ID: "x", EdDSA: edKey}} {
		token := mustIssue(t, s, Token{Member: "ada/é\x00", Issued: w.Now(), NotBefore: w.Now(), Expires: w.Now().Add(time.Hour), Boards: []string{"arena"}})
		who, err := g.Authenticate(request("Bearer " + token))
		require.NoError(t, err, name)
		require.True(t, who.IsPlayer())
		require.True(t, who.Is("ada/é\x00"))
		require.False(t, who.Is("ada"))
		require.Equal(t, "player:ada/é\x00", who.ID())
		require.True(t, who.Can(Read, "arena"))
		require.False(t, who.Can(Read, "race"))
		require.False(t, who.Can(Read, ""))
		for _, r := range []Rights{Submit, Moderate, All, 0, submitBit} {
			require.False(t, who.Can(r, "arena"), "%v", r)
		}
	}
	who, err := g.Authenticate(request("bearer   " + adaFor(t, w, time.Minute)))
	require.NoError(t, err)
	require.True(t, who.Can(Read, "any"))
	require.True(t, who.Can(Read, ""))
}

// TestTokenBoards: an empty list of boards allows none, none at all allows all, and null is refused.
func TestTokenBoards(t *testing.T) {
	g, w := newGuard(t)
	none := mustIssue(t, Signer{EdDSA: edKey}, Token{Member: "ada", Expires: w.Now().Add(time.Hour), Boards: []string{}})
	who, err := g.Authenticate(request("Bearer " + none))
	require.NoError(t, err)
	require.False(t, who.Can(Read, "arena"))
	odd := forgeText(t, `{"alg":"EdDSA"}`, `{"sub":"ada","exp":4000000000,"boards":["","arena"]}`, eddsa, edKey)
	who, err = g.Authenticate(request("Bearer " + odd))
	require.NoError(t, err)
	require.True(t, who.Can(Read, "arena"))
	require.False(t, who.Can(Read, ""), "the name of no board does not mean all boards")
	for _, boards := range []string{"null", `"arena"`, "1", `[1]`, `{}`} {
		text := forgeText(t, `{"alg":"EdDSA"}`, `{"sub":"ada","exp":4000000000,"boards":`+boards+`}`, eddsa, edKey)
		_, err := g.Authenticate(request("Bearer " + text))
		require.ErrorIs(t, err, ErrCredentials, boards)
	}
}

// head returns a header of a token.
func head(alg string, more map[string]any) map[string]any {
	h := map[string]any{"alg": alg, "typ": "JWT"}
	maps.Copy(h, more)
	return h
}

// otherSignatures returns tokens whose signature is none of the algorithm and key that they name.
func otherSignatures(t *testing.T, good map[string]any) map[string]string {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	unsigned := jwt.UnsafeAllowNoneSignatureType
	kid := map[string]any{"kid": "h"}
	return map[string]string{
		"alg none":                       forge(t, head("none", nil), good, jwt.SigningMethodNone, unsigned),
		"alg None":                       forge(t, head("None", nil), good, jwt.SigningMethodNone, unsigned),
		"alg empty":                      forge(t, head("", nil), good, jwt.SigningMethodNone, unsigned),
		"alg is a number":                forge(t, map[string]any{"alg": 1}, good, hs256, hmacKey),
		"no alg":                         forge(t, map[string]any{"kid": "h"}, good, hs256, hmacKey),
		"alg in lower case":              forge(t, head("hs256", kid), good, hs256, hmacKey),
		"HS256 by the public key":        forge(t, head("HS256", nil), good, hs256, []byte(edPublic)),
		"HS256 by the public key, kid":   forge(t, head("HS256", kid), good, hs256, []byte(edPublic)),
		"HS256 by the hex of the key":    forge(t, head("HS256", kid), good, hs256, []byte("30313233343536373839616263646566")),
		"HS384":                          forge(t, head("HS384", kid), good, jwt.SigningMethodHS384, hmacKey),
		"HS512":                          forge(t, head("HS512", kid), good, jwt.SigningMethodHS512, hmacKey),
		"says HS256, is HS512":           forge(t, head("HS256", kid), good, jwt.SigningMethodHS512, hmacKey),
		"RS256":                          forge(t, head("RS256", nil), good, jwt.SigningMethodRS256, rsaKey),
		"says EdDSA, is HS256":           forge(t, head("EdDSA", kid), good, hs256, hmacKey),
		"says EdDSA, is HS256 by public": forge(t, head("EdDSA", nil), good, hs256, []byte(edPublic)),
		"says HS256, is EdDSA":           forge(t, head("HS256", kid), good, eddsa, edKey),
		"an empty secret":                forge(t, head("HS256", kid), good, hs256, []byte{}),
		"the key of the tickets":         forge(t, head("HS256", kid), good, hs256, ticketKey),
		"a server key as a secret":       forge(t, head("HS256", kid), good, hs256, []byte(gameSecret)),
	}
}

// otherHeaders returns tokens whose header makes them something else, or that are no tokens, all with a good signature.
func otherHeaders(t *testing.T, good map[string]any) map[string]string {
	return map[string]string{
		"kid of nobody":                   forge(t, head("HS256", map[string]any{"kid": "other"}), good, hs256, hmacKey),
		"no kid, where the key has one":   forge(t, head("HS256", nil), good, hs256, hmacKey),
		"kid is a number":                 forge(t, head("EdDSA", map[string]any{"kid": 1}), good, eddsa, edKey),
		"kid is null":                     forge(t, head("EdDSA", map[string]any{"kid": nil}), good, eddsa, edKey),
		"crit":                            forge(t, head("EdDSA", map[string]any{"crit": []string{"exp"}}), good, eddsa, edKey),
		"crit is null":                    forge(t, head("EdDSA", map[string]any{"crit": nil}), good, eddsa, edKey),
		"crit and b64":                    forge(t, head("EdDSA", map[string]any{"crit": []string{"b64"}, "b64": false}), good, eddsa, edKey),
		"its own key":                     forge(t, head("HS256", map[string]any{"jwk": map[string]any{"kty": "oct", "k": "AAAA"}}), good, hs256, []byte{0, 0, 0}),
		"typ of tickets":                  forge(t, head("EdDSA", map[string]any{"typ": ticketType}), good, eddsa, edKey),
		"typ of something else":           forge(t, head("EdDSA", map[string]any{"typ": "logout+jwt"}), good, eddsa, edKey),
		"typ is a number":                 forge(t, head("EdDSA", map[string]any{"typ": 1}), good, eddsa, edKey),
		"typ is null":                     forge(t, head("EdDSA", map[string]any{"typ": nil}), good, eddsa, edKey),
		"the header is a list":            forgeText(t, `[]`, `{}`, eddsa, edKey),
		"the header is null":              forgeText(t, `null`, `{}`, eddsa, edKey),
		"the payload is a list":           forgeText(t, `{"alg":"EdDSA"}`, `[]`, eddsa, edKey),
		"more after the payload":          forgeText(t, `{"alg":"EdDSA"}`, `{"sub":"ada","exp":4000000000}{}`, eddsa, edKey),
		"more after the header":           forgeText(t, `{"alg":"EdDSA"}{}`, `{"sub":"ada","exp":4000000000}`, eddsa, edKey),
		"no signature":                    strings.TrimRight(forge(t, head("EdDSA", nil), good, eddsa, edKey), "-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
		"a signature of something before": "x" + forge(t, head("EdDSA", nil), good, eddsa, edKey),
		"four parts":                      forge(t, head("EdDSA", nil), good, eddsa, edKey) + ".e30",
		"two parts":                       "e30.e30",
		"dots":                            "..",
	}
}

// TestTokenConfusion: every way to make one algorithm's key verify another's token fails, and counts as an attempt to guess (A1).
func TestTokenConfusion(t *testing.T) {
	g, w := newGuard(t)
	good := adaClaims(w, nil)
	forged := otherSignatures(t, good)
	maps.Copy(forged, otherHeaders(t, good))
	require.Greater(t, len(forged), 35)
	for name, text := range forged {
		who, guessed, err := g.check([]string{"Bearer " + text})
		require.Error(t, err, name)
		require.Equal(t, Principal{}, who, name)
		require.True(t, guessed, name)
	}
	for name, header := range map[string]map[string]any{"plain": {"alg": "EdDSA"}, "at+jwt": head("EdDSA", map[string]any{"typ": "AT+jwt"}), "b64 alone": head("EdDSA", map[string]any{"b64": true})} {
		_, _, err := g.check([]string{"Bearer " + forge(t, header, good, eddsa, edKey)})
		require.NoError(t, err, "%s: the tests above would find nothing if a good token were refused", name)
	}
}

// TestTokenClaims: tokens of our keys whose claims are wrong are refused, and do not count as attempts to guess.
func TestTokenClaims(t *testing.T) {
	g, w := newGuard(t)
	now := w.Now().Unix()
	leeway := int64(DefaultLeeway / time.Second)
	refused := map[string]map[string]any{
		"expired":               {"exp": now - leeway},
		"no exp":                {"exp": nil},
		"exp is 0":              {"exp": 0},
		"exp is before 1970":    {"exp": -5},
		"exp is out of range":   {"exp": 1e300},
		"exp is after 9999":     {"exp": 4e11},
		"not yet":               {"nbf": now + leeway + 1},
		"nbf is out of range":   {"nbf": 1e300},
		"issued in the future":  {"iat": now + leeway + 1},
		"no sub":                {"sub": nil},
		"sub is empty":          {"sub": ""},
		"sub is too long":       {"sub": strings.Repeat("m", MaxMember+1)},
		"sub has lost bytes":    {"sub": "ada\ufffd"},
		"the audience: tickets": {"aud": []string{"x", ticketAudience}},
	}
	for name, changed := range refused {
		text := forge(t, map[string]any{"alg": "EdDSA"}, adaClaims(w, changed), eddsa, edKey)
		who, guessed, err := g.check([]string{"Bearer " + text})
		require.Error(t, err, name)
		require.Equal(t, Principal{}, who, name)
		require.False(t, guessed, name)
		_, err = g.Authenticate(request("Bearer " + text))
		require.Equal(t, ErrCredentials, err, "%s: the error must not say why", name)
	}
	for name, changed := range map[string]map[string]any{
		"just expired": {"exp": now - leeway + 1}, "almost": {"nbf": now + leeway}, "issued almost": {"iat": now + leeway},
		"the longest": {"sub": strings.Repeat("m", MaxMember)}, "any audience": {"aud": "x"}, "any issuer": {"iss": "x"},
	} {
		_, _, err := g.check([]string{"Bearer " + forge(t, map[string]any{"alg": "EdDSA"}, adaClaims(w, changed), eddsa, edKey)})
		require.NoError(t, err, name)
	}
	for _, payload := range []string{`{"sub":1,"exp":4000000000}`, `{"sub":["ada"],"exp":4000000000}`, `{"sub":"ada","exp":"soon"}`, `{"sub":"ada","exp":[]}`, `null`, `""`, ``} {
		_, _, err := g.check([]string{"Bearer " + forgeText(t, `{"alg":"EdDSA"}`, payload, eddsa, edKey)})
		require.Error(t, err, payload)
	}
}

// TestTokenAudience: where the options name an audience and an issuer, tokens must have them.
func TestTokenAudience(t *testing.T) {
	_, w := newGuard(t)
	o := testOptions(w)
	o.Audience, o.Issuer = "zrank", "accounts"
	g := mustNew(t, o)
	for _, c := range []struct {
		aud, iss any
		ok       bool
	}{
		{"zrank", "accounts", true}, {[]string{"shop", "zrank"}, "accounts", true}, {nil, "accounts", false}, {"zrank", nil, false},
		{"shop", "accounts", false}, {"zrank", "other", false}, {[]string{}, "accounts", false}, {"Zrank", "accounts", false}, {"zrank", "", false},
	} {
		_, _, err := g.check([]string{"Bearer " + forge(t, map[string]any{"alg": "EdDSA"}, adaClaims(w, map[string]any{"aud": c.aud, "iss": c.iss}), eddsa, edKey)})
		require.Equal(t, c.ok, err == nil, "%v %v: %v", c.aud, c.iss, err)
	}
}

// TestTokensHaveOneText: a token with a byte changed, added or removed anywhere is refused (A3).
func TestTokensHaveOneText(t *testing.T) {
	g, w := newGuard(t)
	for _, s := range []Signer{{ID: "h", HS256: hmacKey}, {EdDSA: edKey}} {
		token := mustIssue(t, s, Token{Member: "ada", Expires: w.Now().Add(time.Hour)})
		for i := range len(token) {
			for _, changed := range flips(token, i) {
				_, _, err := g.tokens.verify(changed)
				require.Error(t, err, "%d: %q", i, changed)
			}
		}
	}
}

// TestKeysOfTokensRotate: a new key beside the old one verifies its own tokens, and removing the old one refuses the old tokens.
func TestKeysOfTokensRotate(t *testing.T) {
	_, w := newGuard(t)
	o := testOptions(w)
	next := []byte("next-0123456789abcdef0123456789ab")
	token := Token{Member: "ada", Expires: w.Now().Add(time.Hour)}
	old, recent := mustIssue(t, Signer{HS256: hmacKey}, token), mustIssue(t, Signer{HS256: next}, token)
	for _, c := range []struct {
		keys        []TokenKey
		old, recent bool
	}{
		{[]TokenKey{{HS256: hmacKey}}, true, false}, {[]TokenKey{{HS256: hmacKey}, {HS256: next}}, true, true}, {[]TokenKey{{HS256: next}, {EdDSA: edPublic}}, false, true},
	} {
		o.Tokens = c.keys
		g := mustNew(t, o)
		_, _, err := g.check([]string{"Bearer " + old})
		require.Equal(t, c.old, err == nil)
		_, _, err = g.check([]string{"Bearer " + recent})
		require.Equal(t, c.recent, err == nil)
	}
}

// TestIssueRefuses: a token that would not be read again is not issued; the error names everything that is wrong, and no secret.
func TestIssueRefuses(t *testing.T) {
	_, w := newGuard(t)
	good := Token{Member: "ada", Expires: w.Now().Add(time.Hour)}
	_, err := Signer{HS256: []byte("short-secret")}.Issue(Token{Member: "\xff", Boards: []string{"a", "\xff"}, Audience: ticketAudience, NotBefore: time.Unix(-1, 0)})
	require.ErrorIs(t, err, ErrToken)
	for _, part := range []string{"HS256 has 12 bytes", "Member", "Boards[1]", "Expires", "Audience", "out of range"} {
		require.ErrorContains(t, err, part)
	}
	require.NotContains(t, err.Error(), "short-secret")
	for _, s := range []Signer{{}, {HS256: hmacKey, EdDSA: edKey}, {EdDSA: edKey[:40]}, {EdDSA: edKey, ID: strings.Repeat("k", maxName+1)}} {
		_, err := s.Issue(good)
		require.ErrorIs(t, err, ErrToken)
	}
	for _, member := range []string{"", strings.Repeat("m", MaxMember+1), "a\xffb", "a\ufffdb"} {
		_, err := Signer{EdDSA: edKey}.Issue(Token{Member: member, Expires: good.Expires})
		require.ErrorIs(t, err, ErrToken)
	}
	require.True(t, isCompact(strings.Repeat("a", MaxCredential-2)+".."))
	require.False(t, isCompact(strings.Repeat("a", MaxCredential-1)+".."))
	_, err = Signer{EdDSA: edKey}.Issue(Token{Member: "ada", Expires: good.Expires, Boards: []string{strings.Repeat("b", MaxCredential)}})
	require.ErrorIs(t, err, ErrToken)
}
