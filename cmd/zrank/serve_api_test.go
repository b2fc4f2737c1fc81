package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zrankdb/zrank/server/access"

	"github.com/stretchr/testify/require"
)

// fetch makes a request of the API and returns the status and the body.
func fetch(t *testing.T, c *http.Client, method, url, key, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	response, err := c.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}

// stop ends a server and waits for it.
func (s *served) stop() {
	s.t.Helper()
	require.NoError(s.t, s.c.Process.Signal(os.Interrupt))
	require.Zero(s.t, s.end(), strings.Join(s.logs, "\n"))
}

// TestServeAPI: serve serves the HTTP API beside the Redis protocol, over the same boards.
func TestServeAPI(t *testing.T) {
	tmp := t.TempDir()
	spec := write(t, filepath.Join(tmp, "arena.json"), `{"name": "arena", "op": "sum", "windows": ["all", "week"]}`)
	s := startServer(t, "--dir", filepath.Join(tmp, "data"), "--spec", spec)
	status, text := fetch(t, http.DefaultClient, "POST", s.api+"/v1/boards/arena/scores", "", `{"member": "ada", "score": [15]}`)
	require.Equal(t, 200, status, text)
	require.Equal(t, "*1", call(t, "tcp", s.addr).says(t, "BOARD.TOP arena all 5"))
	status, text = fetch(t, http.DefaultClient, "GET", s.api+"/v1/openapi.json", "", "")
	require.Equal(t, 200, status)
	require.Contains(t, text, `"/v1/boards/{board}/scores"`)
	s.stop()
	require.NotContains(t, strings.Join(s.logs, "\n"), "/v1/boards")
	require.Equal(t, "15\n", must(t, "score", "--dir", filepath.Join(tmp, "data"), "arena", "ada"))

	s = startServer(t, "--memory", "--api", "")
	require.Empty(t, s.api)
	s.stop()
	s = startServer(t, "--memory", "--resp", "", "--api-log") // the API alone
	require.Empty(t, s.addr)
	status, _ = fetch(t, http.DefaultClient, "GET", s.api+"/v1/boards", "", "")
	require.Equal(t, 200, status)
	s.stop()
	require.Contains(t, strings.Join(s.logs, "\n"), "msg=request method=GET route=/v1/boards status=200")
}

const (
	allSecret  = "zrank_all_0123456789"
	readSecret = "zrank_read_0123456789"
)

// sum returns the SHA-256 of a text in hex.
func sum(text string) string {
	hash := sha256.Sum256([]byte(text))
	return hex.EncodeToString(hash[:])
}

// TestServeAPIKeys: with keys a request needs one, over TLS too, and other machines may reach the server. No secret is logged.
func TestServeAPIKeys(t *testing.T) {
	tmp := t.TempDir()
	cert, key := certificate(t, tmp)
	pem, err := os.ReadFile(cert)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(pem))
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	lines := write(t, filepath.Join(tmp, "keys.txt"), "# who may\n\ngame all "+allSecret+"\ndash read sha256:"+sum(readSecret)+" arena\n")
	array := write(t, filepath.Join(tmp, "keys.json"), `[{"name": "game", "rights": "all", "secret": "`+allSecret+`"}, {"name": "dash", "rights": "read", "sha256": "`+sum(readSecret)+`", "boards": ["arena"]}]`)
	require.NoError(t, os.Chmod(lines, 0o644))
	for _, file := range []string{lines, array} {
		s := startServer(t, "--memory", "--api", "0.0.0.0:0", "--api-keys", file, "--api-tls-cert", cert, "--api-tls-key", key)
		require.True(t, strings.HasPrefix(s.api, "https://localhost:"), s.api) // the name in the certificate
		status, text := fetch(t, c, "GET", s.api+"/v1/boards", "", "")
		require.Equal(t, 401, status, text)
		status, text = fetch(t, c, "PUT", s.api+"/v1/boards/arena", readSecret, `{"windows": ["all"]}`)
		require.Equal(t, 403, status, text)
		status, text = fetch(t, c, "PUT", s.api+"/v1/boards/arena", allSecret, `{"windows": ["all"]}`)
		require.Equal(t, 200, status, text)
		status, text = fetch(t, c, "GET", s.api+"/v1/boards/arena", readSecret, "")
		require.Equal(t, 200, status, text)
		s.stop()
		logs := strings.Join(s.logs, "\n")
		require.Equal(t, file == lines, strings.Contains(logs, "others can read the file of API keys"))
		require.NotContains(t, logs, allSecret)
		require.NotContains(t, logs, readSecret)
	}
}

