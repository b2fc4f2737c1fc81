// Package conn owns the connection of one client: the reader of its requests, the sender of its replies, its read deadline, its TLS
// handshake and its end. It knows no commands.
//
// It promises that a client that stops sending in the middle of a request, does not authenticate, or takes too long for the handshake, is
// disconnected in time, and that Stop and Disconnect, which other goroutines call, never wait.
//
// # Where things are
//
//	conn.go       Conn, its options, the handshake, its end
//	deadline.go   when the client must have sent something
package conn
