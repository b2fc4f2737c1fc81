package session

import (
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/auth"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// The refusals of clients that are not authenticated, and of AUTH.
const (
	ErrNoAuth    = command.Refusal("NOAUTH Authentication required.")
	ErrWrongPass = command.Refusal("WRONGPASS invalid username-password pair or user is disabled.")
	// ErrAuthOften answers an attempt that was not looked at.
	ErrAuthOften = command.Refusal("ERR there were too many wrong passwords from this address: this one was not looked at, try again later")
	// ErrAuthLater answers AUTH between MULTI and EXEC, where a client cannot wait.
	ErrAuthLater = command.Refusal("ERR there were too many wrong passwords from this address: AUTH must be repeated outside of a transaction")
)

// Admit returns why the client may not run a command, or nil.
func (c *Client) Admit(m *Command) error {
	switch {
	case m.Flags&command.NoAuth != 0:
		return nil
	case c.User == nil:
		return ErrNoAuth
	case m.Flags&DeniedTo(c.User.Kind) != 0:
		return command.Refusal("NOPERM this user has no permissions to run the '" + m.Name + "' command")
	}
	return nil
}

// DeniedTo returns the flags of the commands that users of a kind may not run.
func DeniedTo(k auth.Kind) command.Flags {
	switch k {
	case auth.Any:
		return 0
	case auth.Moderate:
		return command.Admin | command.Remote
	case auth.Write:
		return command.Admin | command.Remote | command.Moderate
	default:
		return command.Admin | command.Remote | command.Moderate | command.Write
	}
}

// Authenticate makes the client the user of a name and a password. After an error its user stays the same. It may wait: see auth.Delay.
func (c *Client) Authenticate(name, password []byte) error {
	u, err := c.checkPassword(name, password)
	if err != nil {
		return err
	}
	if u == nil {
		c.Host.wrongAuth.Warn(c.Host.Config.Log, "resp: wrong name or password", "client", c.ID, "addr", c.Conn.RemoteAddr())
		return ErrWrongPass
	}
	c.Update(func() { c.User = u })
	c.Conn.Reader.Restrict(false)
	return nil
}

// checkPassword returns the user of a name and a password, nil if there is none, after the delay of the client's address. Errors:
// ErrAuthLater, ErrAuthOften; ErrWrongPass if the client is disconnected during the delay.
func (c *Client) checkPassword(name, password []byte) (*auth.User, error) {
	h := c.Host
	if len(h.Config.Users) == 0 { // there is nothing to guess
		return h.Config.Users.Find(name, password), nil
	}
	d, from := &h.AuthDelay, auth.AddressOf(c.Conn.RemoteAddr())
	delay, ok := d.Reserve(from, time.Now())
	if delay > 0 {
		if c.InExec {
			return nil, ErrAuthLater
		}
		if c.sleep(delay) != nil {
			c.Closing = true
			return nil, ErrWrongPass
		}
		if !ok {
			return nil, ErrAuthOften
		}
	}
	u := h.Config.Users.Find(name, password)
	switch {
	case u == nil && delay == 0:
		d.Fail(from, time.Now())
	case u != nil && delay > 0:
		d.Refund(from)
	}
	return u, nil
}
