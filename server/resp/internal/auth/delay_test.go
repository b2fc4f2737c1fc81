package auth

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAuthDelayIsBounded: a Delay stores maxAddresses addresses at most, and keeps the address with the most failures.
func TestAuthDelayIsBounded(t *testing.T) {
	var d Delay
	now := time.Now()
	worst := AddressOf(&net.TCPAddr{IP: net.ParseIP("10.0.0.1")})
	for range 30 {
		d.Fail(worst, now)
	}
	for i := range 3 * maxAddresses {
		ip := netip.AddrFrom4([4]byte{11, byte(i >> 16), byte(i >> 8), byte(i)})
		d.Fail(netip.PrefixFrom(ip, 32), now)
		require.LessOrEqual(t, len(d.until), maxAddresses)
	}
	require.Equal(t, Longest, d.Reserve(worst, now))
	now = now.Add(time.Hour)
	require.Zero(t, d.Reserve(worst, now))
}

// TestAddressOf: an IPv4 address counts by itself, an IPv6 address by its first 64 bits.
func TestAddressOf(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.7:1": "192.0.2.7/32", "[::ffff:192.0.2.7]:1": "192.0.2.7/32", "[2001:db8:1:2:3::9]:1": "2001:db8:1:2::/64", "[fe80::1%lo]:1": "fe80::/64",
	} {
		tcp, err := net.ResolveTCPAddr("tcp", addr)
		require.NoError(t, err)
		require.Equal(t, want, AddressOf(tcp).String())
	}
	require.Equal(t, netip.Prefix{}, AddressOf(&net.UnixAddr{Name: "/tmp/s", Net: "unix"}))
}
