// Package access says who the caller of a request of the HTTP API is, and what the caller may do.
//
//	guard, err := access.New(access.Options{
//		Keys:   []access.Key{{Name: "game", SHA256: "…", Rights: access.Submit}},
//		Tokens: []access.TokenKey{{EdDSA: public}},
//	})
//	who, err := guard.Authenticate(r)
//	if err == nil {
//		err = who.Need(access.Submit, "arena")
//	}
//
// # Terminology
//
//   - server key: a secret that a game server, an operator or a tool presents. It has rights, on all boards or on some.
//   - token: a JSON Web Token by which a player says who he is; somebody that the server trusts has signed it.
//   - ticket: a text by which a player may submit one result, once. The server has signed it for a caller with the right to submit.
//   - caller: who sends a request, as a Principal.
//   - block: the addresses that count as one client.
//
// # What it promises
//
//   - A1: a key of a token verifies one algorithm, which the options say. So a token without signature, or with a signature that a public key
//     made as a secret, is refused.
//   - A2: no token is a ticket and no ticket is a token, whatever the keys: they differ in their type and audience.
//   - A3: changing a byte of a token or ticket makes it wrong. There is no second text for the same one.
//   - A4: the time of a comparison with server keys tells nothing of them. Options may have hashes in place of the keys.
//   - A5: an error tells a client no more than that the credentials are missing, are wrong or may not do that. Options.Logger gets the reason.
//   - A6: memory is bounded: credentials are at most MaxCredential bytes, and at most 16,384 addresses are stored.
//   - A7: a player may read, and submit only by a ticket. A Principal with no rights may do nothing.
//   - A8: a server that is not for this machine alone has keys and TLS, or its operator has said that it need not: Options.Listen.
//
// # Rights
//
// A key has rights, as a set: All, Submit, Moderate, Read. Each of the others has Read, and All has all. They are for the boards that the key lists,
// or for all. What is not about one board, such as the erasure of a member everywhere, needs a key that is not limited to boards.
//
// # Where things are
//
//	guard.go      Guard: the caller of a request
//	signin.go     callers who sign in by a form
//	options.go    Options
//	rights.go     Rights: what a caller may do
//	principal.go  Principal: the caller, and in a context
//	keys.go       Key: server keys, and comparing them
//	tokens.go     TokenKey: tokens of players, and verifying them
//	issue.go      Signer: issuing tokens
//	tickets.go    Tickets: score tickets
//	jws.go        what tokens and tickets are as texts, and their limits
//	throttle.go   which addresses have failed too often
//	address.go    the address that a request comes from, behind proxies
//	listen.go     Options.Listen: where a server may listen; CheckHost: by which names it is known
//	errors.go     the errors
package access
