package auth

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// An address may fail Free times, and again once every Interval, however many connections it has. An attempt beyond that waits for its turn before the server
// checks the password, so that the time tells nothing of the password. If the turn is further away than Longest, the attempt waits for Longest and is refused
// without a look at the password: clients of one address that guess keep others of the same address from signing in, and not those that have signed in.
//
// An address is an IPv4 address, or the first 64 bits of an IPv6 address, since one machine commonly has all addresses that begin with them.
// All clients of Unix sockets are one address.
//
// The state of an address is one time, as in the generic cell rate algorithm: when it will have all its free failures again. An address whose
// time is past needs no state. A waiting attempt takes no memory beside the goroutine of its client.
const (
	// Free is the number of failures of an address before its attempts wait.
	Free = 10
	// Interval is the time after which an address has one more free failure.
	Interval = time.Second
	// Longest is the longest wait of an attempt: more attempts than have a turn in that time are refused.
	Longest      = 5 * time.Second
	maxAddresses = 16 << 10
	evictSample  = 16 // evict removes the one with the fewest failures among this number of addresses
)

// Delay slows down addresses that send wrong passwords. The zero value is ready to use. Any goroutine may use it.
type Delay struct {
	mu    sync.Mutex
	until map[netip.Prefix]time.Time
}

// Reserve returns how long an attempt of an address must wait, and whether its password may be checked then. An attempt that waits and may be checked counts as a
// failure until Refund.
func (d *Delay) Reserve(from netip.Prefix, now time.Time) (wait time.Duration, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	until, known := d.until[from]
	if wait = until.Add(-(Free - 1) * Interval).Sub(now); !known || wait <= 0 {
		return 0, true
	}
	if wait > Longest {
		return Longest, false
	}
	d.add(from, now)
	return wait, true
}

// Fail counts the failure of an attempt that has not waited.
func (d *Delay) Fail(from netip.Prefix, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.add(from, now)
}

// Refund takes back the failure that Reserve has counted for an attempt that waits.
func (d *Delay) Refund(from netip.Prefix) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if until, ok := d.until[from]; ok {
		d.until[from] = until.Add(-Interval)
	}
}

// add counts a failure.
func (d *Delay) add(from netip.Prefix, now time.Time) {
	until, known := d.until[from]
	if d.until == nil {
		d.until = map[netip.Prefix]time.Time{}
	}
	if !known && len(d.until) >= maxAddresses {
		d.evict(now)
	}
	if until.Before(now) {
		until = now
	}
	latest := now.Add(Free*Interval + Longest) // a clock that has gone back keeps nobody out for longer
	if until = until.Add(Interval); until.After(latest) {
		until = latest
	}
	d.until[from] = until
}

// evict removes an address whose time is past, or the one of a sample with the fewest failures. O(evictSample).
func (d *Delay) evict(now time.Time) {
	var least netip.Prefix
	sampled := 0
	for from, until := range d.until {
		if !until.After(now) {
			least = from
			break
		}
		if sampled == 0 || until.Before(d.until[least]) {
			least = from
		}
		if sampled++; sampled == evictSample {
			break
		}
	}
	delete(d.until, least)
}

// AddressOf returns the prefix of a client's address that its attempts count for; the zero Prefix for all clients without an IP address.
func AddressOf(addr net.Addr) netip.Prefix {
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
