package resp

import (
	"crypto/sha256"
	"crypto/subtle"
)

const (
	errNoAuth    = refusal("NOAUTH Authentication required.")
	errWrongPass = refusal("WRONGPASS invalid username-password pair or user is disabled.")
	errOpen      = refusal("ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?")
)

// defaultUser is who gives a password without a name, and everybody where there are no users.
const defaultUser = "default"

// everybody is the user of all clients of a server without users.
var everybody = &User{Name: defaultUser}

// welcome returns the user of a new client: nil if it has yet to say who it is.
func (s *Server) welcome() *User {
	if len(s.o.Users) == 0 {
		return everybody
	}
	return nil
}

// admit says why the client may not run a command, or nil.
func (c *client) admit(m *command) error {
	switch {
	case m.flags&noAuth != 0:
		return nil
	case c.user == nil:
		return errNoAuth
	case c.user.ReadOnly && m.flags&(write|admin) != 0:
		return refusal("NOPERM this user has no permissions to run the '" + m.name + "' command")
	}
	return nil
}

// authenticate makes the client the user of that name. One that fails stays who it was. It may wait: see authdelay.go.
func (c *client) authenticate(name, password []byte) error {
	u, err := c.whoIs(name, password)
	if err != nil {
		return err
	}
	if u == nil {
		c.s.wrongAuth.warn(c.s.o.Logger, "resp: wrong name or password", "client", c.id, "addr", c.conn.RemoteAddr())
		return errWrongPass
	}
	c.set(func() { c.user = u })
	c.in.Restrict(false)
	return nil
}

// userOf returns the user who has this name and password, or nil. How long it takes tells nothing of either.
func (s *Server) userOf(name, password []byte) (found *User) {
	if len(s.o.Users) == 0 {
		if string(name) == defaultUser {
			return everybody
		}
		return nil
	}
	for i := range s.o.Users {
		u := &s.o.Users[i]
		if sameText(name, u.Name)&sameText(password, u.Password) == 1 {
			found = u
		}
	}
	return found
}

// sameText returns 1 if the texts are the same, else 0, in a time that does not depend on where they differ.
func sameText(given []byte, want string) int {
	a, b := sha256.Sum256(given), sha256.Sum256([]byte(want))
	return subtle.ConstantTimeCompare(a[:], b[:])
}

// auth is Redis AUTH password, and AUTH user password.
func auth(c *client, a [][]byte) error {
	name, password := []byte(defaultUser), a[1]
	switch {
	case len(a) > 3:
		return errSyntax
	case len(a) == 3:
		name, password = a[1], a[2]
	case len(c.s.o.Users) == 0:
		return errOpen
	}
	err := c.authenticate(name, password)
	if err == nil {
		c.out.OK()
	}
	return err
}

// aclCommands show who there is; users are given to the server when it is made.
var aclCommands = []command{
	{name: "acl|whoami", arity: 2, alone: whoAmI,
		doc: doc{"Names the client's user", "6.0.0", "server", "O(1)"}},
	{name: "acl|users", arity: 2, flags: admin, alone: listUsers,
		doc: doc{"Names the users", "6.0.0", "server", "O(users)"}},
	{name: "acl|list", arity: 2, flags: admin, alone: listRules,
		doc: doc{"Says what the users may do", "6.0.0", "server", "O(users)"}},
}

func whoAmI(c *client, _ [][]byte) error {
	c.out.BulkString(c.user.Name)
	return nil
}

func listUsers(c *client, _ [][]byte) error {
	c.eachUser(func(u *User) { c.out.BulkString(u.Name) })
	return nil
}

// listRules is Redis ACL LIST, without the digests of passwords.
func listRules(c *client, _ [][]byte) error {
	c.eachUser(func(u *User) {
		text := "user " + u.Name + " on "
		if u.Password == "" {
			text += "nopass "
		}
		text += "~* &* +@all"
		if u.ReadOnly {
			text += " -@write -@admin"
		}
		c.out.BulkString(text)
	})
	return nil
}

// eachUser writes an array, of what f writes for each user.
func (c *client) eachUser(f func(*User)) {
	users := c.s.o.Users
	if len(users) == 0 {
		users = []User{*everybody}
	}
	c.out.Array(len(users))
	for i := range users {
		f(&users[i])
	}
}
