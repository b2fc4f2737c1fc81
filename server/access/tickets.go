package access

import (
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	// DefaultTicketLife is what TicketOptions.MaxLife means if it is zero.
	DefaultTicketLife = time.Hour
	// MaxColumns is how many columns the score of a ticket may have, and maxColumn how many bytes each.
	MaxColumns = 32
	maxColumn  = 128
	ticketID   = 16 // bytes
)

// Ticket lets a player submit one result that a game server has computed, once.
type Ticket struct {
	// ID tells tickets apart: 22 characters of base64url, for 128 random bits. Issue makes it. As the Once key of the submission it makes the
	// ticket single-use, as long as the board's Spec.OnceFor is no shorter than TicketOptions.MaxLife.
	ID string
	// Board is the board, Member the player, each UTF-8.
	Board, Member string
	// Score are the columns of the result as text, 1 to MaxColumns.
	Score []string
	// Windows are the windows that it goes to. Empty: all.
	Windows []string
	// At is when it happened, to the microsecond. Zero: when it is submitted.
	At time.Time
	// Meta is metadata; nil: none, and an empty slice removes what there is.
	Meta []byte
	// Skill is Submission.Skill.
	Skill int64
	// Expires is the time from which the ticket is refused. Zero: as late as may be. Issue rounds it up to the second.
	Expires time.Time
	// Issued is when it was issued, in whole seconds: Open says it.
	Issued time.Time
}

// TicketOptions say how tickets are signed.
type TicketOptions struct {
	// Keys are secrets of at least 32 random bytes that nothing else uses. The first signs; each verifies, so that a new one can be put in front.
	Keys [][]byte
	// MaxLife is how long a ticket may be valid. 0 means DefaultTicketLife. It must not be longer than boards remember Once keys.
	MaxLife time.Duration
	// Clock tells the time. nil: time.Now.
	Clock func() time.Time
	// Random gives random bytes for IDs. nil: crypto/rand.Reader.
	Random io.Reader
}

// Validate returns one error that names every field with an impossible value, or nil. The error is ErrOptions.
func (o TicketOptions) Validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: tickets: "+format, append([]any{ErrOptions}, args...)...))
	}
	if len(o.Keys) == 0 {
		bad("Keys is empty")
	}
	for i, k := range o.Keys {
		if len(k) < minHMAC {
			bad("Keys[%d] has %d bytes: want at least %d", i, len(k), minHMAC)
		}
	}
	if o.MaxLife < 0 || o.MaxLife > 0 && o.MaxLife < time.Second {
		bad("MaxLife is %v: want 0, or 1s and more", o.MaxLife)
	}
	return errors.Join(errs...)
}

// Tickets issues tickets and reads them. Any goroutine may use it.
type Tickets struct {
	o      TicketOptions
	parser *jwt.Parser
}

// NewTickets returns what issues and reads tickets. Errors: ErrOptions.
func NewTickets(o TicketOptions) (*Tickets, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.Keys = slices.Clone(o.Keys)
	o.MaxLife = cmp.Or(o.MaxLife, DefaultTicketLife)
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	return &Tickets{o: o, parser: jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithStrictDecoding(), jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(o.Clock), jwt.WithAudience(ticketAudience),
	)}, nil
}

// ticketClaims are what a ticket says. The audience is a string of its own type, so that a ticket has this one only.
type ticketClaims struct {
	jwt.RegisteredClaims
	Board   string   `json:"board"`
	Score   []string `json:"score"`
	Windows []string `json:"windows,omitempty"`
	At      string   `json:"at,omitempty"` // microseconds after 1970
	Meta    []byte   `json:"meta"`
	Skill   int64    `json:"skill,omitempty,string"`
}

// Issue returns a ticket as text, with a new ID. Errors: ErrTicket, which names everything that is wrong; those of the reader of random bytes.
func (t *Tickets) Issue(k Ticket) (string, error) {
	now := t.o.Clock()
	latest := now.Add(t.o.MaxLife)
	if k.Expires.IsZero() {
		k.Expires = latest
	}
	if err := errors.Join(k.validate(), k.validateTimes(now, latest)); err != nil {
		return "", err
	}
	var id [ticketID]byte
	if _, err := io.ReadFull(t.o.Random, id[:]); err != nil {
		return "", fmt.Errorf("access: no random bytes: %w", err)
	}
	c := ticketClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			ID: base64.RawURLEncoding.EncodeToString(id[:]), Subject: k.Member, Audience: jwt.ClaimStrings{ticketAudience},
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: expiry(k.Expires, latest),
		},
		Board: k.Board, Score: k.Score, Windows: k.Windows, Meta: k.Meta, Skill: k.Skill,
	}
	if !k.At.IsZero() {
		c.At = strconv.FormatInt(k.At.UnixMicro(), 10)
	}
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, c)
	token.Header["typ"] = ticketType
	return signed(token, t.o.Keys[0], ErrTicket)
}