// TestServePlayers: players come with tokens that somebody else has signed, and submit tickets that a server has issued.
func TestServePlayers(t *testing.T) {
	tmp := t.TempDir()
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	der, err := x509.MarshalPKIXPublicKey(public)
	require.NoError(t, err)
	secret := strings.Repeat("zrank_", 6)
	for name, c := range map[string]struct {
		key    string
		signer access.Signer
	}{
		"EdDSA": {string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})), access.Signer{EdDSA: private}},
		"HS256": {secret + "\n", access.Signer{HS256: []byte(secret)}},
	} {
		t.Run(name, func(t *testing.T) {
			s := startServer(t, "--memory", "--api-keys", write(t, filepath.Join(tmp, "keys"), "game all "+allSecret+"\n"),
				"--api-token-key", write(t, filepath.Join(tmp, "token"), c.key), "--api-ticket-key", write(t, filepath.Join(tmp, "ticket"), strings.Repeat("t", 32)))
			ada, err := c.signer.Issue(access.Token{Member: "ada", Expires: time.Now().Add(time.Hour)})
			require.NoError(t, err)
			call := func(key, method, path, body string, want int) string {
				status, text := fetch(t, http.DefaultClient, method, s.api+"/v1/boards/arena"+path, key, body)
				require.Equal(t, want, status, text)
				return text
			}
			call(allSecret, "PUT", "", `{"windows": ["all"]}`, 200)
			call(ada, "POST", "/scores", `{"member": "ada", "score": 5}`, 403)
			ticket := call(allSecret, "POST", "/tickets", `{"member": "ada", "score": 5}`, 200)
			call(ada, "POST", "/tickets/redeem", ticket, 200)
			require.Contains(t, call(ada, "GET", "/windows/all/rank?member=ada", "", 200), `"score":[5]`)
			require.NotContains(t, strings.Join(s.logs, "\n"), "zrank_")
		})
	}
}

// TestServeAPIMistakes: wrong flags give an error of one line, without a secret, before anything is served.
func TestServeAPIMistakes(t *testing.T) {
	dir := t.TempDir()
	short := write(t, filepath.Join(dir, "short"), "game all tooshort\n")
	rights := write(t, filepath.Join(dir, "rights"), "game all "+allSecret+"\ndash look "+readSecret+"\n")
	words := write(t, filepath.Join(dir, "words"), "game "+allSecret+"\n")
	empty := write(t, filepath.Join(dir, "empty"), "# nobody\n")
	array := write(t, filepath.Join(dir, "array"), `[{"name": "game", "right": "all"}]`)
	for _, m := range []struct {
		why  string
		args []string
	}{
		{`"10.0.0.0/99" is no address and no network`, []string{"--trusted-proxies", "127.0.0.1,10.0.0.0/99"}},
		{"no keys: everybody who reaches it could do everything", []string{"--api", "0.0.0.0:0"}},
		{`"": there is no API`, []string{"--api", "", "--api-keys", short}},
		{"--api-tls-cert and --api-tls-key belong together", []string{"--api-tls-key", "x"}},
		{"Secret has 8 bytes", []string{"--api-keys", short}},
		{"line 2: want NAME RIGHTS SECRET|sha256:HEX [BOARD...]", []string{"--api-keys", rights}},
		{"line 1: want NAME RIGHTS SECRET", []string{"--api-keys", words}},
		{"no key in it", []string{"--api-keys", empty}},
		{`unknown field "right"`, []string{"--api-keys", array}},
		{"has 17 bytes", []string{"--api-token-key", short}},
		{"want a public key of Ed25519", []string{"--api-token-key", write(t, filepath.Join(dir, "pem"), "-----BEGIN PUBLIC KEY-----\nYWRh\n-----END PUBLIC KEY-----\n")}},
		{"PEM in it is damaged", []string{"--api-token-key", write(t, filepath.Join(dir, "cut"), "-----BEGIN PUBLIC KEY-----\nYWRh\n")}},
		{"want at least 32", []string{"--api-ticket-key", short}},
	} {
		args := append([]string{"serve", "--memory", "--resp", "127.0.0.1:0"}, m.args...)
		fails(t, exitUsage, m.why, args...)
		require.NotContains(t, zrank(nil, args...).errs, "zrank_")
	}
	keys := write(t, filepath.Join(dir, "keys"), "game all "+allSecret+"\n")
	fails(t, exitUsage, "no TLS", "serve", "--memory", "--resp", "127.0.0.1:0", "--api", "0.0.0.0:0", "--api-keys", keys)
	startServer(t, "--memory", "--api", "0.0.0.0:0", "--api-keys", keys, "--api-insecure").stop()
	s := startServer(t, "--memory")
	fails(t, exitFailed, "address already in use", "serve", "--memory", "--resp", "127.0.0.1:0", "--api", strings.TrimPrefix(s.api, "http://"))
	fails(t, exitFailed, "--api-keys", "serve", "--memory", "--resp", "127.0.0.1:0", "--api-keys", dir+"-none")
	s.stop()
}

