package serve

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"

	"github.com/zrankdb/zrank/server/access"

	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
)

// readTokenKey returns the key of players' tokens in a file: a public key of Ed25519 as PEM, or a secret for HS256. No path is no key.
func readTokenKey(path string, log *slog.Logger) ([]access.TokenKey, error) {
	if path == "" {
		return nil, nil
	}
	text, err := readSecret(path, "the key of players' tokens", log)
	if err != nil {
		return nil, fmt.Errorf("--api-token-key: %w", err)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		if bytes.Contains(text, []byte("-----BEGIN")) { // no secret by mistake
			return nil, flags.Errorf("--api-token-key %s: the PEM in it is damaged", path)
		}
		return []access.TokenKey{{HS256: bytes.TrimSpace(text)}}, nil
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	key, ok := parsed.(ed25519.PublicKey)
	if err != nil || !ok {
		return nil, flags.Errorf("--api-token-key %s: want a public key of Ed25519, as openssl pkey -pubout writes it, or a secret", path)
	}
	return []access.TokenKey{{EdDSA: key}}, nil
}

// readTicketKey returns the secret in a file that signs score tickets. No path is none.
func readTicketKey(path string, log *slog.Logger) ([][]byte, error) {
	if path == "" {
		return nil, nil
	}
	text, err := readSecret(path, "the key of score tickets", log)
	if err != nil {
		return nil, fmt.Errorf("--api-ticket-key: %w", err)
	}
	return [][]byte{bytes.TrimSpace(text)}, nil
}
