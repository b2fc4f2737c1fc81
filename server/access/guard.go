package access

import (
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Challenge is the value of the header WWW-Authenticate of an answer to a request without credentials, or with wrong ones. It does not offer Basic:
// browsers would ask their users for a password.
const Challenge = `Bearer realm="zrank"`

// Guard says who the caller of a request is. Any goroutine may use it.
type Guard struct {
	o        Options
	keys     keyring
	tokens   *verifier
	tickets  *Tickets
	throttle *throttle
}

// New returns a guard. Errors: ErrOptions.
func New(o Options) (*Guard, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	o.Hosts, o.TrustedProxies = slices.Clone(o.Hosts), slices.Clone(o.TrustedProxies)
	g := &Guard{
		o: o, keys: newKeyring(o.Keys), throttle: newThrottle(cmp.Or(o.Failures, DefaultFailures)),
		tokens: newVerifier(o.Tokens, o.Audience, o.Issuer, cmp.Or(o.Leeway, DefaultLeeway), o.Clock),
	}
	if len(o.Tickets.Keys) == 0 {
		return g, nil
	}
	if o.Tickets.Clock == nil {
		o.Tickets.Clock = o.Clock
	}
	if o.Tickets.Random == nil {
		o.Tickets.Random = o.Random
	}
	var err error
	g.tickets, err = NewTickets(o.Tickets)
	return g, err
}

// Tickets returns what issues and reads score tickets; nil if the options have no keys for them.
func (g *Guard) Tickets() *Tickets { return g.tickets }

// Client returns the address that a request comes from: see Options.Client.
func (g *Guard) Client(r *http.Request) netip.Addr { return g.o.Client(r) }

// Authenticate returns the caller of a request: a server key, or a player. A key is presented as "Authorization: Bearer KEY", or by Basic, as curl -u
// does: as the password, with the name of the key or none as the user, or as the user without a password. A token is presented as Bearer.
//
// An address that has sent wrong credentials too often is refused before they are looked at. Credentials that are right do not change that, for
// they may be those of somebody else at the same address. A token that has expired, or is for another audience, is no attempt to guess, and does not
// count. Requests of one address that arrive at the same time may exceed the limit, by their number.
//
// O(keys + bytes of the credentials). Errors: ErrNoCredentials, ErrCredentials, *ThrottledError; ErrForbidden, if access is open, for a request to a
// name that is not among Options.Hosts.
func (g *Guard) Authenticate(r *http.Request) (Principal, error) {
	if g.o.Open {
		if err := CheckHost(r, g.o.Hosts); err != nil {
			return Principal{}, err
		}
		return everybody, nil
	}
	headers := r.Header.Values("Authorization")
	if len(headers) == 0 || len(headers) == 1 && headers[0] == "" {
		return Principal{}, ErrNoCredentials
	}
	now, from := g.o.Clock(), Block(g.Client(r))
	if wait := g.throttle.wait(from, now); wait > 0 {
		return Principal{}, &ThrottledError{RetryAfter: wait}
	}
	who, guessed, err := g.check(headers)
	if err == nil {
		return who, nil
	}
	if guessed {
		g.throttle.fail(from, now)
	}
	if g.o.Logger != nil {
		g.o.Logger.DebugContext(r.Context(), "credentials refused", "from", from, "counted", guessed, "reason", err)
	}
	return Principal{}, ErrCredentials
}

// check returns the caller of the values of the header Authorization. guessed reports whether they may be an attempt to guess; the error says what
// is wrong with them, and is for the log only.
func (g *Guard) check(headers []string) (who Principal, guessed bool, err error) {
	if len(headers) > 1 {
		return Principal{}, true, errors.New("the header is there more than once")
	}
	scheme, value, _ := strings.Cut(headers[0], " ")
	value = strings.Trim(value, " ")
	switch {
	case len(value) > 2*MaxCredential:
		return Principal{}, true, errors.New("it is too long")
	case strings.EqualFold(scheme, "Bearer"):
		return g.bearer(value)
	case strings.EqualFold(scheme, "Basic"):
		return g.basic(value)
	default:
		return Principal{}, true, errors.New("the scheme is neither Bearer nor Basic")
	}
}

// bearer returns the caller who presents a key or a token.
func (g *Guard) bearer(value string) (who Principal, guessed bool, err error) {
	if len(value) > MaxCredential {
		return Principal{}, true, errors.New("it is too long")
	}
	if who, ok := g.keys.find(value); ok {
		return who, false, nil
	}
	who, signed, err := g.tokens.verify(value)
	return who, !signed, err
}

// basic returns the caller who presents a key by user and password.
func (g *Guard) basic(value string) (who Principal, guessed bool, err error) {
	text, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		return Principal{}, true, errors.New("it is no base64")
	}
	name, secret, colon := strings.Cut(string(text), ":")
	if secret == "" {
		name, secret = "", name
	}
	if !colon || len(secret) > MaxCredential {
		return Principal{}, true, errors.New("it is no user and password")
	}
	who, ok := g.keys.find(secret)
	if !ok || name != "" && name != who.Name {
		return Principal{}, true, errors.New("no key has this name and secret")
	}
	return who, false, nil
}
