package access

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/testclock"
)

// TestValidate: one error names everything that is wrong, and no secret.
func TestValidate(t *testing.T) {
	secret := "a-secret-that-must-not-show"
	o := Options{
		Open: true,
		Keys: []Key{
			{Name: "a", Secret: secret, Rights: Read},
			{Name: "a", Secret: secret, Rights: Read, Boards: []string{""}},
			{Name: "open", Secret: "short", Rights: 0},
			{Name: "b:c", Secret: secret + " ", SHA256: "00", Rights: submitBit},
			{Name: "d", SHA256: "xyz", Rights: All},
			{Name: "", Rights: Read},
			{Name: strings.Repeat("n", maxName+1), Secret: strings.Repeat("s", MaxCredential+1), Rights: Read},
		},
		Tokens: []TokenKey{
			{ID: strings.Repeat("k", maxName+1)}, {HS256: []byte("short-hmac")}, {EdDSA: edPublic[:5]}, {HS256: hmacKey, EdDSA: edPublic},
			{HS256: edPublic}, {EdDSA: edPublic}, {HS256: ticketKey},
		},
		Tickets:        TicketOptions{Keys: [][]byte{ticketKey, []byte("short-ticket")}, MaxLife: time.Millisecond},
		Audience:       ticketAudience,
		Leeway:         time.Hour,
		Failures:       -1,
		TrustedProxies: []netip.Prefix{{}},
	}
	_, err := New(o)
	require.ErrorIs(t, err, ErrOptions)
	for _, part := range []string{
		"Open is set", "Leeway is 1h0m0s", "Failures is -1", "Audience", "TrustedProxies[0]", "tickets: Keys[1] has 12 bytes", "MaxLife is 1ms",
		`Keys[1].Name is "a", as that of Keys[0]`, "Keys[1] has the secret of Keys[0]", "Keys[1].Boards[0] is empty", `Keys[2].Name is "open"`,
		"Keys[2].Secret has 5 bytes", "Keys[2].Rights are 0", `Keys[3].Name is "b:c"`, "Keys[3].Secret or SHA256: want one", "Keys[3].Secret has a space",
		"Keys[3].Rights are 2", "Keys[4].SHA256 is no SHA-256", "Keys[5].Name", "Keys[5].Secret or SHA256", "Keys[6].Name", "Keys[6].Secret has 8193 bytes",
		"Tokens[0].ID has 129 bytes", "Tokens[0].HS256 or EdDSA", "Tokens[1].HS256 has 10 bytes", "Tokens[2].EdDSA has 5 bytes", "Tokens[3].HS256 or EdDSA",
		"Tokens[4] and Tokens[5] are one public key", "Tokens[6].HS256 is Tickets.Keys[0]",
	} {
		require.ErrorContains(t, err, part)
	}
	for _, hidden := range []string{secret, "short-hmac", "short-ticket", string(ticketKey)} {
		require.NotContains(t, err.Error(), hidden)
	}
	require.ErrorContains(t, Options{}.Validate(), "nobody could do anything")
	require.ErrorContains(t, Options{Tokens: make([]TokenKey, maxTokenKeys+1)}.Validate(), "at most 64")
	require.NoError(t, Options{Open: true}.Validate())
	require.NoError(t, testOptions(testclock.New()).Validate())
}

// TestListen: nothing listens beyond this machine without keys and TLS, or an operator who says so (A8).
func TestListen(t *testing.T) {
	open, secured := Options{Open: true}, testOptions(testclock.New())
	for _, addr := range []string{"127.0.0.1:80", "127.8.8.8:0", "[::1]:80", "[::ffff:127.0.0.1]:80", "localhost:80", "unix:/tmp/s", "/tmp/s", "@s"} {
		require.NoError(t, open.Listen(addr, false, false), addr)
		require.NoError(t, secured.Listen(addr, false, false), addr)
	}
	for _, addr := range []string{":80", "0.0.0.0:80", "[::]:80", "192.168.0.1:80", "[fe80::1%lo]:80", "example.org:80", "localhost.example.org:80", "127.0.0.1.example.org:1"} {
		require.NoError(t, secured.Listen(addr, true, false), addr)
		require.NoError(t, secured.Listen(addr, false, true), addr)
		require.NoError(t, open.Listen(addr, false, true), addr)
		err := secured.Listen(addr, false, false)
		require.ErrorIs(t, err, ErrListen, addr)
		require.ErrorContains(t, err, "no TLS")
		require.NotContains(t, err.Error(), "no keys")
		for _, o := range []Options{open, {}} {
			err = o.Listen(addr, true, false)
			require.ErrorIs(t, err, ErrListen, addr)
			require.ErrorContains(t, err, "no keys")
			require.NotContains(t, err.Error(), "no TLS")
		}
	}
	require.ErrorIs(t, open.Listen("127.0.0.1", false, true), ErrListen)
	require.ErrorIs(t, open.Listen("", false, false), ErrListen)
}

// TestClient: what a trusted proxy says of the client is believed, and what the client says of itself is not.
func TestClient(t *testing.T) {
	o := Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}}
	for _, c := range []struct {
		peer string
		xff  []string
		want string
	}{
		{"192.0.2.1:5", nil, "192.0.2.1"},
		{"192.0.2.1:5", []string{"198.51.100.1"}, "192.0.2.1"},
		{"10.0.0.1:5", nil, "10.0.0.1"},
		{"10.0.0.1:5", []string{""}, "10.0.0.1"},
		{"10.0.0.1:5", []string{"198.51.100.1"}, "198.51.100.1"},
		{"10.0.0.1:5", []string{"6.6.6.6, 198.51.100.1"}, "198.51.100.1"},
		{"10.0.0.1:5", []string{"6.6.6.6", "198.51.100.1 , 10.2.3.4"}, "198.51.100.1"},
		{"10.0.0.1:5", []string{"6.6.6.6,10.1.1.1", "10.2.3.4"}, "6.6.6.6"},
		{"10.0.0.1:5", []string{"10.1.1.1, 10.2.3.4"}, "10.1.1.1"},
		{"10.0.0.1:5", []string{"6.6.6.6, unknown, 10.2.3.4"}, "10.2.3.4"},
		{"10.0.0.1:5", []string{"6.6.6.6, unknown"}, "10.0.0.1"},
		{"10.0.0.1:5", []string{"198.51.100.1:1234"}, "198.51.100.1"},
		{"[fd00::1]:5", []string{"[2001:db8::1]:1234"}, "2001:db8::1"},
		{"[fd00::1]:5", []string{"[2001:db8::1]"}, "2001:db8::1"},
		{"[fd00::1]:5", []string{"2001:db8::1"}, "2001:db8::1"},
		{"[::ffff:10.0.0.1]:5", []string{"::ffff:198.51.100.1"}, "198.51.100.1"},
		{"@", []string{"198.51.100.1"}, "invalid IP"},
		{"", nil, "invalid IP"},
	} {
		r := &http.Request{RemoteAddr: c.peer, Header: http.Header{"X-Forwarded-For": c.xff}}
		require.Equal(t, c.want, o.Client(r).String(), "%v", c)
	}
	require.Equal(t, netip.Prefix{}, Block(netip.Addr{}))
	require.Equal(t, "2001:db8:0:1::/64", Block(netip.MustParseAddr("2001:db8:0:1:2:3:4:5")).String())
	require.Equal(t, "192.0.2.1/32", Block(netip.MustParseAddr("192.0.2.1")).String())
}
