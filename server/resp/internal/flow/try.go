package flow

import "net"

// Try writes what a connection's socket takes without waiting, and says nothing of the rest: for a last word to a client that
// is not served. Where there is no socket that can be asked (see Sender) it writes nothing.
func Try(conn net.Conn, text string) {
	if a := newAttempt(conn); a != nil {
		_, _ = a.write([]byte(text)) // nobody is left to hear of an error
	}
}
