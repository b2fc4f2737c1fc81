package middleware

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// endless is a body without an end.
type endless struct{ sent int64 }

func (e *endless) Read(b []byte) (int, error) {
	e.sent += int64(len(b))
	return len(b), nil
}

// echo answers with the length of the body and of what the request announces.
func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	_, _ = fmt.Fprint(w, len(body), r.ContentLength, len(r.TransferEncoding), err)
}

// TestBodies: a handler gets bodies up to the limit whole, announced or in pieces, and none that is larger.
func TestBodies(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.MaxBody = 1000 }, echo)
	pieces := func(n int) io.Reader { return io.MultiReader(strings.NewReader(strings.Repeat("x", n))) }
	for _, c := range []struct {
		path string
		n    int
	}{{"/", 0}, {"/", 1}, {"/", 1000}, {"/big", 4096}, {"/events", 1000}} {
		_, text := w.send(t, "POST", c.path, strings.NewReader(strings.Repeat("x", c.n)))
		require.Equal(t, fmt.Sprint(c.n, c.n, 0, nil), text)
		_, text = w.send(t, "POST", c.path, pieces(c.n))
		require.Equal(t, fmt.Sprint(c.n, c.n, 0, nil), text)
	}
	for _, c := range []struct {
		path string
		body io.Reader
	}{
		{"/", strings.NewReader(strings.Repeat("x", 1001))}, {"/", pieces(1001)}, {"/big", pieces(4097)}, {"/export", pieces(1001)}, {"/", pieces(100_000)},
	} {
		a, text := w.send(t, "POST", c.path, c.body)
		p := requireProblem(t, a, text, 413, CodeBodyTooLarge)
		require.Contains(t, p.Detail, map[bool]string{true: "4096", false: "1000"}[c.path == "/big"])
		require.True(t, a.Close)
	}
	a, text := w.send(t, "POST", "/", strings.NewReader("x"), "Content-Encoding", "gzip")
	requireProblem(t, a, text, 415, CodeEncoding)
	_, text = w.send(t, "POST", "/", strings.NewReader("x"), "Content-Encoding", "Identity")
	require.Equal(t, fmt.Sprint(1, 1, 0, nil), text)
}

// TestBodyWithoutEnd: the server reads a little more than the limit of a body without an end, and closes the connection.
func TestBodyWithoutEnd(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.MaxBody = 1000 }, echo)
	body := &endless{}
	r, err := http.NewRequestWithContext(t.Context(), "POST", w.URL+"/", body)
	require.NoError(t, err)
	a, err := w.transport().RoundTrip(r)
	if err == nil { // else the client has seen the closed connection before the answer
		text, err := io.ReadAll(a.Body)
		require.NoError(t, err)
		require.NoError(t, a.Body.Close())
		requireProblem(t, a, string(text), 413, CodeBodyTooLarge)
	}
	require.Equal(t, 413.0, w.records(t, "request", 1)[0]["status"])
}

// raw opens a connection, sends a text and returns a reader of what is answered.
func (w *world) raw(t *testing.T, text string) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", w.Listener.Addr().String())
	require.NoError(t, err)
	require.NoError(t, c.SetReadDeadline(time.Now().Add(20*time.Second))) // a server that does not answer fails the test
	t.Cleanup(func() { _ = c.Close() })
	_, err = io.WriteString(c, text)
	require.NoError(t, err)
	return c, bufio.NewReader(c)
}

// answer reads one answer.
func answer(t *testing.T, from *bufio.Reader) (*http.Response, string) {
	t.Helper()
	a, err := http.ReadResponse(from, nil)
	require.NoError(t, err)
	text, err := io.ReadAll(a.Body)
	require.NoError(t, err)
	return a, string(text)
}

// TestSlowBody: a body that does not arrive is answered with 408, and its connection is closed; the handler is not called.
func TestSlowBody(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.Timeout = 20 * time.Millisecond }, func(http.ResponseWriter, *http.Request) { t.Error("called") })
	for _, head := range []string{"Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "Content-Length: 1000000\r\n\r\n"} {
		_, from := w.raw(t, "POST / HTTP/1.1\r\nHost: h\r\n"+head)
		a, text := answer(t, from)
		requireProblem(t, a, text, 408, CodeBodyTimeout)
		require.True(t, a.Close)
		_, err := from.ReadByte()
		require.ErrorIs(t, err, io.EOF)
	}
}

// TestBodyThatIsNotSent: a request is refused without its body, whoever refuses it: the server does not wait for the rest for longer than Timeout.
func TestBodyThatIsNotSent(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.MaxBody, o.Timeout = 1000, 20*time.Millisecond }, func(http.ResponseWriter, *http.Request) { t.Error("called") })
	for _, length := range []int64{1001, 100_000, 1 << 40} {
		_, from := w.raw(t, fmt.Sprintf("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n", length))
		a, text := answer(t, from)
		requireProblem(t, a, text, 413, CodeBodyTooLarge)
		for header, code := range map[string]string{"X-Caller: nobody": "unauthorized", "Origin: null": CodeOrigin} {
			_, from = w.raw(t, fmt.Sprintf("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n%s\r\n\r\n", length, header))
			a, text = answer(t, from)
			requireProblem(t, a, text, map[string]int{"unauthorized": 401, CodeOrigin: 403}[code], code)
		}
	}
	patient := newWorld(t, func(o *Options) { o.MaxBody = 1000 }, func(http.ResponseWriter, *http.Request) { t.Error("called") })
	_, from := patient.raw(t, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n")
	a, text := answer(t, from)
	requireProblem(t, a, text, 413, CodeBodyTooLarge)
	require.True(t, a.Close)
}

// TestCutBody: a body that ends early, or is no chunk, is answered with 400.
func TestCutBody(t *testing.T) {
	w := newWorld(t, nil, func(http.ResponseWriter, *http.Request) { t.Error("called") })
	for _, head := range []string{"Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "Transfer-Encoding: chunked\r\n\r\nno chunk\r\n"} {
		c, from := w.raw(t, "POST / HTTP/1.1\r\nHost: h\r\n"+head)
		require.NoError(t, c.(*net.TCPConn).CloseWrite())
		a, text := answer(t, from)
		requireProblem(t, a, text, 400, CodeBody)
		require.True(t, a.Close)
	}
}

// TestDeadlineOfBodiesEnds: once a body is there its deadline is gone: the handler's context goes on as long as it may, and the connection is good for
// another request.
func TestDeadlineOfBodiesEnds(t *testing.T) {
	const timeout = 50 * time.Millisecond
	w := newWorld(t, func(o *Options) { o.Timeout = timeout }, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/export" {
			select {
			case <-r.Context().Done():
				t.Error("the context of a stream has ended")
			case <-time.After(3 * timeout):
			}
		}
		echo(w, r)
	})
	c, from := w.raw(t, "")
	for _, want := range []int{3, 3, 0} { // one after the other: the server listens for the end of a connection while a handler runs
		request := "POST /export HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
		if want == 0 {
			request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
		}
		_, err := io.WriteString(c, request)
		require.NoError(t, err)
		_, text := answer(t, from)
		require.Equal(t, fmt.Sprint(want, want, 0, nil), text)
	}
}
