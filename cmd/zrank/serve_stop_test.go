package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// writers are clients that write until the server has stopped.
type writers struct {
	t        *testing.T
	done     sync.WaitGroup
	answered []atomic.Int64 // writes by writer
}

const pipelined = 8 // writes that a client sends before it reads

// write starts clients: client i adds member n to the set w<i>, n from 0 on; the last submits to the board sum.
func (w *writers) write(addr string, clients int) {
	w.answered = make([]atomic.Int64, clients)
	for i := range clients {
		c := call(w.t, "tcp", addr)
		w.done.Go(func() {
			for n := 0; ; n += pipelined {
				lines, want := make([]string, pipelined), ":1"
				for k := range lines {
					lines[k] = fmt.Sprintf("ZADD w%d %d %d", i, n+k, n+k)
				}
				if i == clients-1 {
					lines, want = []string{"BOARD.SUBMIT sum ada 1"}, "*4"
				}
				replies, err := c.ask(lines...)
				for _, reply := range replies {
					if reply == want {
						w.answered[i].Add(1)
					}
				}
				if err != nil {
					return
				}
			}
		})
	}
}

// wait waits until every client has this number of replies.
func (w *writers) wait(writes int64) {
	w.t.Helper()
	require.Eventually(w.t, func() bool {
		for i := range w.answered {
			if w.answered[i].Load() < writes {
				return false
			}
		}
		return true
	}, time.Minute, time.Millisecond)
}

// check checks that every write with a reply is stored, and returns their number.
func (w *writers) check(dir string) (answered int) {
	ctx := context.Background()
	w.t.Helper()
	w.done.Wait()
	e, err := engine.Open(dir, engine.Options{})
	require.NoError(w.t, err)
	defer e.Close()
	last := len(w.answered) - 1
	for i := range last {
		key, n := fmt.Sprint("w", i), int(w.answered[i].Load())
		require.NoError(w.t, e.View(ctx, func(tx *engine.Tx) error {
			s, err := tx.Set(key)
			require.NoError(w.t, err)
			for m := range n {
				score, ok := s.Score([]byte(fmt.Sprint(m)))
				require.True(w.t, ok && score == float64(m), "%s: %d of %d", key, m, n)
			}
			return nil
		}, key))
		answered += n
	}
	boards, err := local.Open(e, local.Options{})
	require.NoError(w.t, err)
	defer boards.Close()
	b, err := boards.Board(ctx, "sum")
	require.NoError(w.t, err)
	live, err := b.Live(ctx, "all")
	require.NoError(w.t, err)
	score, _, err := live.Score(ctx, "ada")
	require.NoError(w.t, err)
	require.GreaterOrEqual(w.t, int64(score.At(0).Float()), w.answered[last].Load())
	return answered + int(w.answered[last].Load())
}

// TestServeStops stops a server by a signal or by SHUTDOWN while clients write. The server exits with 0, and at every durability each write
// that it answered is stored.
func TestServeStops(t *testing.T) {
	for _, level := range []string{"sync", "interval", "none"} {
		for _, how := range []string{"signal", "SHUTDOWN"} {
			t.Run(level+"/"+how, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "data")
				spec := write(t, filepath.Join(t.TempDir(), "spec"), `{"name": "sum", "op": "sum"}`)
				s := startServer(t, "--dir", dir, "--durability", level, "--spec", spec)
				w := writers{t: t}
				w.write(s.addr, 4)
				w.wait(20)
				if how == "signal" {
					require.NoError(t, s.c.Process.Signal(syscall.SIGTERM))
				} else {
					_, _ = call(t, "tcp", s.addr).ask("SHUTDOWN")
				}
				require.Zero(t, s.end(), "%s", strings.Join(s.logs, "\n"))
				require.Contains(t, s.logs[len(s.logs)-1], "msg=stopped")
				t.Logf("%d answered writes are there", w.check(dir))
			})
		}
	}
}

// TestServeKilled: at durability sync every write with a reply survives a kill.
func TestServeKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	spec := write(t, filepath.Join(t.TempDir(), "spec"), `{"name": "sum", "op": "sum"}`)
	total := 0
	for round := range 3 {
		w := writers{t: t}
		s := startServer(t, "--dir", dir, "--spec", spec)
		w.write(s.addr, 4)
		w.wait(int64(10 + 10*round))
		require.NoError(t, s.c.Process.Kill())
		require.Equal(t, -1, s.end())
		total += w.check(dir)
		require.NoError(t, os.RemoveAll(dir))
	}
	t.Logf("3 kills, %d answered writes are there", total)
}

// TestServeRedisCLI runs redis-cli against the server.
func TestServeRedisCLI(t *testing.T) {
	cli, err := exec.LookPath("redis-cli")
	if err != nil {
		t.Skip("skipped: redis-cli is not installed")
	}
	s := startServer(t, "--memory")
	host, port, _ := strings.Cut(s.addr, ":")
	out, err := exec.Command(cli, "-h", host, "-p", port, "ZADD", "k", "1.5", "ada").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "1\n", string(out))
	out, err = exec.Command(cli, "-3", "-h", host, "-p", port, "--no-raw", "ZRANGE", "k", "0", "-1", "WITHSCORES").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "1) 1) \"ada\"\n   2) (double) 1.5\n", string(out))
}

// certificate makes a self-signed certificate for localhost, and returns the paths of the certificate and of its key.
func certificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	like := x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	signed, err := x509.CreateCertificate(rand.Reader, &like, &like, &private.PublicKey, private)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	cert = write(t, filepath.Join(dir, "cert.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})))
	key = write(t, filepath.Join(dir, "key.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	return cert, key
}
