package browsertest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// limit is how long a condition is waited for: far longer than it takes on any machine.
const limit = 2 * time.Minute

var update = flag.Bool("update", false, "write the pictures of docs/img anew")

// chromium is the one browser of a test run. Each tab has cookies of its own.
var chromium struct {
	once sync.Once
	ctx  context.Context
	end  func()
	err  error
}

var errNoChromium = errors.New("there is no chromium")

func TestMain(m *testing.M) {
	flag.Parse()
	m.Run()
	if chromium.end != nil {
		chromium.end()
	}
}

// program returns the path of Chromium.
func program() (string, error) {
	if name := os.Getenv("CHROMIUM"); name != "" {
		return exec.LookPath(name)
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if at, err := exec.LookPath(name); err == nil {
			return at, nil
		}
	}
	return "", errNoChromium
}

// begin starts Chromium. The end of the run kills it, with all its processes.
func begin() {
	at, err := program()
	if err != nil {
		chromium.err = errNoChromium
		return
	}
	o := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(at), chromedp.WSURLReadTimeout(limit), chromedp.Flag("lang", "en-US"))
	if os.Geteuid() == 0 {
		o = append(o, chromedp.NoSandbox) // Chromium refuses to have one for root
	}
	alloc, kill := chromedp.NewExecAllocator(context.Background(), o...)
	ctx, cancel := chromedp.NewContext(alloc)
	chromium.ctx, chromium.err = ctx, chromedp.Do(ctx)
	chromium.end = func() {
		_ = chromedp.Cancel(ctx) // closes it, and waits until its process has ended
		cancel()
		kill()
	}
}

// browser returns the browser, or skips the test.
func browser(t *testing.T) context.Context {
	chromium.once.Do(begin)
	if errors.Is(chromium.err, errNoChromium) {
		missing(t, "no chromium: install it, or name it in CHROMIUM")
	}
	require.NoError(t, chromium.err)
	return chromium.ctx
}

// missing skips a test that needs something which is not installed.
func missing(t *testing.T, what string) {
	if os.Getenv("BROWSER") == "all" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// eventually waits until a condition holds.
func eventually(t testing.TB, what string, holds func() (bool, error)) {
	t.Helper()
	end, tick := time.NewTimer(limit), time.NewTicker(20*time.Millisecond)
	defer end.Stop()
	defer tick.Stop()
	var last error
	for {
		ok, err := holds()
		if ok && err == nil {
			return
		}
		last = err
		select {
		case <-tick.C:
		case <-end.C:
			require.FailNow(t, fmt.Sprintf("waited for %v: %s", limit, what), "%v", last)
		}
	}
}
