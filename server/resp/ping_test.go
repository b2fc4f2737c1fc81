package resp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

func TestPing(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	require.Equal(t, "+PONG\r\n", p.do("PING"))
	require.Equal(t, "$2\r\nhi\r\n", p.do("ping", "hi"))
	require.Equal(t, "-ERR wrong number of arguments for 'ping' command\r\n", p.do("ping", "a", "b"))
}
