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
	wait, ok := d.Reserve(worst, now)
	require.Equal(t, Longest, wait)
	require.False(t, ok)
	wait, ok = d.Reserve(worst, now.Add(time.Hour))
	require.Zero(t, wait)
	require.True(t, ok)
}

// TestOneASecond: the connections of an address, however many, have Free wrong passwords checked, and one every Interval together.
func TestOneASecond(t *testing.T) {
	for _, connections := range []int{1, 5, 6, 100, 1000} {
		var d Delay
		from := AddressOf(&net.TCPAddr{IP: net.ParseIP("10.0.0.1")})
		begun := time.Now()
		next := make([]time.Time, connections) // when each sends its next password
		checks := map[time.Duration]int{}      // passwords that are checked, by the second
		for i := range next {
			next[i] = begun
		}
		for now := begun; now.Sub(begun) < time.Minute; now = now.Add(time.Second / 10) {
			for i := range next {
				for !next[i].After(now) {
					wait, ok := d.Reserve(from, now)
					if next[i] = now.Add(wait); ok {
						checks[next[i].Sub(begun).Truncate(Interval)]++
					}
					if ok && wait == 0 {
						d.Fail(from, now)
					}
				}
			}
		}
		total := 0
		for at, n := range checks {
			if at < time.Minute {
				total += n
			}
			if at > 0 {
				require.LessOrEqual(t, n, 1, "%d connections at %v", connections, at)
			}
		}
		require.InDelta(t, Free+59, total, 2, "%d connections", connections)
	}
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
