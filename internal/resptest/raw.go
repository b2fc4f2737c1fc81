package resptest

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Exchange opens a connection, sends any bytes, closes its sending side, and returns all bytes that the peer sends until it closes the
// connection. Errors: those of the connection, but for a reset.
func (p *Peer) Exchange(b []byte) ([]byte, error) {
	c, err := net.DialTimeout(p.network, p.address, ReplyTimeout)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(ReplyTimeout)); err != nil {
		return nil, err
	}
	if _, err := c.Write(b); err != nil {
		return nil, err
	}
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		if err := half.CloseWrite(); err != nil && !errors.Is(err, syscall.ENOTCONN) {
			return nil, err
		}
	}
	got, err := io.ReadAll(c)
	if errors.Is(err, syscall.ECONNRESET) {
		err = nil
	}
	return got, err
}

// GenerateRaw returns bytes that a client might send by mistake, or to do harm: requests, in either form, that are changed, cut off
// or run into each other. They depend on the seed alone. They have no zero byte, since Redis ignores the rest of a line after one.
func GenerateRaw(seed uint64) []byte {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 36))}
	var b []byte
	for range 1 + g.IntN(4) {
		b = append(b, g.request()...)
	}
	for g.IntN(3) > 0 && len(b) > 0 {
		i := g.IntN(len(b))
		switch g.IntN(5) {
		case 0:
			b = b[:i]
		case 1:
			b[i] = pick(g, []byte("*$:+-\r\n 0129'\"\\a\xff")...)
		case 2:
			b = append(b[:i], b[i+1:]...)
		case 3:
			b = append(b[:i], append([]byte{pick(g, []byte("\r\n\r\n $*'\"\\x-0")...)}, b[i:]...)...)
		case 4:
			b = append(b[:i], append([]byte(pick(g, "\r\n", "*1\r\n", "$-1\r\n", "*-1\r\n", "*0\r\n", "\n", "$0\r\n\r\n", "*999999999999\r\n", "$536870913\r\n", "\\x41")), b[i:]...)...)
		}
	}
	return b
}

// request returns a simple request, mostly as an array, else inline.
func (g *generator) request() []byte {
	words := pick(g, []string{"PING"}, []string{"ECHO", g.visible()}, []string{"ZADD", "k", "1", g.visible()}, []string{"ZCARD", "k"}, []string{"ZSCORE", "k", "a"}, []string{"nosuch", g.visible(), "x"})
	if g.IntN(3) > 0 {
		b := []byte("*" + strconv.Itoa(len(words)) + "\r\n")
		for _, w := range words {
			b = append(b, "$"+strconv.Itoa(len(w))+"\r\n"+w+"\r\n"...)
		}
		return b
	}
	line := words[0]
	for _, w := range words[1:] {
		line += pick(g, " ", "  ", "\t") + pick(g, w, strconv.Quote(w), "'"+w+"'", `"\x`+strconv.Itoa(10+g.IntN(80))+w+`"`)
	}
	return []byte(line + pick(g, "\r\n", "\n", "\r\n\r\n"))
}

// visible returns a member without zero bytes.
func (g *generator) visible() string { return strings.ReplaceAll(g.member(), "\x00", "0") }
