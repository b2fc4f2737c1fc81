package remote

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/zrankdb/zrank/board"
)

// remoteBoard is a board of a server.
type remoteBoard struct {
	c       *client
	name    string
	spec    board.Spec
	version int
}

// Name returns the name of the board.
func (b *remoteBoard) Name() string { return b.name }

// Spec returns the spec that the board had when the server was asked.
func (b *remoteBoard) Spec() board.Spec { return b.spec }

// Version returns the version that the board had when the server was asked: see board.Board.Version.
func (b *remoteBoard) Version() int { return b.version }

// path returns a path of the board.
func (b *remoteBoard) path(parts ...string) string {
	return path(append([]string{"boards", b.name}, parts...)...)
}

// do makes a request without an answer.
func (b *remoteBoard) do(ctx context.Context, method, path string, query url.Values, body any) error {
	return b.c.do(ctx, request{method: method, path: path, query: query, body: body}, nil)
}

// submitting is a submission with what it expects.
type submitting struct {
	board.Submission
	Expect *expected `json:"expect,omitempty"`
	Look   bool      `json:"look,omitempty"`
}

type expected struct {
	Row *board.Row `json:"row,omitempty"`
}

// submitted is what a submission did.
type submitted struct {
	board.Change
	Was *board.Row
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *submitted) UnmarshalJSON(b []byte) error {
	var rest struct{ Was *board.Row }
	if err := json.Unmarshal(b, &rest); err != nil {
		return err
	}
	s.Was = rest.Was
	return s.Change.UnmarshalJSON(b)
}

// Submit is board.Board.Submit.
func (b *remoteBoard) Submit(ctx context.Context, sub board.Submission) (board.Change, error) {
	return send[board.Change](ctx, b.c, http.MethodPost, b.path("scores"), sub)
}

// Apply is board.Board.Apply.
func (b *remoteBoard) Apply(ctx context.Context, sub board.Submission) (changed bool, err error) {
	a, err := send[struct{ Changed bool }](ctx, b.c, http.MethodPost, b.path("scores", "apply"), sub)
	return a.Changed, err
}

// SubmitFunc is board.Board.SubmitFunc. It asks for the member's row, calls score, and submits if the member still has that row; else it begins again.
func (b *remoteBoard) SubmitFunc(ctx context.Context, sub board.Submission, score func(was board.Row, ranked bool) (board.Score, bool)) (board.Change, error) {
	if score == nil {
		return b.Submit(ctx, sub)
	}
	sub.Score = board.Score{}
	post := func(s submitting) (submitted, error) {
		return send[submitted](ctx, b.c, http.MethodPost, b.path("scores"), s)
	}
	for {
		look, err := post(submitting{Submission: sub, Look: true})
		if err != nil || look.Duplicate {
			return look.Change, err
		}
		var was board.Row
		if look.Was != nil {
			was = *look.Was
		}
		s, ok := score(was, look.Was != nil)
		if !ok {
			return look.Change, nil
		}
		with := sub
		with.Score = s
		done, err := post(submitting{Submission: with, Expect: &expected{look.Was}})
		if e := new(Error); errors.As(err, &e) && e.Code == "score_moved" {
			continue
		}
		return done.Change, err
	}
}

// SubmitAll is board.Board.SubmitAll.
func (b *remoteBoard) SubmitAll(ctx context.Context, subs []board.Submission) ([]board.Change, error) {
	body := struct {
		Submissions []board.Submission `json:"submissions"`
	}{subs}
	answer, err := send[struct{ Changes []board.Change }](ctx, b.c, http.MethodPost, b.path("scores", "batch"), body)
	return answer.Changes, err
}

// Remove is board.Board.Remove.
func (b *remoteBoard) Remove(ctx context.Context, name string) ([]board.Removed, error) {
	var answer struct{ Removed []board.Removed }
	err := b.c.do(ctx, request{method: http.MethodDelete, path: b.path("scores"), query: member(name)}, &answer)
	return answer.Removed, err
}

// SetMeta is board.Board.SetMeta.
func (b *remoteBoard) SetMeta(ctx context.Context, window, name string, meta []byte) error {
	return b.do(ctx, http.MethodPut, b.path("windows", window, "meta"), member(name), map[string]boardjson.Text{"meta": boardjson.Text(meta)})
}

// until is a time that may not be there.
type until struct{ At *time.Time }

func (u until) time() (at time.Time, ok bool) {
	if u.At == nil {
		return time.Time{}, false
	}
	return *u.At, true
}

// Deadline is board.Board.Deadline.
func (b *remoteBoard) Deadline(ctx context.Context, t time.Time) (at time.Time, ok bool, err error) {
	u, err := get[until](ctx, b.c, b.path("deadline"), url.Values{"at": {t.Format(time.RFC3339Nano)}})
	at, ok = u.time()
	return at, ok, err
}

// Rebuild is board.Board.Rebuild.
func (b *remoteBoard) Rebuild(ctx context.Context) (corrected int, err error) {
	n, err := send[struct{ N int }](ctx, b.c, http.MethodPost, b.path("rebuild"), nil)
	return n.N, err
}

// RebuildPeriod is board.Board.RebuildPeriod.
func (b *remoteBoard) RebuildPeriod(ctx context.Context, window, period string) (corrected int, err error) {
	var n struct{ N int }
	err = b.c.do(ctx, request{method: http.MethodPost, path: b.path("rebuild"), query: url.Values{"window": {window}, "period": {period}}}, &n)
	return n.N, err
}
