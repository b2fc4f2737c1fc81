package api

import "github.com/zrankdb/zrank/server/internal/access"

// Access says who may use the API: server keys, players by their tokens, score tickets, or everybody.
type Access = access.Options

// Key is a server key: a secret and what it may do.
type Key = access.Key

// Rights say what a key may do.
type Rights = access.Rights

// Rights of keys. Read is part of each of the others.
const (
	Read     = access.Read     // boards, rankings, members, periods, groups, the feed
	Submit   = access.Submit   // results, score tickets, claims for members, who is in which group
	Moderate = access.Moderate // ban, hide, erase, rename, merge, revert, correct; audit logs
	All      = access.All      // everything: also define, migrate and drop boards, close periods, export
)

// ParseRights returns the rights of a text: all, or names of rights with commas between them, such as "submit,moderate".
func ParseRights(text string) (Rights, error) { return access.ParseRights(text) }

// TokenKey verifies the tokens of players: one key and its one algorithm.
type TokenKey = access.TokenKey

// Signer issues tokens of players, and Token is what one says.
type (
	Signer = access.Signer
	Token  = access.Token
)

// TicketOptions say how score tickets are signed: see Access.
type TicketOptions = access.TicketOptions

// CheckListen returns an error if a server with this access must not listen on an address: one that others can reach needs keys and TLS, or insecure, by
// which the operator says that neither is wanted. Error: ErrListen.
func CheckListen(a Access, address string, tls, insecure bool) error {
	return a.Listen(address, tls, insecure)
}

// ErrListen is returned for an address that is not of this machine alone, if anybody could use or overhear the server there.
var ErrListen = access.ErrListen
