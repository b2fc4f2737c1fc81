package auditlog

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
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

// Forget replaces the name of a member by its salted hash in the entries from number on, up to limit of them, also in
// their texts. It returns the number of the next entry
// to look at, 0 if there is none. O(limit).
func Forget(tx *engine.Tx, board, member string, number uint64, limit int) (next uint64, err error) {
	last, err := Last(tx, board)
	if err != nil {
		return 0, err
	}
	hash, err := Hash(tx, member)
	if err != nil {
		return 0, err
	}
	for number = max(number, 1); number <= last && limit > 0; number++ {
		e, err := Get(tx, board, number)
		if err != nil {
			return 0, err
		}
		limit--
		if e.forget(member, hash) {
			if err := put(tx, board, &e); err != nil {
				return 0, err
			}
		}
	}
	if number > last {
		return 0, nil
	}
	return number, nil
}

// erased stands for the name of an erased member in what people have written.
const erased = "[erased]"

// forget replaces the name of a member, and reports whether the entry had it.
func (e *Entry) forget(member, hash string) bool {
	of, to := string(e.Member) == member, string(e.To) == member
	if of {
		e.Member, e.Hash = nil, hash
	}
	if to {
		e.To, e.ToHash = nil, hash
	}
	by, reason := strings.ReplaceAll(e.By, member, erased), strings.ReplaceAll(e.Reason, member, erased)
	changed := of || to || by != e.By || reason != e.Reason
	e.By, e.Reason = by, reason
	return changed
}
