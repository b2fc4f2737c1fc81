package access

import (
	"errors"
	"fmt"
	"time"
)

var (
	// ErrOptions is returned when options have an impossible value; the error names every one.
	ErrOptions = errors.New("access: impossible options")
	// ErrNoCredentials is returned for a request without credentials, where they are needed.
	ErrNoCredentials = errors.New("access: no credentials")
	// ErrCredentials is returned for credentials that are wrong, expired or malformed. It does not say which.
	ErrCredentials = errors.New("access: wrong credentials")
	// ErrForbidden is returned when a caller is known and may not do what it asks for.
	ErrForbidden = errors.New("access: forbidden")
	// ErrThrottled is what a *ThrottledError is.
	ErrThrottled = errors.New("access: too many wrong credentials from this address")
	// ErrToken is returned for a token that cannot be issued; the error names every reason.
	ErrToken = errors.New("access: impossible token")
	// ErrTicket is returned for a text that is no ticket of this server, and for a ticket that cannot be issued.
	ErrTicket = errors.New("access: wrong ticket")
	// ErrTicketExpired is returned for a ticket of this server that has expired. errors.Is(err, ErrTicket) holds too.
	ErrTicketExpired = fmt.Errorf("%w: expired", ErrTicket)
	// ErrListen is returned for an address that is not of this machine alone, if anybody could use or overhear the server there.
	ErrListen = errors.New("access: refuses to listen")
)

// ThrottledError is returned for a request with credentials from an address that has sent wrong ones too often. They have not been looked at.
type ThrottledError struct {
	RetryAfter time.Duration // until the next request is looked at
}

// Error implements error.
func (e *ThrottledError) Error() string {
	return fmt.Sprintf("%v: retry after %v", ErrThrottled, e.RetryAfter)
}

// Is reports whether the target is ErrThrottled.
func (e *ThrottledError) Is(target error) bool { return target == ErrThrottled }
