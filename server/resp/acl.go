package resp

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
	c.out.BulkString(c.user.name)
	return nil
}

func listUsers(c *client, _ [][]byte) error {
	eachUser(c, func(u *authUser) { c.out.BulkString(u.name) })
	return nil
}

// listRules is Redis ACL LIST, without the digests of passwords.
func listRules(c *client, _ [][]byte) error {
	eachUser(c, func(u *authUser) {
		text := "user " + u.name + " on "
		if u.password == "" {
			text += "nopass "
		}
		text += "~* &* +@all"
		if u.readOnly {
			text += " -@write -@admin"
		}
		c.out.BulkString(text)
	})
	return nil
}

// eachUser writes an array, of what f writes for each user.
func eachUser(c *client, f func(*authUser)) {
	users := c.host.o.users.list()
	c.out.Array(len(users))
	for i := range users {
		f(&users[i])
	}
}

const errOpen = refusal("ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?")

// auth is Redis AUTH password, and AUTH user password.
func auth(c *client, a [][]byte) error {
	name, password := []byte(defaultUser), a[1]
	switch {
	case len(a) > 3:
		return errSyntax
	case len(a) == 3:
		name, password = a[1], a[2]
	case len(c.host.o.users) == 0:
		return errOpen
	}
	err := c.authenticate(name, password)
	if err == nil {
		c.out.OK()
	}
	return err
}
