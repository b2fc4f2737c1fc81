package flow

import (
	"net"

	"github.com/zrankdb/zrank/server/resp/internal/socket"
)

// Try writes as much of text as a connection's socket takes without waiting, and drops the rest. It is for a last message to a client that is
// not served. For a connection without a socket (see Sender) it writes nothing.
func Try(conn net.Conn, text string) {
	if w := socket.NewWriter(conn); w != nil {
		_, _ = w.Write([]byte(text)) // nobody is left to hear of an error
	}
}
