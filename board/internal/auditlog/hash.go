package auditlog

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
)

// saltSize is the length of the salt, in bytes.
const saltSize = 32

// Hash returns the salted hash of a member: 64 hexadecimal digits of SHA-256. The first call makes the salt of the engine.
func Hash(tx *engine.Tx, member string) (string, error) {
	salt, ok, err := tx.Get(boardkey.AuditSalt)
	if err != nil {
		return "", err
	}
	if !ok {
		salt = make([]byte, saltSize)
		rand.Read(salt) // never fails
		if err := tx.Put(boardkey.AuditSalt, salt); err != nil {
			return "", err
		}
	}
	return HashWith(salt, member), nil
}

// HashWith returns the hash of a member with a salt.
func HashWith(salt []byte, member string) string {
	sum := sha256.Sum256(append(bytes.Clone(salt), member...))
	return hex.EncodeToString(sum[:])
}
