package resptest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

const batch = 64 // the largest number of steps that step sends together

// Transcript has the replies of a peer to a script. For each step it has the reply, or nil if there was none, and the step after which
// the reply came.
type Transcript struct {
	Replies []Reply
	After   []int
}

// Player plays scripts on a peer, one after the other, over connections that it keeps. It is for one goroutine.
type Player struct {
	peer    *Peer
	control *Conn
	conns   [Conns]*Conn
	waiting [Conns]int    // the step that is blocked there, or -1
	wait    time.Duration // the longest wait for a reply

	script Script
	guide  *Transcript // the replies of the reference; nil: this is the reference
	got    Transcript
}

// NewPlayer returns a player on a peer.
func NewPlayer(peer *Peer) *Player { return &Player{peer: peer, wait: ReplyTimeout} }

// Close closes the connections.
func (p *Player) Close() {
	for _, c := range append(p.conns[:], p.control) {
		if c != nil {
			c.Close()
		}
	}
	p.control, p.conns = nil, [Conns]*Conn{}
}

// Play empties the peer, plays a script on it and returns the replies. guide is the transcript of the reference, or nil if the peer is the
// reference. With a guide, Play stops at the first reply that fails or does not come when the guide says, and returns the replies before
// it. An error means that prepare failed, or that the reference failed.
func (p *Player) Play(script Script, guide *Transcript) (Transcript, error) {
	if err := p.prepare(); err != nil {
		p.Close()
		return Transcript{}, fmt.Errorf("resptest: %s: %w", p.peer.address, err)
	}
	p.script, p.guide = script, guide
	p.got = Transcript{make([]Reply, len(script)), make([]int, len(script))}
	for i := 0; i < len(script); {
		next, err := p.step(i)
		if err != nil {
			p.Close()
			if guide != nil {
				return p.got, nil // the missing replies show the failure
			}
			return p.got, fmt.Errorf("resptest: %s: %s: %w", p.peer.address, script[i], err)
		}
		i = next
	}
	return p.got, nil
}

// settings are the commands that prepare sends at the beginning of each script.
var settings = [][]string{
	{"FLUSHALL"}, {"CONFIG", "SET", "zset-max-listpack-entries", "128"}, {"CONFIG", "SET", "zset-max-listpack-value", "64"},
	{"CONFIG", "SET", "set-max-intset-entries", "512"},
}

// prepare empties the peer and resets every connection to the state of a new one.
func (p *Player) prepare() (err error) {
	if p.control == nil {
		if p.control, err = p.peer.Dial(); err != nil {
			return err
		}
	}
	for i, c := range p.conns {
		if c != nil && p.waiting[i] < 0 {
			if reply, err := c.Do("RESET"); err != nil || string(reply) != "+RESET\r\n" {
				return fmt.Errorf("RESET: %s: %w", reply, err)
			}
			continue
		}
		if c != nil {
			c.Close()
		}
		if p.conns[i], err = p.peer.Dial(); err != nil {
			return err
		}
		p.waiting[i] = -1
	}
	if err := p.waitBlocked(0); err != nil {
		return err
	}
	for _, c := range p.conns {
		c.wait = p.wait
	}
	for _, words := range settings {
		if reply, err := p.control.Do(words...); err != nil || reply.IsError() {
			return fmt.Errorf("%s: %s: %w", Join(words), reply, err)
		}
	}
	return nil
}

// step plays step i, together with the steps after it that can share its pipeline. It returns the first step not played. It passes over a
// step on a blocked connection.
func (p *Player) step(i int) (next int, err error) {
	s := p.script[i]
	if p.waiting[s.Conn] >= 0 {
		return i + 1, nil
	}
	if blocks(s.Words) {
		if err := p.mayBlock(i); err != nil {
			return 0, err
		}
		return i + 1, p.readUnblocked(i)
	}
	if scan := slices.Index(s.Words, "*"); scan >= 0 && scans(s.Words) == scan {
		reply, err := scanAll(p.conns[s.Conn], s.Words, scan)
		p.record(i, i, reply)
		return i + 1, errors.Join(err, p.readUnblocked(i))
	}
	end := i + 1
	for end < len(p.script) && end < i+batch && p.blocked() == 0 && p.script[end].Conn == s.Conn && !p.alone(end) {
		end++
	}
	c := p.conns[s.Conn]
	for j := i; j < end; j++ {
		c.Queue(p.script[j].Words...)
	}
	if err := c.Flush(); err != nil {
		return 0, err
	}
	for j := i; j < end; j++ {
		reply, err := c.Read()
		if err != nil {
			return 0, err
		}
		p.record(j, j, reply)
	}
	return end, p.readUnblocked(end - 1)
}

