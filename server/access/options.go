package access

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"time"
)

const (
	// DefaultFailures is what Options.Failures means if it is zero.
	DefaultFailures = 30
	// DefaultLeeway is what Options.Leeway means if it is zero.
	DefaultLeeway = 30 * time.Second
	maxFailures   = 100_000
	maxLeeway     = 10 * time.Minute
	maxTokenKeys  = 64
)

// Options say who may do what. Open, or Keys, or Tokens must be set: else nobody may do anything.
type Options struct {
	// Open lets everybody do everything: for use on this machine. Credentials are not looked at. Keys and Tokens must be empty.
	Open bool
	// Hosts are names by which an open server may be asked, beside IP addresses and localhost. Without this a page in a browser could ask
	// it by a name of its own, which it makes an address of this machine.
	Hosts []string
	// Keys are the server keys.
	Keys []Key
	// Tokens verify the tokens of players.
	Tokens []TokenKey
	// Audience is what a token must have among its "aud". "": any, or none.
	Audience string
	// Issuer is what a token must have as its "iss". "": any, or none.
	Issuer string
	// Leeway is how much the clocks of those that issue tokens may differ from ours. 0 means DefaultLeeway; at most ten minutes.
	Leeway time.Duration
	// Tickets sign score tickets. Without keys there are none. Clock and Random are those of Options if they are nil.
	Tickets TicketOptions
	// Failures is how many wrong credentials an address may send per minute; then its requests with credentials get *ThrottledError. 0 means
	// DefaultFailures.
	Failures int
	// TrustedProxies are the addresses of reverse proxies: what they say in X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// Clock tells the time. nil: time.Now.
	Clock func() time.Time
	// Random gives random bytes. nil: crypto/rand.Reader.
	Random io.Reader
	// Logger logs, at level Debug, why credentials were refused; never the credentials. nil: nothing is logged.
	Logger *slog.Logger
}

// Validate returns one error that names every field with an impossible value, or nil. No secret is part of it. The error is ErrOptions.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
	}
	secured := len(o.Keys) > 0 || len(o.Tokens) > 0
	if o.Open && secured {
		bad("Open is set, and so are Keys or Tokens, which it makes useless")
	}
	if !o.Open && !secured {
		bad("Keys and Tokens are empty, and Open is not set: nobody could do anything")
	}
	if o.Leeway < 0 || o.Leeway > maxLeeway {
		bad("Leeway is %v: want 0 to %v", o.Leeway, maxLeeway)
	}
	if o.Failures < 0 || o.Failures > maxFailures {
		bad("Failures is %d: want 0 to %d", o.Failures, maxFailures)
	}
	if o.Audience == ticketAudience {
		bad("Audience is %q, that of tickets", o.Audience)
	}
	for i, p := range o.TrustedProxies {
		if !p.IsValid() {
			bad("TrustedProxies[%d] is no prefix", i)
		}
	}
	if len(o.Tickets.Keys) > 0 {
		if err := o.Tickets.Validate(); err != nil {
			errs = append(errs, err)
		}
	}
	o.validateKeys(bad)
	o.validateTokens(bad)
	return errors.Join(errs...)
}

// validateKeys calls bad with everything that is wrong with the server keys.
func (o Options) validateKeys(bad func(format string, args ...any)) {
	names := map[string]int{}
	sums := map[[32]byte]int{}
	for i, k := range o.Keys {
		k.validate(in("Keys", i, bad))
		if j, has := names[k.Name]; has {
			bad("Keys[%d].Name is %q, as that of Keys[%d]", i, k.Name, j)
		}
		names[k.Name] = i
		sum, err := k.hash()
		if j, has := sums[sum]; has && err == nil {
			bad("Keys[%d] has the secret of Keys[%d]", i, j)
		}
		sums[sum] = i
	}
}

// validateTokens calls bad with everything that is wrong with the keys of tokens, and of tickets beside them.
func (o Options) validateTokens(bad func(format string, args ...any)) {
	if len(o.Tokens) > maxTokenKeys {
		bad("Tokens has %d keys: want at most %d", len(o.Tokens), maxTokenKeys)
	}
	for i, k := range o.Tokens {
		k.validate(in("Tokens", i, bad))
		for j, t := range o.Tickets.Keys {
			if len(t) > 0 && bytes.Equal(k.HS256, t) {
				bad("Tokens[%d].HS256 is Tickets.Keys[%d]: want a key of its own", i, j)
			}
		}
		for j, other := range o.Tokens[:i] {
			if len(k.HS256) > 0 && bytes.Equal(k.HS256, other.EdDSA) || len(other.HS256) > 0 && bytes.Equal(other.HS256, k.EdDSA) {
				bad("Tokens[%d] and Tokens[%d] are one public key as a secret: everybody could issue tokens", j, i)
			}
		}
	}
}

// in returns bad for an element of a list.
func in(list string, i int, bad func(format string, args ...any)) func(format string, args ...any) {
	return func(format string, args ...any) { bad("%s[%d]."+format, append([]any{list, i}, args...)...) }
}
