package resp

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// Wrong passwords are slowed down for each address that they come from: an IPv4 address, or the first 64 bits of an IPv6 address, of which one
// machine commonly has all that begin with them. Clients of Unix sockets are one address together. An address may fail authFree times, and
// again once every authEvery. Beyond that each attempt waits before the password is looked at, so that a right password cannot be told from
// a wrong one by the time that it takes; never for longer than authLongest, so that nobody can keep others of the same address out.
// One connection gets 1 attempt a second, n connections of one address n/5.
//
// The state of an address is one time, as in the generic cell rate algorithm: that at which it will have all its failures free again. An
// address with a time that is over needs no state. A waiting attempt is the goroutine of its client, and holds nothing else.
const (
	authFree      = 10
	authEvery     = time.Second
	authLongest   = 5 * time.Second
	authAddresses = 16 << 10 // addresses that are remembered; above that the one of a few goes that has failed least
	authSample    = 16
)

// authDelay knows the addresses of which wrong passwords have come. The zero value knows none. It is safe for many goroutines.
type authDelay struct {
	mu    sync.Mutex
	until map[netip.Prefix]time.Time
}

// before returns how long an attempt of an address has to wait. One that has to counts as a failure until right says otherwise.
func (d *authDelay) before(from netip.Prefix, now time.Time) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	until, known := d.until[from]
	if free := until.Add(-(authFree - 1) * authEvery); known && free.After(now) {
		d.add(from, now)
		return min(free.Sub(now), authLongest)
	}
	return 0
}

// wrong counts the failure of an attempt that has not waited.
func (d *authDelay) wrong(from netip.Prefix, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.add(from, now)
}

// right takes back what before has counted.
func (d *authDelay) right(from netip.Prefix) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if until, ok := d.until[from]; ok {
		d.until[from] = until.Add(-authEvery)
	}
}

func (d *authDelay) add(from netip.Prefix, now time.Time) {
	until, known := d.until[from]
	if d.until == nil {
		d.until = map[netip.Prefix]time.Time{}
	}
	if !known && len(d.until) >= authAddresses {
		d.forgetOne(now)
	}
	if until.Before(now) {
		until = now
	}
	latest := now.Add((authFree-1)*authEvery + authLongest)
	if until = until.Add(authEvery); until.After(latest) {
		until = latest
	}
	d.until[from] = until
}

// forgetOne makes room for another address. O(authSample).
func (d *authDelay) forgetOne(now time.Time) {
	var least netip.Prefix
	looked := 0
	for from, until := range d.until {
		if !until.After(now) {
			least = from
			break
		}
		if looked == 0 || until.Before(d.until[least]) {
			least = from
		}
		if looked++; looked == authSample {
			break
		}
	}
	delete(d.until, least)
}

// addressOf returns what of a client's address its attempts are counted by; the zero Prefix stands for all that have no IP address.
func addressOf(addr net.Addr) netip.Prefix {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	ip := tcp.AddrPort().Addr().Unmap().WithZone("")
	bits := 64
	if ip.Is4() {
		bits = 32
	}
	prefix, _ := ip.Prefix(bits) // the zero Prefix for an invalid address
	return prefix
}
