package admin

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/zrankdb/zrank/internal/printable"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/admin/internal/pages"
)

// signInData is what the page for signing in shows.
type signInData struct{ Back, Problem string }

func (h *Handler) showSignIn(w http.ResponseWriter, r *http.Request) {
	h.write(w, r, http.StatusOK, h.page(r, "signin", "Sign in", signInData{Back: r.URL.Query().Get("back")}))
}

// signIn signs in with the name and the secret of a key.
func (h *Handler) signIn(w http.ResponseWriter, r *http.Request) {
	back := r.PostFormValue("back")
	refuse := func(status int, why string) {
		h.write(w, r, status, h.page(r, "signin", "Sign in", signInData{back, why}))
	}
	if len(h.o.Keys) == 0 {
		refuse(http.StatusForbidden, "")
		return
	}
	who, err := h.guard.SignIn(r, r.PostFormValue("name"), r.PostFormValue("secret"))
	throttled := new(access.ThrottledError)
	switch {
	case errors.As(err, &throttled):
		refuse(http.StatusTooManyRequests, "Too many wrong attempts from this address. Try again in "+throttled.RetryAfter.Round(1e9).String()+".")
		return
	case err != nil:
		h.o.Logger.Warn("sign-in refused", "from", h.guard.Client(r))
		refuse(http.StatusForbidden, "No key has this name and secret.")
		return
	}
	if err := h.sessions.Begin(w, r, who, h.isSecure(r)); err != nil {
		h.fail(w, r, err)
		return
	}
	h.o.Logger.Info("signed in", "key", who.Name, "from", h.guard.Client(r))
	redirect(w, inside(back))
}

func (h *Handler) signOut(w http.ResponseWriter, r *http.Request) {
	if h.accepts(w, r) {
		h.sessions.End(w, r)
		redirect(w, "overview")
	}
}

// accepts reports whether a form was sent from a page of somebody who is signed in; else it answers.
func (h *Handler) accepts(w http.ResponseWriter, r *http.Request) bool {
	s := viewerOf(r).session
	switch {
	case s == nil:
		h.problem(w, r, http.StatusForbidden, "You are not signed in any more, and nothing was changed: the session has ended, or the server has begun anew.")
	case !s.Accepts(r.PostFormValue("token")):
		h.problem(w, r, http.StatusForbidden, "This form is not of your session, and nothing was changed. Go back, load the page again, and send it once more.")
	default:
		return true
	}
	return false
}

// act does what a moderator wants, and shows the member with it.
func (h *Handler) act(w http.ResponseWriter, r *http.Request) {
	if !h.accepts(w, r) {
		return
	}
	o := pages.Order{Do: r.PostFormValue("do"), Board: r.PostFormValue("board"), Member: pages.MemberOf(r.PostFormValue("member")), To: pages.MemberOf(r.PostFormValue("to")),
		Reason: strings.TrimSpace(r.PostFormValue("reason")), Keep: r.PostFormValue("keep") != "", Typed: r.PostFormValue("typed")}
	done, err := h.site.Act(r.Context(), viewerOf(r).who, o)
	switch {
	case errors.Is(err, pages.ErrInput):
		h.again(w, r, o, err)
	case err != nil:
		h.fail(w, r, err)
	default:
		h.o.Logger.Info("moderated", "key", viewerOf(r).who.Name, "do", o.Do, "board", o.Board)
		h.sessions.Say(viewerOf(r).session, done.Text)
		redirect(w, "player?"+url.Values{"member": {printable.Name(done.Member)}}.Encode())
	}
}

// again shows the preview of an order that cannot be followed, with what is wrong.
func (h *Handler) again(w http.ResponseWriter, r *http.Request, o pages.Order, problem error) {
	q := request(r)
	q.Query = url.Values{"do": {o.Do}, "board": {o.Board}, "member": {printable.Name(o.Member)}, "to": {printable.Name(o.To)}}
	data, err := h.site.Preview(q)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	data.Reason, data.Problem = o.Reason, problem.Error()
	x := h.page(r, "preview", data.Title(), data)
	x.CanAct = q.Who.Can(access.Moderate, o.Board)
	h.write(w, r, http.StatusBadRequest, x)
}

// migrate shows what another spec would change, or gives it to the board.
func (h *Handler) migrate(w http.ResponseWriter, r *http.Request) {
	if !h.accepts(w, r) {
		return
	}
	name, text := r.PostFormValue("board"), r.PostFormValue("spec")
	q := request(r)
	q.Query = url.Values{"board": {name}, "spec": {text}}
	if r.PostFormValue("do") == "migrate" && r.PostFormValue("sure") != "" {
		if err := h.site.Migrate(r.Context(), q.Who, name, text); err != nil {
			h.fail(w, r, err)
			return
		}
		h.o.Logger.Info("migrated", "key", q.Who.Name, "board", name)
		h.sessions.Say(viewerOf(r).session, "The board has its new spec.")
		redirect(w, "spec?"+url.Values{"board": {name}}.Encode())
		return
	}
	data, err := h.site.Spec(q)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	x := h.page(r, "spec", "Spec", data)
	x.Board, x.CanAct = name, q.Who.Can(access.All, "")
	h.write(w, r, http.StatusOK, x)
}