// record puts the reply to a step into the transcript, with the step after which it came.
func (p *Player) record(step, after int, reply Reply) {
	p.got.Replies[step], p.got.After[step] = reply, after
}

// alone reports whether a step cannot share a pipeline with others.
func (p *Player) alone(i int) bool {
	words := p.script[i].Words
	return blocks(words) || scans(words) > 0 && slices.Contains(words, "*")
}

// blocked returns how many connections wait for the reply of a blocked step.
func (p *Player) blocked() (n int) {
	for _, w := range p.waiting {
		if w >= 0 {
			n++
		}
	}
	return n
}

// blocks reports whether a command may block for 1 s or longer.
func blocks(words []string) bool {
	timeout := ""
	switch strings.ToUpper(words[0]) {
	case "BZPOPMIN", "BZPOPMAX":
		timeout = words[len(words)-1]
	case "BZMPOP":
		timeout = words[min(1, len(words)-1)]
	default:
		return false
	}
	seconds, err := strconv.ParseFloat(timeout, 64)
	return err == nil && !(seconds > 0 && seconds < 1)
}

// mayBlock plays a step that may block: it sends it and waits until the peer has answered or says that it is blocked.
func (p *Player) mayBlock(i int) error {
	s := p.script[i]
	c := p.conns[s.Conn]
	c.Queue(s.Words...)
	if err := c.Flush(); err != nil {
		return err
	}
	if p.guide != nil && p.guide.After[i] == i && p.guide.Replies[i] != nil {
		reply, err := c.Read()
		p.record(i, i, reply)
		return err
	}
	for end := time.Now().Add(p.wait); time.Now().Before(end); {
		if n, err := blocked(p.control); err != nil {
			return err
		} else if n > p.blocked() {
			p.waiting[s.Conn] = i
			return nil
		}
		if ok, err := c.Ready(100 * time.Microsecond); err != nil {
			return err
		} else if ok {
			reply, err := c.Read()
			p.record(i, i, reply)
			return err
		}
	}
	return errors.New("neither an answer nor a blocked client")
}

// readUnblocked reads the replies of the blocked steps that step i has unblocked.
func (p *Player) readUnblocked(i int) error {
	if p.blocked() == 0 {
		return nil
	}
	if p.guide != nil {
		for conn, step := range p.waiting {
			if step >= 0 && p.guide.After[step] == i && p.guide.Replies[step] != nil {
				if err := p.wake(conn, i); err != nil {
					return err
				}
			}
		}
		return p.waitBlocked(p.blocked())
	}
	n, err := blocked(p.control)
	if err != nil {
		return err
	}
	for p.blocked() > n {
		for conn, step := range p.waiting {
			if step < 0 {
				continue
			}
			if ok, err := p.conns[conn].Ready(100 * time.Microsecond); err != nil {
				return err
			} else if ok {
				if err := p.wake(conn, i); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// wake reads the reply of a blocked connection, which came after step i.
func (p *Player) wake(conn, i int) error {
	reply, err := p.conns[conn].Read()
	if err == nil {
		p.record(p.waiting[conn], i, reply)
		p.waiting[conn] = -1
	}
	return err
}

// waitBlocked waits until the peer reports want blocked clients.
func (p *Player) waitBlocked(want int) error {
	var n int
	for end := time.Now().Add(p.wait); time.Now().Before(end); {
		var err error
		if n, err = blocked(p.control); err != nil || n == want {
			return err
		}
	}
	return fmt.Errorf("%d clients are blocked, want %d", n, want)
}
