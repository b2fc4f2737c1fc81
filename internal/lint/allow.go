package lint

import (
	"slices"
)

// An exception lets one function use what the house does not.
type exception struct {
	path, function, what string
	why                  string
}

const misuse = "a bug of the calling structure, which checks before it calls; a panic keeps the hot path free of errors"

// exceptions, each with its reason.
var exceptions = []exception{
	{"internal/invariants/doc.go", "Violated", "panic", "it is how a structure reports our own bug"},
	{"server/api/internal/routes/export.go", "Router.stream", "panic", "http.ErrAbortHandler is how a handler of package http ends a response that is not complete"},
	{"server/resp/internal/boardcmd/syntax.go", "syntax.argument", "panic", "the table of operations is our own, and every server reads all of it"},
	{"engine/handle.go", "must", "panic", "options of our own are valid"},
	{"zset/set.go", "As", "unsafe.Pointer", "types of one layout; the comment there says what else it would cost"},
	{"engine/pending.go", "pending.rollback", "panic", "giving back what was there cannot fail; going on would break E1"},
	{"server/internal/middleware/recover.go", "recoverPanics", "panic", "with http.ErrAbortHandler it is how a handler of net/http has its connection closed"},
	{"listpack/list.go", "New", "panic", misuse},
	{"listpack/walk.go", "List.At", "panic", misuse},
	{"listpack/change.go", "List.Insert", "panic", misuse},
	{"listpack/change.go", "List.Replace", "panic", misuse},
	{"bench/internal/peers/check_test.go", "TestStringPeersOwnTheirMembers", "unsafe.StringData", "asks whether two strings share memory"},
}

// excused says whether there is an exception.
func excused(path, function, what string) bool {
	return slices.ContainsFunc(exceptions, func(e exception) bool {
		return e.path == path && e.function == function && e.what == what
	})
}
