package sessiontest

import (
	"context"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/conn"
	"github.com/zrankdb/zrank/server/resp/internal/dispatch"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Options are the options of a server that tests change.
type Options struct {
	Scores   wire.ScoreText
	MaxReply int           // 0: 64 MiB
	Boards   *local.Boards // nil: none
}

// NewHost returns the shared state of clients of an engine, which know the commands of some families. abandon ends deferred operations.
func NewHost(t testing.TB, e *engine.Engine, o Options, families ...[]session.Command) (h *session.Host, abandon context.CancelFunc) {
	t.Helper()
	keys, err := keyspace.New(t.Context(), e, o.Boards)
	require.NoError(t, err)
	work, abandon := context.WithCancel(context.Background())
	t.Cleanup(abandon)
	if o.MaxReply == 0 {
		o.MaxReply = 64 << 20
	}
	h = session.NewHost(context.Background(), work, e, keys, session.Config{
		Conn:     conn.Options{MaxRequest: 64 << 20, MaxPending: 64 << 20, SlowTimeout: time.Minute, HandshakeTimeout: time.Minute},
		MaxReply: o.MaxReply, MaxClients: 10, ClientMemory: 256 << 20, Databases: 16, Scores: o.Scores, Log: slog.New(slog.DiscardHandler),
	})
	h.Commands = session.NewTable(families...)
	return h, abandon
}

// Desk is a client whose requests come from a test.
type Desk struct {
	*dispatch.Loop
}

// New returns a client.
func New(t testing.TB, h *session.Host) Desk {
	here, there := net.Pipe()
	t.Cleanup(func() { _ = here.Close(); _ = there.Close() })
	return Desk{&dispatch.Loop{Client: session.NewClient(h, here, 1)}}
}

// Ask runs a command and returns its reply. Its words are separated by blanks.
func (d Desk) Ask(line string) string {
	d.Request(Words(line))
	d.Finish()
	return d.Taken()
}

// Taken returns the replies that have not been taken yet, below 64 KiB: larger ones are sent.
func (d Desk) Taken() string {
	text := ""
	for _, b := range d.Out.Detach() {
		text += string(b.Bytes())
		b.Free()
	}
	text += string(d.Out.Buf)
	d.Out.Reset()
	return text
}

// Words returns the words of a line.
func Words(line string) (a [][]byte) {
	for _, w := range strings.Fields(line) {
		a = append(a, []byte(w))
	}
	return a
}
