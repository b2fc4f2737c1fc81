package flow

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// kinds are the connections a server has, by name, each as a function that makes one.
var kinds = map[string]func(t *testing.T) (server, client net.Conn){
	"tcp":  func(t *testing.T) (net.Conn, net.Conn) { return connect(t, "tcp", "127.0.0.1:0") },
	"unix": func(t *testing.T) (net.Conn, net.Conn) { return connect(t, "unix", filepath.Join(t.TempDir(), "s")) },
	"pipe": func(*testing.T) (net.Conn, net.Conn) { return net.Pipe() },
	"tls":  secure,
}

func connect(t *testing.T, network, address string) (server, client net.Conn) {
	l, err := net.Listen(network, address)
	require.NoError(t, err)
	defer l.Close()
	client, err = net.Dial(network, l.Addr().String())
	require.NoError(t, err)
	server, err = l.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = server.Close(), client.Close() })
	return server, client
}

func secure(t *testing.T) (server, client net.Conn) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	a, b := connect(t, "tcp", "127.0.0.1:0")
	server = tls.Server(a, &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{cert}, PrivateKey: key}}})
	return server, tls.Client(b, &tls.Config{InsecureSkipVerify: true}) // the certificate is not what is tested
}
