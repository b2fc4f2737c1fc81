package access

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

const (
	// MinSecret is the length of the shortest secret of a server key, in bytes.
	MinSecret = 16
	maxName   = 128
)

// Key is a server key: a secret that a game server, an operator or a tool presents.
type Key struct {
	// Name says whose key it is, in logs and audit logs: 1 to 128 printable ASCII characters without a colon. No two keys have the same.
	Name string `json:"name"`
	// Secret is what is presented: MinSecret to MaxCredential bytes. It should be random, as NewSecret makes it.
	Secret string `json:"secret,omitempty"`
	// SHA256 is the SHA-256 of the secret in hex, in place of Secret, so that a file of keys lets nobody in who reads it.
	SHA256 string `json:"sha256,omitempty"`
	// Rights say what the key may do.
	Rights Rights `json:"rights"`
	// Boards limits the rights to these boards. Empty: all boards.
	Boards []string `json:"boards,omitempty"`
}

// NewSecret returns a new secret of 32 random bytes, and its SHA-256 in hex. Errors: those of the reader.
func NewSecret(random io.Reader) (secret, sum string, err error) {
	var b [32]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", "", fmt.Errorf("access: no random bytes: %w", err)
	}
	secret = "zrank_" + base64.RawURLEncoding.EncodeToString(b[:])
	hash := sha256.Sum256([]byte(secret))
	return secret, hex.EncodeToString(hash[:]), nil
}

// String returns the name and the rights, and not the secret.
func (k Key) String() string { return k.Name + " (" + k.Rights.String() + ")" }

// LogValue implements slog.LogValuer as String.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }

// hash returns the SHA-256 of the secret.
func (k Key) hash() (sum [sha256.Size]byte, err error) {
	if k.Secret != "" {
		return sha256.Sum256([]byte(k.Secret)), nil
	}
	b, err := hex.DecodeString(k.SHA256)
	if err != nil || len(b) != len(sum) {
		return sum, fmt.Errorf("SHA256 is no SHA-256 in hex: it has %d characters", len(k.SHA256))
	}
	return [sha256.Size]byte(b), nil
}

// validate calls bad with everything that is wrong with the key, and never with its secret.
func (k Key) validate(bad func(format string, args ...any)) {
	if !isName(k.Name) || k.Name == openName {
		bad("Name is %q: want 1 to %d printable ASCII characters, no colon, and not %q", k.Name, maxName, openName)
	}
	if (k.Secret == "") == (k.SHA256 == "") {
		bad("Secret or SHA256: want one of them")
	} else if k.Secret != "" && (len(k.Secret) < MinSecret || len(k.Secret) > MaxCredential) {
		bad("Secret has %d bytes: want %d to %d", len(k.Secret), MinSecret, MaxCredential)
	} else if _, err := k.hash(); err != nil {
		bad("%w", err)
	}
	if strings.ContainsFunc(k.Secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
		bad("Secret has a space, or a character that is no printable ASCII: a header cannot carry it")
	}
	if !k.Rights.Valid() {
		bad("Rights are %d: want some of read, submit, moderate, or all", k.Rights)
	}
	for i, b := range k.Boards {
		if b == "" {
			bad("Boards[%d] is empty", i)
		}
	}
}

// isName reports whether a text can be the name of a key.
func isName(s string) bool {
	return s != "" && len(s) <= maxName && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' || r == ':' })
}

// keyring has the hashes of keys, and who presents them.
type keyring []struct {
	sum [sha256.Size]byte
	who Principal
}

// newKeyring returns the keyring of keys that are valid.
func newKeyring(keys []Key) keyring {
	ring := make(keyring, len(keys))
	for i, k := range keys {
		ring[i].sum, _ = k.hash() // Validate has seen that it has one
		ring[i].who = Principal{Name: k.Name, rights: k.Rights, limited: len(k.Boards) > 0, boards: append([]string(nil), k.Boards...)}
	}
	return ring
}

// find returns who presents a secret. It compares hashes, all of them, so that the time it takes depends on the length of the text alone.
func (ring keyring) find(secret string) (who Principal, ok bool) {
	sum := sha256.Sum256([]byte(secret))
	found := -1
	for i := range ring {
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(sum[:], ring[i].sum[:]), i, found)
	}
	if found < 0 || len(secret) < MinSecret { // a hash in the options does not say how long the secret is
		return Principal{}, false
	}
	return ring[found].who, true
}