// expiry returns a time as the claim "exp", in whole seconds: rounded up, unless that is later than may be.
func expiry(expires, latest time.Time) *jwt.NumericDate {
	up := jwt.NewNumericDate(expires.Add(time.Second - 1))
	if up.After(latest) {
		return jwt.NewNumericDate(expires)
	}
	return up
}

// MaxLife returns how long a ticket may be valid: no longer than the boards that take tickets should remember Once keys.
func (t *Tickets) MaxLife() time.Duration { return t.o.MaxLife }

// Open returns the ticket of a text, as it was issued. It does not know which have been used. Errors: ErrTicket; ErrTicketExpired.
func (t *Tickets) Open(text string) (Ticket, error) {
	if !isCompact(text) {
		return Ticket{}, ErrTicket
	}
	var c ticketClaims
	if _, err := t.parser.ParseWithClaims(text, &c, t.keys); err != nil {
		if errors.Is(err, jwt.ErrTokenExpired) {
			return Ticket{}, ErrTicketExpired
		}
		return Ticket{}, ErrTicket
	}
	k := Ticket{ID: c.ID, Board: c.Board, Member: c.Subject, Score: c.Score, Windows: c.Windows, Meta: c.Meta, Skill: c.Skill, Expires: c.ExpiresAt.Time}
	id, err := base64.RawURLEncoding.Strict().DecodeString(c.ID)
	if err != nil || len(id) != ticketID || len(c.Audience) != 1 || c.IssuedAt == nil {
		return Ticket{}, ErrTicket
	}
	k.Issued = c.IssuedAt.Time
	if c.At != "" {
		micros, err := strconv.ParseInt(c.At, 10, 64)
		if err != nil {
			return Ticket{}, ErrTicket
		}
		k.At = time.UnixMicro(micros)
	}
	if err := errors.Join(k.validate(), k.validateTimes(c.IssuedAt.Time, c.IssuedAt.Add(t.o.MaxLife+time.Second))); err != nil {
		return Ticket{}, ErrTicket
	}
	return k, nil
}

// keys returns the keys that may verify a ticket.
func (t *Tickets) keys(token *jwt.Token) (any, error) {
	if err := checkHeader(token.Header, ticketType); err != nil {
		return nil, err
	}
	var set jwt.VerificationKeySet
	for _, k := range t.o.Keys {
		set.Keys = append(set.Keys, k)
	}
	return set, nil
}

// validate returns one error that names everything that is wrong with what a ticket says of the submission, or nil.
func (k Ticket) validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrTicket}, args...)...))
	}
	if k.Board == "" || !isText(k.Board) {
		bad("Board is %q: want UTF-8", clip(k.Board))
	}
	if !isMember(k.Member) {
		bad("Member is %q: want 1 to %d bytes of UTF-8", clip(k.Member), MaxMember)
	}
	if len(k.Score) == 0 || len(k.Score) > MaxColumns {
		bad("Score has %d columns: want 1 to %d", len(k.Score), MaxColumns)
	}
	for i, column := range k.Score {
		if len(column) > maxColumn || !isText(column) {
			bad("Score[%d] is %q: want at most %d bytes of UTF-8", i, clip(column), maxColumn)
		}
	}
	for i, w := range k.Windows {
		if w == "" || !isText(w) {
			bad("Windows[%d] is %q: want UTF-8", i, clip(w))
		}
	}
	return errors.Join(errs...)
}

// validateTimes returns an error if a ticket that is issued at one time does not expire between it and another.
func (k Ticket) validateTimes(issued, latest time.Time) error {
	if !k.Expires.After(issued) || k.Expires.After(latest) {
		return fmt.Errorf("%w: Expires is %v: want a time after %v, and no later than %v", ErrTicket, k.Expires, issued, latest)
	}
	if !k.At.IsZero() && (k.At.Year() < 1970 || k.At.Year() > 9999) {
		return fmt.Errorf("%w: At is %v: want the years 1970 to 9999", ErrTicket, k.At)
	}
	return nil
}
