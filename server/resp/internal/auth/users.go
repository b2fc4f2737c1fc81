package auth

import (
	"crypto/sha256"
	"crypto/subtle"
)

// DefaultUser is the user who authenticates with a password alone, and the user of every client of an open server.
const DefaultUser = "default"

// User is a user of the server.
type User struct {
	Name     string
	Password string
	Kind     Kind // which commands the user may run
}

// everybody is the user of all clients of an open server.
var everybody = &User{Name: DefaultUser}

// Users are the users of a server. None: the server is open, and needs no authentication.
type Users []User

// Welcome returns the user of a new client: nil if it must authenticate first.
func (u Users) Welcome() *User {
	if len(u) == 0 {
		return everybody
	}
	return nil
}

// Find returns the user with a name and a password, or nil. The time that it takes depends on neither.
func (u Users) Find(name, password []byte) (found *User) {
	if len(u) == 0 {
		if string(name) == DefaultUser {
			return everybody
		}
		return nil
	}
	for i := range u {
		if sameText(name, u[i].Name)&sameText(password, u[i].Password) == 1 {
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

// Named reports whether a user has this name.
func (u Users) Named(name string) bool {
	for i := range u {
		if u[i].Name == name {
			return true
		}
	}
	return len(u) == 0 && name == DefaultUser
}

// List returns the users, or the user of an open server.
func (u Users) List() []User {
	if len(u) == 0 {
		return []User{*everybody}
	}
	return u
}
