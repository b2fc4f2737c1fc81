package auditlog

import (
	"strings"

	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/engine"
)

// Forget replaces the name of a member by its salted hash in the entries from number on and through another one, up to limit of them, also in
// their texts. It returns the number of the next entry
// to look at, 0 if there is none. O(limit).
func Forget(tx *engine.Tx, boardName, member string, number, through uint64, limit int) (next uint64, err error) {
	last, err := Last(tx, boardName)
	if err != nil {
		return 0, err
	}
	last = min(last, through)
	hash, err := Hash(tx, member)
	if err != nil {
		return 0, err
	}
	for number = max(number, 1); number <= last && limit > 0; number++ {
		e, err := Get(tx, boardName, number)
		if err != nil {
			return 0, err
		}
		limit--
		if ForgetName(&e, member, hash) {
			if err := put(tx, boardName, &e); err != nil {
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

// Without returns a text that people have written without the name of a member.
func Without(text, member string) string { return strings.ReplaceAll(text, member, erased) }

// ForgetName replaces the name of a member in an entry, and reports whether the entry had it.
func ForgetName(e *audit.Entry, member, hash string) bool {
	of, to := e.Member == member, e.To == member
	if of {
		e.Member, e.Hash = "", hash
	}
	if to {
		e.To, e.ToHash = "", hash
	}
	by, reason := Without(e.By, member), Without(e.Reason, member)
	changed := of || to || by != e.By || reason != e.Reason
	e.By, e.Reason = by, reason
	return changed
}
