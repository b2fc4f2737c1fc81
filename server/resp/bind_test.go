package resp

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

// TestBindAddresses: Bind accepts addresses that other machines can reach only if there are users. ":port" is 127.0.0.1.
func TestBindAddresses(t *testing.T) {
	with := Options{Users: []User{{Name: "default", Password: "x"}}}
	for _, row := range []struct {
		o        Options
		addr, ip string // "": refused
	}{
		{Options{}, "127.0.0.1:0", "127.0.0.1"},
		{Options{}, ":0", "127.0.0.1"},
		{Options{}, "0.0.0.0:0", ""},
		{with, ":0", "127.0.0.1"},
		{with, "0.0.0.0:0", "0.0.0.0"},
	} {
		l, err := row.o.Bind(row.addr)
		if row.ip == "" {
			require.ErrorIs(t, err, ErrNoPassword, row.addr)
			continue
		}
		require.NoError(t, err, row.addr)
		require.Equal(t, row.ip, l.Addr().(*net.TCPAddr).IP.String(), row.addr)
		require.NoError(t, l.Close())
	}
	_, err := Options{}.Bind("no address")
	require.ErrorContains(t, err, "resp: listen tcp")
}

// TestBindSocket: Bind and Listen replace the socket file of a dead process. They refuse a socket in use and a file that is no socket.
func TestBindSocket(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	require.NoError(t, err)
	left.SetUnlinkOnClose(false)
	require.NoError(t, left.Close())

	p := startServer(t, engine.Options{}, Options{})
	addr, err := p.s.Listen("unix:" + path)
	require.NoError(t, err)
	require.Equal(t, path, addr.String())
	_, err = p.s.Listen("unix:" + path)
	require.ErrorContains(t, err, "in use by another process")
	conn, err := net.Dial("unix", path)
	require.NoError(t, err, "the second Listen has not removed the socket")
	require.NoError(t, conn.Close())

	require.NoError(t, p.s.Close())
	require.NoFileExists(t, path)
	_, err = p.s.Listen("unix:" + path)
	require.ErrorIs(t, err, ErrClosed)
	require.NoFileExists(t, path)

	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	_, err = Options{}.Bind("unix:" + file)
	require.ErrorContains(t, err, "no socket")
	require.FileExists(t, file)
	_, err = Options{}.Bind("unix:" + filepath.Join(dir, "none", "s"))
	require.ErrorContains(t, err, "no such file")
}
