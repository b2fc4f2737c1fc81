package access

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Client returns the address that a request comes from: that of the connection, or, if it is a trusted proxy, the last one in X-Forwarded-For that
// is no trusted proxy. What stands before that one in X-Forwarded-For is what the client says, and is not believed. The zero Addr is for connections
// that have no IP address.
func (o Options) Client(r *http.Request) netip.Addr {
	peer := parseAddress(r.RemoteAddr)
	if !o.trusts(peer) {
		return peer
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		addr := parseAddress(strings.TrimSpace(hop))
		if !addr.IsValid() {
			break // the last proxy that we believe
		}
		if peer = addr; !o.trusts(addr) {
			break
		}
	}
	return peer
}

// trusts reports whether an address is a trusted proxy.
func (o Options) trusts(addr netip.Addr) bool {
	return slices.ContainsFunc(o.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// parseAddress returns the IP address of a text, with a port or without, as an IPv4 address if it is one; the zero Addr for other texts.
func parseAddress(text string) netip.Addr {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap().WithZone("")
	}
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap().WithZone("")
}

// Block returns the addresses that count as one client: an IPv4 address, or the first 64 bits of an IPv6 address, since one machine commonly has
// all addresses that begin with them. The zero Prefix is that of the zero Addr.
func Block(addr netip.Addr) netip.Prefix {
	bits := 64
	if addr.Is4() {
		bits = 32
	}
	block, _ := addr.Prefix(bits) // the zero Prefix for the zero Addr
	return block
}
