package session

import (
	"cmp"
	"net"
	"slices"
)

// Accept adds a client of a connection. It returns nil if there are MaxClients already.
func (h *Host) Accept(conn net.Conn) *Client {
	l := &h.Clients
	l.mu.Lock()
	defer l.mu.Unlock()
	if int64(len(l.byID)) >= h.MaxClients.Load() {
		h.Counters.Refused.Add(1)
		return nil
	}
	h.Counters.Connections.Add(1)
	if l.byID == nil {
		l.byID = map[int64]*Client{}
	}
	l.last++
	c := NewClient(h, conn, l.last)
	l.byID[c.ID] = c
	return c
}

// Remove removes a client whose goroutine has ended.
func (l *registry) Remove(c *Client) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byID, c.ID)
}

// Len returns the number of clients.
func (l *registry) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.byID)
}

// Get returns the client with a number, or nil.
func (l *registry) Get(id int64) *Client {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.byID[id]
}

// All returns the clients, the oldest first.
func (l *registry) All() []*Client {
	l.mu.Lock()
	list := make([]*Client, 0, len(l.byID))
	for _, c := range l.byID {
		list = append(list, c)
	}
	l.mu.Unlock()
	slices.SortFunc(list, func(a, b *Client) int { return cmp.Compare(a.ID, b.ID) })
	return list
}
