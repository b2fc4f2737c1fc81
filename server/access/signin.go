package access

import (
	"net/http"
)

// SignIn returns the caller of a form with the name and the secret of a server key. As with Authenticate, an address that has sent wrong ones too often is
// refused before they are looked at. Errors: ErrCredentials, *ThrottledError.
func (g *Guard) SignIn(r *http.Request, name, secret string) (Principal, error) {
	now, from := g.o.Clock(), Block(g.Client(r))
	if wait := g.throttle.wait(from, now); wait > 0 {
		return Principal{}, &ThrottledError{RetryAfter: wait}
	}
	if len(secret) <= MaxCredential {
		if who, ok := g.keys.find(secret); ok && who.Name == name {
			return who, nil
		}
	}
	g.throttle.fail(from, now)
	return Principal{}, ErrCredentials
}
