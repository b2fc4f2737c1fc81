// Package api is boards over HTTP: REST with JSON, and streams of server-sent events. A game server mounts it in one line:
//
//	h, err := api.New(boards, api.Options{Access: access.Options{Keys: []access.Key{{Name: "game", Secret: secret, Rights: access.All}}}})
//	http.Handle("/v1/", h)
//
// It has what package board has, but for what runs code of the program (transactions, View, SubmitFunc, Deliver) or is about the whole store (checks,
// archives, moves). The document at /v1/openapi.json (OpenAPI 3.1) describes every operation with examples. Package board/remote is the other side for programs in
// Go; the folder clients has it for other languages.
//
// # Terminology
//
//   - server key: a secret of a server of the game, with rights: read, submit, moderate or all.
//   - player: whoever has a token (a JWT, HS256 or EdDSA) whose sub is a member's name. A player reads its own card and rank, its friends', its awards and
//     events, and claims what is its own. It submits nothing, but for tickets.
//   - ticket: one result of one player, signed by the game server, which the player may submit once.
//   - problem: the body of an error (RFC 9457), with a code that does not change.
//   - pinned ranking: a copy of a ranking as it was at one moment, which the server keeps for reads that belong together.
//
// # What it promises
//
//   - H1: the API refuses whoever has no key and no token, unless Access.Open says that everybody may do everything. Keys are compared in constant time, and
//     an address that sends wrong ones is throttled.
//   - H2: a submission with an Idempotency-Key counts once, as Spec.OnceFor says; while the server remembers what the first one was, another one with the same
//     key is an error.
//   - H3: an answer with an ETag is that of the commits up to some moment after the request began: when If-None-Match names it, nothing has been committed
//     since. No other Handler gives the same ETag, also one of the same boards after a crash.
//   - H4: every error of package board is a problem with a code of its own, and the fields of typed errors are in its details.
//   - H5: numbers are exact: a reader of JSON that knows float64 only finds integers beyond 2^53 as strings too.
//   - H6: a stream of events after an event's id yields exactly the rest of the feed.
//   - H7: what a client can make the handler keep is bounded: rows of an answer, bodies, pinned rankings, streams, and what a stream buffers.
//
// How many connections there may be is up to the program, whose listener it is, and so are its timeouts (http.Server.ReadHeaderTimeout, IdleTimeout): a program
// that opens its engine from a directory must leave the engine 128 file descriptors, or writes wait until there are some (engine.ErrStalled). Wrap the
// listener so that it takes fewer connections than the process may have files open, less these: as golang.org/x/net/netutil.LimitListener does, or "zrank serve".
//
// A path in front is stripped by the program (http.StripPrefix), or by its proxy. Names of boards may have slashes, which are %2F in a path: a proxy must pass
// paths on as they are. Names of members are never part of a path.
//
// # Where things are
//
//	api.go       New, Handler
//	options.go   Options
//	internal/routes      the operations
//	internal/wire        the JSON
//	../internal/access      keys, tokens, tickets, throttling
//	../internal/middleware  ids, logs, metrics, limits, compression
//	../internal/live        server-sent events
//	../internal/problem     errors
package api
