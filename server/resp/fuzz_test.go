package resp

import (
	"io"
	"net"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

// FuzzServer sends any bytes and disconnects. The server goes on, and holds no memory of the client.
func FuzzServer(f *testing.F) {
	for _, text := range []string{
		"PING\r\nZADD k 1 a 2 b\r\nZRANGE k 0 -1 WITHSCORES\r\n*3\r\n$4\r\nZREM\r\n$1\r\nk\r\n$1\r\na\r\n",
		"HELLO 3\r\nMULTI\r\nZINCRBY k 1.5 a\r\nEXEC\r\nZPOPMIN k 10\r\nBZPOPMIN k 0\r\nPING\r\n",
		"WATCH a b\r\nMULTI\r\nSELECT 3\r\nZADD k XX GT CH 5 a\r\nRESET\r\nCLIENT LIST\r\nINFO\r\nCOMMAND DOCS\r\n",
		"ZUNIONSTORE d 2 a b WEIGHTS 1 2 AGGREGATE MAX\r\nZRANGESTORE d k (1 5 BYSCORE LIMIT 0 3\r\nSADD s x y\r\nZINTER 2 s d WITHSCORES\r\n",
		"ZSCAN k 0 MATCH * COUNT 5\r\nSCAN 0 TYPE zset\r\nZRANDMEMBER k -5 WITHSCORES\r\nZADD k nan a\r\nCLIENT REPLY OFF\r\nGET\r\n*x\r\n",
		"CONFIG SET zset-max-listpack-entries 0\r\nEXPIRE k 5\r\nOBJECT ENCODING k\r\nCOPY k l REPLACE\r\nRENAME l m\r\nMEMORY USAGE m\r\n",
	} {
		f.Add([]byte(text))
	}
	e, err := engine.New(engine.Options{})
	require.NoError(f, err)
	s, err := New(f.Context(), e, Options{MaxReply: 1 << 20, MaxRequest: 1 << 20})
	require.NoError(f, err)
	f.Cleanup(func() {
		require.NoError(f, s.Close())
		require.NoError(f, e.Close())
	})
	talk := func(t *testing.T, text []byte) {
		server, client := net.Pipe()
		s.take(server)
		read := make(chan struct{})
		go func() {
			_, _ = io.Copy(io.Discard, client)
			close(read)
		}()
		_, _ = client.Write(text) // the server may have closed before the last
		_ = client.Close()
		<-read
		for clients(s) > 0 {
			runtime.Gosched()
		}
		require.Zero(t, s.host.Budget.Used())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		talk(t, text)
		talk(t, []byte("FLUSHALL\r\n"))
	})
}
