package resp

import (
	"crypto/sha256"
	"crypto/subtle"
)

// defaultUser is the user who authenticates with a password alone, and the user of every client of an open server.
const defaultUser = "default"

// authUser is a user of the server.
type authUser struct {
	name     string
	password string
	readOnly bool // may not run commands with the flags Write and Admin
}

// everybody is the user of all clients of an open server.
var everybody = &authUser{name: defaultUser}

// users are the users of a server. None: the server is open, and needs no authentication.
type users []authUser

// welcome returns the user of a new client: nil if it must authenticate first.
func (u users) welcome() *authUser {
	if len(u) == 0 {
		return everybody
	}
	return nil
}

// find returns the user with a name and a password, or nil. The time that it takes depends on neither.
func (u users) find(name, password []byte) (found *authUser) {
	if len(u) == 0 {
		if string(name) == defaultUser {
			return everybody
		}
		return nil
	}
	for i := range u {
		if sameText(name, u[i].name)&sameText(password, u[i].password) == 1 {
			found = &u[i]
		}
	}
	return found
}

// sameText returns 1 if the texts are the same, else 0, in a time that does not depend on where they differ.
func sameText(given []byte, want string) int {
	a, b := sha256.Sum256(given), sha256.Sum256([]byte(want))
	return subtle.ConstantTimeCompare(a[:], b[:])
}

// named reports whether a user has this name.
func (u users) named(name string) bool {
	for i := range u {
		if u[i].name == name {
			return true
		}
	}
	return len(u) == 0 && name == defaultUser
}

// list returns the users, or the user of an open server.
func (u users) list() []authUser {
	if len(u) == 0 {
		return []authUser{*everybody}
	}
	return u
}
