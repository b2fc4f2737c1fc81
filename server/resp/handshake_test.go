package resp

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// secretly returns a function that wraps the server's end of a connection in TLS.
func secretly(t *testing.T) func(net.Conn) net.Conn {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	config := &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{cert}, PrivateKey: key}}}
	return func(conn net.Conn) net.Conn { return tls.Server(conn, config) }
}

// TestHandshakeInTime: a connection that never begins the TLS handshake, or sends a byte of it now and then, is closed after
// HandshakeTimeout. Until then it counts as a client, and does not delay other clients. After the handshake a client may be silent.
func TestHandshakeInTime(t *testing.T) {
	inBubble(t, Options{MaxClients: 3}, func(t *testing.T, s *Server) {
		secret := secretly(t)
		dial := func() (client net.Conn, taken bool) {
			server, client := net.Pipe()
			return client, s.take(secret(server))
		}
		begun := time.Now()
		silent, taken := dial()
		require.True(t, taken)
		slow, taken := dial()
		require.True(t, taken)
		go func() {
			for _, err := slow.Write([]byte("\x16")); err == nil; _, err = slow.Write([]byte("\x03")) {
				time.Sleep(4 * time.Second)
			}
		}()
		below, taken := dial()
		require.True(t, taken)
		client := tls.Client(below, &tls.Config{InsecureSkipVerify: true}) // the certificate is not what is tested
		_, err := client.Write([]byte("PING\r\n"))
		require.NoError(t, err)
		require.NoError(t, drain(client, "+PONG\r\n"))
		require.Zero(t, time.Since(begun))
		_, taken = dial()
		require.False(t, taken, "connections without a handshake count as clients")
		for _, conn := range []net.Conn{silent, slow} {
			_, err := io.ReadAll(conn)
			require.NoError(t, err)
		}
		require.Equal(t, 10*time.Second, time.Since(begun))
		synctest.Wait()
		require.Equal(t, 1, clients(s))
		time.Sleep(time.Hour)
		_, err = client.Write([]byte("PING\r\n"))
		require.NoError(t, err)
		require.NoError(t, drain(client, "+PONG\r\n"))
		require.NoError(t, below.Close())
	})
}

// TestCloseEndsHandshakes: Close does not wait for unfinished handshakes.
func TestCloseEndsHandshakes(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, s *Server) {
		server, client := net.Pipe()
		s.take(secretly(t)(server))
		synctest.Wait()
		begun := time.Now()
		require.NoError(t, s.Close())
		require.Zero(t, time.Since(begun))
		require.NoError(t, client.Close())
	})
}
