package session

import "errors"

// Kill disconnects the client. Other goroutines call it. The client's own goroutine finishes the command that it executes.
func (c *Client) Kill() {
	c.Update(func() { c.killed = true })
	c.Unblock(errGone) // it may have stopped reading
	c.Conn.Disconnect()
}

// Unblock ends the wait of the client's command, and reports whether it waited. Other goroutines call it.
func (c *Client) Unblock(cause error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wake == nil {
		return false
	}
	c.wake(cause)
	c.wake = nil
	return true
}

var errGone = errors.New("resp: the client has gone")
