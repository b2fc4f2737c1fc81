package resptest

import (
	"bytes"
	"fmt"
	"net"
	"strconv"
)

// Peer is a server that speaks the Redis protocol.
type Peer struct {
	network, address string
}

// At returns the peer that listens at an address, as net.Dial has it.
func At(network, address string) *Peer { return &Peer{network, address} }

// Addr returns the peer's address.
func (p *Peer) Addr() string { return p.address }

// Dial opens a connection. Errors: those of net.Dial.
func (p *Peer) Dial() (*Conn, error) {
	c, err := net.DialTimeout(p.network, p.address, ReplyTimeout)
	if err != nil {
		return nil, fmt.Errorf("resptest: %w", err)
	}
	return newConn(c), nil
}

// blocked returns the number of blocked clients of a peer.
func blocked(c *Conn) (int, error) {
	reply, err := c.Do("INFO", "clients")
	if err != nil {
		return 0, err
	}
	_, rest, ok := bytes.Cut(reply, []byte("blocked_clients:"))
	if !ok {
		return 0, fmt.Errorf("resptest: INFO clients has no blocked_clients: %s", reply)
	}
	digits, _, _ := bytes.Cut(rest, []byte("\r\n"))
	return strconv.Atoi(string(digits))
}
