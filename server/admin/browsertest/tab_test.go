package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// tab is one tab of the browser.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string // URL of the pages, with a slash at the end

	mu       sync.Mutex
	marks    int
	seen     map[int]bool // marks that have come through the console
	problems []string     // what the console and the network tell
	requests []string     // URLs
	status   map[string]int64
	dialogs  []string
}

// newTab opens a tab with cookies of its own.
func newTab(t *testing.T, base string) *tab {
	return openTab(t, base, chromedp.WithNewBrowserContext())
}

// another opens a tab that shares the cookies of this one, in a window of its own, so that both are visible.
func (x *tab) another() *tab {
	id := chromedp.FromContext(x.ctx).BrowserContextID
	return openTab(x.t, x.base, chromedp.WithExistingBrowserContext(id), chromedp.WithNewWindow(true))
}

func openTab(t *testing.T, base string, o chromedp.ContextOption, more ...chromedp.ContextOption) *tab {
	x := &tab{t: t, base: base, seen: map[int]bool{}, status: map[string]int64{}}
	ctx, cancel := chromedp.NewContext(browser(t), append(more, o, chromedp.WithListener(x.listen))...)
	t.Cleanup(cancel)
	x.ctx = ctx
	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(1280, 800)))
	x.closeDialogs()
	return x
}

// closeDialogs closes dialogs as they open.
func (x *tab) closeDialogs() {
	dialogs := chromedp.Events(x.ctx, page.JavascriptDialogOpening)
	go func() {
		for _, err := range dialogs {
			if err != nil {
				return
			}
			_, _ = chromedp.Call(x.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
		}
	}()
}

const markText = "browsertest mark "

// listen notes what happens in the tab.
func (x *tab) listen(event any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	bad := func(format string, args ...any) { x.problems = append(x.problems, fmt.Sprintf(format, args...)) }
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		text := ""
		for _, a := range e.Args {
			text += string(a.Value) + a.Description + " "
		}
		if _, n, ok := strings.Cut(text, markText); ok {
			number, _ := strconv.Atoi(strings.Trim(n, "\" "))
			x.seen[number] = true
		} else {
			bad("console.%s: %s", e.Type, text)
		}
	case *runtime.EventExceptionThrown:
		bad("exception: %s %v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelWarning || e.Entry.Level == log.EntryLevelError {
			bad("%s %s: %s %s", e.Entry.Source, e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		x.requests = append(x.requests, e.Request.URL)
	case *network.EventResponseReceived:
		x.status[e.Response.URL] = int64(e.Response.Status)
	case *page.EventJavascriptDialogOpening:
		x.dialogs = append(x.dialogs, e.Message)
	}
}

// settle waits until everything that the page has caused so far has been noted: events come in order.
func (x *tab) settle() {
	x.t.Helper()
	x.mu.Lock()
	x.marks++
	n := x.marks
	x.mu.Unlock()
	x.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("console.debug(%q)", markText+strconv.Itoa(n))))
	eventually(x.t, "the console", func() (bool, error) {
		x.mu.Lock()
		defer x.mu.Unlock()
		return x.seen[n], nil
	})
}

// forget forgets what has happened.
func (x *tab) forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.problems, x.requests, x.dialogs = nil, nil, nil
}

// clean checks that nothing went wrong, that no other host was asked, and nothing outside the folder of the pages.
func (x *tab) clean(what string) {
	x.t.Helper()
	x.settle()
	x.mu.Lock()
	defer x.mu.Unlock()
	require.Empty(x.t, x.problems, what)
	require.Empty(x.t, x.dialogs, what)
	for _, r := range x.requests {
		require.True(x.t, strings.HasPrefix(r, x.base), "%s asks for %s", what, r)
	}
}

func (x *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, limit)
	defer cancel()
	require.NoError(x.t, chromedp.Do(ctx, steps...))
}

// open opens a page by its path below the folder of the pages, and returns its status.
func (x *tab) open(at string) int64 {
	x.t.Helper()
	to, err := url.Parse(x.base)
	require.NoError(x.t, err)
	to, err = to.Parse(at)
	require.NoError(x.t, err)
	ctx, cancel := context.WithTimeout(x.ctx, limit)
	defer cancel()
	answer, err := chromedp.Run(ctx, chromedp.NavigateResponse(to.String()))
	require.NoError(x.t, err, "%s", at)
	return int64(answer.Status)
}

// js returns the value of an expression.
func js[T any](x *tab, expression string) T {
	x.t.Helper()
	v, err := tryJS[T](x, expression)
	require.NoError(x.t, err, "%s", expression)
	return v
}

func tryJS[T any](x *tab, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(x.ctx, limit)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, func(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) }))
}

// wait waits until an expression is true, also while the tab goes from one page to the next.
func (x *tab) wait(expression string) {
	x.t.Helper()
	defer func() {
		if x.t.Failed() {
			x.t.Log("problems:", x.problems, "page:", js[string](x, "location.href + ' ' + document.hidden + ' ' + document.body.innerText.slice(0, 2000)"))
		}
	}()
	eventually(x.t, expression, func() (bool, error) { return tryJS[bool](x, "!!("+expression+")") })
}

// leave does what makes the tab go to another page, and waits until that is there.
func (x *tab) leave(steps ...chromedp.Action[chromedp.Void]) {
	x.t.Helper()
	js[bool](x, "window.isBefore = true")
	x.do(steps...)
	x.wait("!window.isBefore && document.readyState === 'complete'")
}

// text returns the text of the first element of a selector.
func (x *tab) text(selector string) string {
	x.t.Helper()
	return js[string](x, fmt.Sprintf("document.querySelector(%s).textContent", quoted(selector)))
}

// quoted returns a text as JavaScript.
func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// click clicks on an element, as a mouse does.
func click(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Click(chromedp.CSS(selector))
}

// enter types a text into an empty field.
func enter(selector, text string) chromedp.Action[chromedp.Void] {
	return chromedp.SendKeys(chromedp.CSS(selector), text)
}

// signIn signs in with a key of the fixture.
func (x *tab) signIn(name string) {
	x.t.Helper()
	x.open("signin")
	x.do(enter("#name", name), enter("#secret", secretOf(name)))
	x.leave(click("main button"))
	require.Equal(x.t, name, x.text(".who span"))
}

// look sets the width and the colours.
func (x *tab) look(width int64, scheme string) {
	x.t.Helper()
	height := int64(800)
	if width < 500 {
		height = 844
	}
	x.do(chromedp.EmulateViewport(width, height))
	_, err := chromedp.Call(x.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	require.NoError(x.t, err)
}
