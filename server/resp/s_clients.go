package resp

import (
	"cmp"
	"net"
	"slices"
	"sync"
)

// registry is the connected clients of a server.
type registry struct {
	mu   sync.Mutex
	last int64 // number of the newest client
	byID map[int64]*client
}

// accept adds a client of a connection. It returns nil if there are maxClients already.
func (h *host) accept(conn net.Conn) *client {
	l := &h.clients
	l.mu.Lock()
	defer l.mu.Unlock()
	if int64(len(l.byID)) >= h.maxClients.Load() {
		h.counters.refused.Add(1)
		return nil
	}
	h.counters.connections.Add(1)
	if l.byID == nil {
		l.byID = map[int64]*client{}
	}
	l.last++
	c := newClient(h, conn, l.last)
	l.byID[c.id] = c
	return c
}

// remove removes a client whose goroutine has ended.
func (l *registry) remove(c *client) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byID, c.id)
}

// len returns the number of clients.
func (l *registry) len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.byID)
}

// get returns the client with a number, or nil.
func (l *registry) get(id int64) *client {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.byID[id]
}

// all returns the clients, the oldest first.
func (l *registry) all() []*client {
	l.mu.Lock()
	list := make([]*client, 0, len(l.byID))
	for _, c := range l.byID {
		list = append(list, c)
	}
	l.mu.Unlock()
	slices.SortFunc(list, func(a, b *client) int { return cmp.Compare(a.id, b.id) })
	return list
}
