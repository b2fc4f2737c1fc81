package resp

import "time"

const (
	errNoAuth    = refusal("NOAUTH Authentication required.")
	errWrongPass = refusal("WRONGPASS invalid username-password pair or user is disabled.")
	// errAuthLater answers AUTH between MULTI and EXEC, where a client cannot wait.
	errAuthLater = refusal("ERR there were too many wrong passwords from this address: AUTH must be repeated outside of a transaction")
)

// admit returns why the client may not run a command, or nil.
func (c *client) admit(m *command) error {
	switch {
	case m.flags&noAuth != 0:
		return nil
	case c.user == nil:
		return errNoAuth
	case c.user.readOnly && m.flags&(write|admin) != 0:
		return refusal("NOPERM this user has no permissions to run the '" + m.name + "' command")
	}
	return nil
}

// authenticate makes the client the user of a name and a password. After an error it stays the user that it was. It may wait: see authDelay.
func (c *client) authenticate(name, password []byte) error {
	u, err := c.checkPassword(name, password)
	if err != nil {
		return err
	}
	if u == nil {
		c.host.wrongAuth.warn(c.host.o.log, "resp: wrong name or password", "client", c.id, "addr", c.conn.RemoteAddr())
		return errWrongPass
	}
	c.update(func() { c.user = u })
	c.conn.in.Restrict(false)
	return nil
}

// checkPassword returns the user of a name and a password, nil if there is none, after the delay of the client's address. Errors:
// errAuthLater; errWrongPass if the client is disconnected during the delay.
func (c *client) checkPassword(name, password []byte) (*authUser, error) {
	h := c.host
	if len(h.o.users) == 0 { // there is nothing to guess
		return h.o.users.find(name, password), nil
	}
	d, from := &h.authDelay, addressOf(c.conn.RemoteAddr())
	delay := d.before(from, time.Now())
	if delay > 0 {
		if c.inExec {
			return nil, errAuthLater
		}
		if c.sleep(delay) != nil {
			c.closing = true
			return nil, errWrongPass
		}
	}
	u := h.o.users.find(name, password)
	switch {
	case u == nil && delay == 0:
		d.wrong(from, time.Now())
	case u != nil && delay > 0:
		d.right(from)
	}
	return u, nil
}