// TestServeBehindProxy: wrong keys of one client of a trusted proxy lock out that client, of the API and of the pages, and nobody else. What a client says itself before
// the proxy's part of X-Forwarded-For counts nothing. Without the flag all clients of the proxy are locked out.
func TestServeBehindProxy(t *testing.T) {
	keys := write(t, filepath.Join(t.TempDir(), "keys"), "game all "+allSecret+"\n")
	for _, trusted := range []bool{true, false} {
		args := []string{"--memory", "--api-keys", keys}
		if trusted {
			args = append(args, "--trusted-proxies", "10.0.0.0/8, 127.0.0.1")
		}
		s := startServer(t, args...)
		ask := func(secret, forwarded string) int {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.api+"/v1/boards", nil)
			require.NoError(t, err)
			r.Header.Set("Authorization", "Bearer "+secret)
			r.Header.Set("X-Forwarded-For", forwarded)
			w, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			require.NoError(t, w.Body.Close())
			return w.StatusCode
		}
		for i := range 40 {
			ask(strings.Repeat("x", 32), fmt.Sprintf("198.51.100.%d, 203.0.113.9", i))
		}
		require.Equal(t, http.StatusTooManyRequests, ask(allSecret, "203.0.113.9"))
		want := map[bool]int{true: http.StatusOK, false: http.StatusTooManyRequests}[trusted]
		require.Equal(t, want, ask(allSecret, "203.0.113.8"))
		s.stop()
	}
}

// TestServedDirectory: a command on a directory that is served says how to ask the server. One that was killed leaves its file, and nothing that is
// said then is about it.
func TestServedDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, "--dir", dir)
	says := dir + " is in use by process " + strconv.Itoa(s.c.Process.Pid) + ", which serves it at " + s.api
	fails(t, exitFailed, dir+" is in use by process "+strconv.Itoa(s.c.Process.Pid)+": ask it with --addr "+s.api, "top", "--dir", dir, "arena")
	for _, args := range [][]string{{"check", "--dir", dir}, {"serve", "--dir", dir, "--resp", "127.0.0.1:0", "--api", ""}, {"backup", "--dir", dir, dir + "-new"}, {"salvage", "--dir", dir, dir + "-new"}, {"compact", "--dir", dir}} {
		fails(t, exitFailed, says, args...)
	}
	for _, args := range [][]string{{"backup", "--dir", dir, dir + "-new"}, {"compact", "--dir", dir}} { // who serves a directory has no library to call
		fails(t, exitFailed, says+": stop it first, as it cannot do this itself\n", args...)
	}
	info, err := os.Stat(filepath.Join(dir, "serve.json"))
	require.NoError(t, err)
	require.True(t, runtime.GOOS == "windows" || info.Mode().Perm() == 0o600, "serve.json is %v", info.Mode())
	s.stop()
	require.NoFileExists(t, filepath.Join(dir, "serve.json"))

	s = startServer(t, "--dir", dir, "--api", "")
	fails(t, exitFailed, "which serves it at "+s.addr, "top", "--dir", dir, "arena")
	require.NoError(t, s.c.Process.Kill())
	s.end()
	require.FileExists(t, filepath.Join(dir, "serve.json"))
	fails(t, exitFailed, "no such board", "top", "--dir", dir, "arena") // it is free
	must(t, "check", "--dir", dir)
	end := inUse(t, dir)
	r := zrank(nil, "top", "--dir", dir, "arena")
	end()
	require.Contains(t, r.errs, "directory is in use by another process")
	require.NotContains(t, r.errs, "process "+strconv.Itoa(s.c.Process.Pid))
	require.NotContains(t, r.errs, s.addr)
	s = startServer(t, "--dir", dir)
	fails(t, exitFailed, ": ask it with --addr "+s.api, "top", "--dir", dir, "arena")
	s.stop()
	require.NoFileExists(t, filepath.Join(dir, "serve.json"))
}
