package access

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Listen returns ErrListen if a server with these options must not listen on an address, or nil. An address of this machine alone is allowed: a
// loopback address, localhost, a Unix socket ("unix:/path", "/path" or "@name"). Any other needs keys or tokens, and TLS, or insecure, by which an
// operator says that neither is wanted. The address is "host:port", as net.Listen takes it, and better the one that a listener has: ":80" is all
// addresses of the machine, and a name other than localhost may be any. The error names what is missing.
func (o Options) Listen(addr string, tls, insecure bool) error {
	if strings.HasPrefix(addr, "unix:") || strings.HasPrefix(addr, "/") || strings.HasPrefix(addr, "@") {
		return nil
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrListen, err)
	}
	ip, err := netip.ParseAddr(host)
	if insecure || host == localhost || err == nil && ip.IsLoopback() {
		return nil
	}
	var errs []error
	if o.Open || len(o.Keys)+len(o.Tokens) == 0 {
		errs = append(errs, fmt.Errorf("%w on %q: no keys: everybody who reaches it could do everything", ErrListen, addr))
	}
	if !tls {
		errs = append(errs, fmt.Errorf("%w on %q: no TLS: keys and tokens could be read on the way", ErrListen, addr))
	}
	return errors.Join(errs...)
}

const localhost = "localhost"

// isLocal reports whether a host, as in the header Host, is an IP address or localhost: a name that nobody else can point at this machine.
func isLocal(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return host == "" || strings.EqualFold(host, localhost) || parseAddress(host).IsValid()
}

// CheckHost returns an error for a request to a name that is neither this machine nor among hosts: where everybody may do something, a page of another site
// could have its own name point here. Error: ErrForbidden.
func CheckHost(r *http.Request, hosts []string) error {
	host, _, _ := strings.Cut(r.Host, ":")
	if !isLocal(r.Host) && !slices.ContainsFunc(hosts, func(name string) bool { return strings.EqualFold(name, host) }) {
		return fmt.Errorf("%w: this server is open, and not known by that name", ErrForbidden)
	}
	return nil
}
