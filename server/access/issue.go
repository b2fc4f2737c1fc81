package access

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Signer issues the tokens of players: in a game server, after it has seen who the player is, and in tests. One of HS256 and EdDSA is set.
type Signer struct {
	ID    string             // the "kid" of the tokens; "" is none
	HS256 []byte             // at least 32 random bytes
	EdDSA ed25519.PrivateKey // of Ed25519
}

// Token is what the token of a player says.
type Token struct {
	// Member is the player, 1 to MaxMember bytes of UTF-8: the claim "sub".
	Member string
	// Expires is the time from which the token is refused, cut to the second: "exp". It must be set.
	Expires time.Time
	// NotBefore is the time before which it is refused: "nbf". Zero: none.
	NotBefore time.Time
	// Issued is when it was issued: "iat". Zero: none.
	Issued time.Time
	// Audience and Issuer are for servers that want them: "aud", "iss". "": none.
	Audience, Issuer string
	// Boards limits the token to some boards: "boards". nil: to none; an empty list allows no board.
	Boards []string
}

// Key returns the key that verifies the tokens.
func (s Signer) Key() TokenKey {
	k := TokenKey{ID: s.ID, HS256: s.HS256}
	if len(s.EdDSA) == ed25519.PrivateKeySize {
		k.EdDSA, _ = s.EdDSA.Public().(ed25519.PublicKey)
	}
	return k
}

// Issue returns a token as text. Errors: ErrToken.
func (s Signer) Issue(t Token) (string, error) {
	if err := s.validate(t); err != nil {
		return "", err
	}
	c := claims{RegisteredClaims: jwt.RegisteredClaims{
		Subject: t.Member, Issuer: t.Issuer, ExpiresAt: date(t.Expires), NotBefore: date(t.NotBefore), IssuedAt: date(t.Issued),
	}}
	if t.Audience != "" {
		c.Audience = jwt.ClaimStrings{t.Audience}
	}
	if t.Boards != nil {
		c.Boards = boardList{limited: true, boards: t.Boards}
	}
	var token *jwt.Token
	var key any = s.EdDSA
	if len(s.HS256) > 0 {
		token, key = jwt.NewWithClaims(jwt.SigningMethodHS256, c), s.HS256
	} else {
		token = jwt.NewWithClaims(jwt.SigningMethodEdDSA, c)
	}
	if s.ID != "" {
		token.Header["kid"] = s.ID
	}
	return signed(token, key, ErrToken)
}

// validate returns one error that names everything that is wrong with the signer and the token, or nil.
func (s Signer) validate(t Token) error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrToken}, args...)...))
	}
	s.Key().validate(bad)
	if !isMember(t.Member) {
		bad("Member is %q: want 1 to %d bytes of UTF-8", clip(t.Member), MaxMember)
	}
	for i, b := range t.Boards {
		if !isText(b) {
			bad("Boards[%d] is %q: want UTF-8", i, clip(b))
		}
	}
	if t.Expires.IsZero() {
		bad("Expires is not set")
	}
	if err := checkDates(date(t.Expires), date(t.NotBefore), date(t.Issued)); err != nil {
		bad("%w: want the years 1970 to 9999", err)
	}
	if t.Audience == ticketAudience {
		bad("Audience is %q, that of tickets", t.Audience)
	}
	return errors.Join(errs...)
}

// date returns a time as a claim; nil for the zero time.
func date(t time.Time) *jwt.NumericDate {
	if t.IsZero() {
		return nil
	}
	return jwt.NewNumericDate(t)
}

// signed returns the text of a token; kind is the error for one that is too long to be read again, or cannot be signed.
func signed(token *jwt.Token, key any, kind error) (string, error) {
	text, err := token.SignedString(key)
	if err != nil {
		return "", fmt.Errorf("%w: %w", kind, err)
	}
	if len(text) > MaxCredential {
		return "", fmt.Errorf("%w: it has %d bytes, want at most %d", kind, len(text), MaxCredential)
	}
	return text, nil
}

// clip returns a text, cut for an error.
func clip(s string) string { return s[:min(len(s), 64)] }
