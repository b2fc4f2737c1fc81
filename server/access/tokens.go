package access

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// TokenKey verifies the tokens of players. It is for one algorithm, the one whose field is set, whatever a token says of itself.
type TokenKey struct {
	// ID is the "kid" of the tokens that the key verifies. A key without ID verifies tokens with any kid, and with none.
	ID string `json:"id,omitempty"`
	// HS256 is the secret of HMAC with SHA-256: at least 32 random bytes. Who has it can issue tokens.
	HS256 []byte `json:"hs256,omitempty"`
	// EdDSA is a public key of Ed25519: 32 bytes. It cannot issue tokens.
	EdDSA ed25519.PublicKey `json:"eddsa,omitempty"`
}

// String returns the ID and the algorithm, and not the secret.
func (k TokenKey) String() string { return k.ID + " (" + k.algorithm() + ")" }

// algorithm returns the "alg" of the tokens that the key verifies.
func (k TokenKey) algorithm() string {
	if len(k.HS256) > 0 {
		return jwt.SigningMethodHS256.Alg()
	}
	return jwt.SigningMethodEdDSA.Alg()
}

// material returns the key as package jwt wants it.
func (k TokenKey) material() jwt.VerificationKey {
	if len(k.HS256) > 0 {
		return k.HS256
	}
	return k.EdDSA
}

// validate calls bad with everything that is wrong with the key, and never with its bytes.
func (k TokenKey) validate(bad func(format string, args ...any)) {
	if len(k.ID) > maxName {
		bad("ID has %d bytes: want at most %d", len(k.ID), maxName)
	}
	if (len(k.HS256) == 0) == (len(k.EdDSA) == 0) {
		bad("HS256 or EdDSA: want one of them")
	} else if len(k.HS256) > 0 && len(k.HS256) < minHMAC {
		bad("HS256 has %d bytes: want at least %d", len(k.HS256), minHMAC)
	} else if len(k.EdDSA) > 0 && len(k.EdDSA) != ed25519.PublicKeySize {
		bad("EdDSA has %d bytes: want %d", len(k.EdDSA), ed25519.PublicKeySize)
	}
}

// claims are what the token of a player says.
type claims struct {
	jwt.RegisteredClaims
	Boards boardList `json:"boards,omitzero"`
}

// boardList is the claim "boards": absent, it limits nothing; an empty list allows no board.
type boardList struct {
	limited bool
	boards  []string
}

// UnmarshalJSON refuses null: it may mean either.
func (l *boardList) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &l.boards); err != nil {
		return err
	}
	if l.boards == nil {
		return errors.New("boards is null")
	}
	l.limited = true
	return nil
}

// MarshalJSON implements json.Marshaler.
func (l boardList) MarshalJSON() ([]byte, error) { return json.Marshal(l.boards) }

// verifier verifies the tokens of players.
type verifier struct {
	keys   []TokenKey
	parser *jwt.Parser
}

// newVerifier returns the verifier of keys that are valid.
func newVerifier(keys []TokenKey, audience, issuer string, leeway time.Duration, clock func() time.Time) *verifier {
	options := []jwt.ParserOption{
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg(), jwt.SigningMethodEdDSA.Alg()}),
		jwt.WithStrictDecoding(), jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(leeway), jwt.WithTimeFunc(clock),
	}
	if audience != "" {
		options = append(options, jwt.WithAudience(audience))
	}
	if issuer != "" {
		options = append(options, jwt.WithIssuer(issuer))
	}
	return &verifier{keys: slices.Clone(keys), parser: jwt.NewParser(options...)}
}

// keysFor returns the keys that may verify a token, by its header: those of its algorithm whose ID is its kid, or that have none.
func (v *verifier) keysFor(token *jwt.Token) (any, error) {
	if err := checkHeader(token.Header, "", "JWT", "at+jwt"); err != nil {
		return nil, err
	}
	kid, isString := token.Header["kid"].(string)
	if _, has := token.Header["kid"]; has && !isString {
		return nil, errors.New("header kid is no string")
	}
	var set jwt.VerificationKeySet
	for _, k := range v.keys {
		if k.algorithm() == token.Method.Alg() && (k.ID == "" || k.ID == kid) {
			set.Keys = append(set.Keys, k.material())
		}
	}
	return set, nil
}

// verify returns the player of a token. signed reports whether a key has verified the signature: then the token is none that somebody made up,
// even if there is an error, as for one that has expired.
func (v *verifier) verify(text string) (who Principal, signed bool, err error) {
	if !isCompact(text) {
		return Principal{}, false, errors.New("it is no token")
	}
	var c claims
	if _, err := v.parser.ParseWithClaims(text, &c, v.keysFor); err != nil {
		return Principal{}, errors.Is(err, jwt.ErrTokenInvalidClaims), err
	}
	if slices.Contains(c.Audience, ticketAudience) {
		return Principal{}, true, errors.New("it is for tickets")
	}
	if !isMember(c.Subject) {
		return Principal{}, true, errors.New("sub is no member")
	}
	if err := checkDates(c.ExpiresAt, c.NotBefore, c.IssuedAt); err != nil {
		return Principal{}, true, err
	}
	return Principal{Name: c.Subject, Member: c.Subject, rights: Read, limited: c.Boards.limited, boards: c.Boards.boards}, true, nil
}
