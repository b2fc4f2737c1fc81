package routes

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/problem"
)

// Expected is the row of a member that a submission expects.
type Expected struct {
	Row *board.Row `json:"row,omitempty" doc:"The row that the member must have in the first window; absent: it must not be ranked."`
}

// Submitting is a submission.
type Submitting struct {
	board.Submission
	Expect *Expected `json:"expect,omitempty" doc:"The submission counts only if the member has this row in the first of its windows; else the answer is 409 score_moved. It is for scores that depend on the present one."`
	Look   bool      `json:"look,omitempty" doc:"Submit nothing, and only answer the row that expect would be compared with."`
}

// Submitted is what a submission did: a board.Change.
type Submitted struct {
	Moves     []board.Move `json:"moves" doc:"What it did in each window, in the order of the spec."`
	Duplicate bool         `json:"duplicate,omitempty" doc:"A submission with the same key has been counted before. Nothing has changed."`
	Skipped   bool         `json:"skipped,omitempty" doc:"The condition did not hold. Nothing has changed."`
	Was       *board.Row   `json:"was,omitempty" doc:"With look: the row of the member in the first of the windows; absent if it is not ranked."`
}

// SubmissionOf is a submission and its key.
type SubmissionOf struct {
	OnBoard
	Key  string `header:"Idempotency-Key" doc:"The Once key of the submission: a later one with the same key does nothing, and is answered as a duplicate. One with another body is an error, as long as the server remembers the first one."`
	Body Submitting
}

// Applied says whether a submission has changed any entry.
type Applied struct {
	Changed bool `json:"changed"`
}

// Submissions is a batch.
type Submissions struct {
	OnBoard
	Body struct {
		Submissions []board.Submission `json:"submissions"`
	}
}

// Changes is what a batch did.
type Changes struct {
	Changes []board.Change `json:"changes" doc:"In the order of the submissions."`
}

// RemovedOf is the entries that a member had.
type RemovedOf struct {
	Removed []board.Removed `json:"removed"`
}

// MetaOf is metadata.
type MetaOf struct {
	OnWindow
	About
	Body struct {
		Meta []byte `json:"meta" doc:"Empty: none."`
	}
}

// registerSubmit registers operations that change scores.
func registerSubmit(r *Router) {
	const tag = "Scores"
	one := operation("submit", "POST /v1/boards/{board}/scores", tag, "Submits a result to all windows of a board, and answers what it did")
	plain := operation("apply", "POST /v1/boards/{board}/scores/apply", tag, "Submits a result, and answers only whether it has changed anything: for servers that need no ranks")
	one.SkipValidateBody, plain.SkipValidateBody = true, true // the board checks it, and a body is read once and not twice
	one.Middlewares, plain.Middlewares = huma.Middlewares{jsonOnly}, huma.Middlewares{jsonOnly}
	add(r, one, submitter, r.submit)
	add(r, plain, submitter, r.apply)
	add(r, operation("submitBatch", "POST /v1/boards/{board}/scores/batch", tag, "Submits several results in one commit: all or none"), submitter, r.submitAll)
	add(r, operation("removeMember", "DELETE /v1/boards/{board}/scores", tag, "Removes a member from all open periods"), submitter, func(ctx context.Context, in *struct {
		OnBoard
		About
	}) (o RemovedOf, err error) {
		b, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		removed, err := b.Remove(ctx, in.memberName())
		return RemovedOf{removed}, err
	})
	do(r, operation("setMeta", "PUT /v1/boards/{board}/windows/{window}/meta", tag, "Sets the metadata of an entry of the live period"), submitter, func(ctx context.Context, in *MetaOf) error {
		b, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return err
		}
		return b.SetMeta(ctx, in.Window, in.memberName(), in.Body.Meta)
	})
}

// jsonOnly refuses a body that says that it is something else.
func jsonOnly(c huma.Context, next func(huma.Context)) {
	kind, _, _ := strings.Cut(c.Header("Content-Type"), ";")
	if kind == "" || strings.EqualFold(strings.TrimSpace(kind), "application/json") {
		next(c)
		return
	}
	_, w := humago.Unwrap(c)
	problem.Write(w, *problem.New(http.StatusUnsupportedMediaType, "media_type", "the body must be application/json"))
}

// submission returns the board and the submission of a request.
func (r *Router) submission(ctx context.Context, in *SubmissionOf) (b board.Board, sub board.Submission, err error) {
	if in.Key != "" {
		if in.Body.Once != "" && in.Body.Once != in.Key {
			return nil, sub, fmt.Errorf("%w: Idempotency-Key and once differ", errRequest)
		}
		in.Body.Once = in.Key
	}
	if in.Body.Score.Len() == 0 && !in.Body.Look { // a duplicate would not be looked at
		return nil, sub, fmt.Errorf("%w: the score is missing", board.ErrColumns)
	}
	if b, err = r.Boards.Board(ctx, in.Board); err == nil {
		sub = in.Body.Submission
	}
	if err == nil {
		err = r.change(b, sub)
	}
	return b, sub, err
}

func (r *Router) submit(ctx context.Context, in *SubmissionOf) (o Submitted, err error) {
	b, sub, err := r.submission(ctx, in)
	if err != nil {
		return o, err
	}
	var c board.Change
	switch {
	case in.Body.Look:
		c, err = b.SubmitFunc(ctx, sub, func(was board.Row, ranked bool) (board.Score, bool) {
			if o.Was = nil; ranked {
				o.Was = &was
			}
			return board.Score{}, false
		})
	case in.Body.Expect != nil:
		c, err = in.Body.Expect.submit(ctx, b, sub)
	default:
		if c, err = b.Submit(ctx, sub); err == nil && in.Key != "" {
			err = r.keys.check(in.Board, sub, c.Duplicate)
		}
	}
	o.Moves, o.Duplicate, o.Skipped = append([]board.Move{c.Move}, c.Others...), c.Duplicate, c.Skipped
	return o, err
}

// submit submits if the member has the expected row.
func (e *Expected) submit(ctx context.Context, b board.Board, sub board.Submission) (board.Change, error) {
	moved := false
	c, err := b.SubmitFunc(ctx, sub, func(was board.Row, ranked bool) (board.Score, bool) {
		moved = ranked != (e.Row != nil) || ranked && !same(was, *e.Row)
		return sub.Score, !moved
	})
	if err == nil && moved && !c.Duplicate {
		return c, errScoreMoved
	}
	return c, err
}

// same reports whether two rows have the same score since the same time.
func same(a, b board.Row) bool {
	return a.Score.String() == b.Score.String() && a.Reached.Equal(b.Reached)
}

func (r *Router) apply(ctx context.Context, in *SubmissionOf) (o Applied, err error) {
	b, sub, err := r.submission(ctx, in)
	if err != nil {
		return o, err
	}
	if in.Body.Expect != nil || in.Body.Look {
		return o, fmt.Errorf("%w: expect and look are for submit", errRequest)
	}
	o.Changed, err = b.Apply(ctx, sub)
	return o, err
}

func (r *Router) submitAll(ctx context.Context, in *Submissions) (o Changes, err error) {
	b, err := r.Boards.Board(ctx, in.Board)
	if err != nil {
		return o, err
	}
	room := r.room()
	for i, s := range in.Body.Submissions {
		if err := room.takeChange(b, s); err != nil {
			return o, &board.BatchError{Index: i, Err: err}
		}
	}
	changes, err := b.SubmitAll(ctx, in.Body.Submissions)
	return Changes{changes}, err
}
