package clientcmd

import (
	"github.com/zrankdb/zrank/server/resp/internal/auth"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// aclCommands show the users; the server's options fix them.
var aclCommands = []session.Command{
	{Name: "acl|whoami", Arity: 2, Alone: whoAmI,
		Doc: command.NewDoc("Names the client's user", "6.0.0", "server", "O(1)")},
	{Name: "acl|users", Arity: 2, Flags: command.Admin, Alone: listUsers,
		Doc: command.NewDoc("Names the users", "6.0.0", "server", "O(users)")},
	{Name: "acl|list", Arity: 2, Flags: command.Admin, Alone: listRules,
		Doc: command.NewDoc("Says what the users may do", "6.0.0", "server", "O(users)")},
}

func whoAmI(c *session.Client, _ [][]byte) error {
	c.Out.BulkString(c.User.Name)
	return nil
}

func listUsers(c *session.Client, _ [][]byte) error {
	eachUser(c, func(u *auth.User) { c.Out.BulkString(u.Name) })
	return nil
}

// listRules is Redis ACL LIST, without the digests of passwords.
func listRules(c *session.Client, _ [][]byte) error {
	eachUser(c, func(u *auth.User) {
		text := "user " + u.Name + " on "
		if u.Password == "" {
			text += "nopass "
		}
		text += "~* &* +@all"
		for _, r := range rules {
			if session.DeniedTo(u.Kind)&r.flag != 0 {
				text += " -" + r.category
			}
		}
		c.Out.BulkString(text)
	})
	return nil
}

// rules are the categories of commands that not all users may run.
var rules = []struct {
	flag     command.Flags
	category string
}{{command.Write, "@write"}, {command.Admin, "@admin"}, {command.Moderate, "@moderation"}, {command.Remote, "migrate"}}

// eachUser writes an array, and calls f to write each user.
func eachUser(c *session.Client, f func(*auth.User)) {
	users := c.Host.Config.Users.List()
	c.Out.Array(len(users))
	for i := range users {
		f(&users[i])
	}
}

const errOpen = command.Refusal("ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?")

// authenticate is AUTH password, and AUTH user password.
func authenticate(c *session.Client, a [][]byte) error {
	name, password := []byte(auth.DefaultUser), a[1]
	switch {
	case len(a) > 3:
		return command.ErrSyntax
	case len(a) == 3:
		name, password = a[1], a[2]
	case len(c.Host.Config.Users) == 0:
		return errOpen
	}
	err := c.Authenticate(name, password)
	if err == nil {
		c.Out.OK()
	}
	return err
}
