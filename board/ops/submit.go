package ops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
)

// Errors of submissions.
var (
	// ErrExpect is returned for arguments of a submission that do not go together.
	ErrExpect = errors.New("board: impossible submission")
	// ErrMoved is returned for a submission that expects another row than the member has.
	ErrMoved = errors.New("board: the member's score is not the expected one")
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

// Submitted is what a submission did.
type Submitted struct {
	board.Change
	Was *board.Row // with look: the row of the member in the first of the windows; nil if it is not ranked
}

// AppendJSON appends the JSON of the change, with was. It is what MarshalJSON returns.
func (s *Submitted) AppendJSON(dst []byte) ([]byte, error) {
	dst, err := s.Change.AppendJSON(dst)
	if err != nil || s.Was == nil {
		return dst, err
	}
	dst, err = s.Was.AppendJSON(append(dst[:len(dst)-1], `,"was":`...))
	return append(dst, '}'), err
}

// MarshalJSON writes the change and was as one object.
func (s Submitted) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil) }

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Submitted) UnmarshalJSON(b []byte) error {
	var rest struct{ Was *board.Row }
	if err := json.Unmarshal(b, &rest); err != nil {
		return err
	}
	s.Was = rest.Was
	return s.Change.UnmarshalJSON(b)
}

// Applied says whether a submission has changed any entry.
type Applied struct {
	Changed bool `json:"changed"`
}

// Changes is what a batch did.
type Changes struct {
	Changes []board.Change `json:"changes" doc:"In the order of the submissions."`
}

// RemovedOf is the entries that a member had.
type RemovedOf struct {
	Removed []board.Removed `json:"removed"`
}

// SubmitArgs is a submission and its key.
type SubmitArgs struct {
	OnBoard
	Key  string `header:"Idempotency-Key" doc:"The Once key of the submission: a later one with the same key does nothing, and is answered as a duplicate. One with another body is an error, as long as the server remembers the first one."`
	Body Submitting
}

// BatchArgs is a batch.
type BatchArgs struct {
	OnBoard
	Body struct {
		Submissions []board.Submission `json:"submissions"`
	}
}

// MemberArgs is a member of a board.
type MemberArgs struct {
	OnBoard
	About
}

// MetaArgs is metadata of an entry.
type MetaArgs struct {
	OnWindow
	About
	Body struct {
		Meta []byte `json:"meta" doc:"Empty: none."`
	}
}

const scores = "Scores"

// Operations that change scores.
var (
	// Submit is board.Board.Submit and SubmitFunc.
	Submit = onBoard(Op{ID: "submit", Route: "POST /boards/{board}/scores",
		Command: "BOARD.SUBMIT board member score... [AT at] [ONCE once] [META meta] [SKILL skill] [WINDOW windows]... [IF if] [NEAR near] [OVERTAKEN overtaken]",
		Cost:    "O(W*(log(N)+M)) for W windows of N members and M rows in each", Heading: scores, Right: ToSubmit, Trusts: true,
		Summary: "Submits a result to all windows of a board, and answers what it did"}, submit)
	// Apply is board.Board.Apply.
	Apply = onBoard(Op{ID: "apply", Route: "POST /boards/{board}/scores/apply",
		Command: "BOARD.APPLY board member score... [AT at] [ONCE once] [META meta] [SKILL skill] [WINDOW windows]... [IF if]", Cost: "O(W*log(N)) for W windows of N members", Heading: scores, Right: ToSubmit, Trusts: true,
		Summary: "Submits a result, and answers only whether it has changed anything: for servers that need no ranks"}, apply)
	// SubmitBatch is board.Board.SubmitAll.
	SubmitBatch = onBoard(Op{ID: "submitBatch", Route: "POST /boards/{board}/scores/batch", Heading: scores, Right: ToSubmit,
		Summary: "Submits several results in one commit: all or none"}, submitBatch)
	// RemoveMember is board.Board.Remove.
	RemoveMember = onBoard(Op{ID: "removeMember", Route: "DELETE /boards/{board}/scores",
		Command: "BOARD.REMOVE board member", Cost: "O(P*log(N)) for P open periods of N members", Heading: scores, Right: ToSubmit,
		Summary: "Removes a member from all open periods"},
		func(ctx context.Context, e *Env, b board.Board, a *MemberArgs) (o RemovedOf, err error) {
			o.Removed, err = b.Remove(ctx, a.Member)
			return o, err
		})
	// SetMeta is board.Board.SetMeta.
	SetMeta = onBoard(Op{ID: "setMeta", Route: "PUT /boards/{board}/windows/{window}/meta",
		Command: "BOARD.SETMETA board window member meta", Cost: "O(log(N))", Heading: scores, Right: ToSubmit,
		Summary: "Sets the metadata of an entry of the live period"},
		func(ctx context.Context, e *Env, b board.Board, a *MetaArgs) (None, error) {
			return None{}, b.SetMeta(ctx, a.Window, a.Member, a.Body.Meta)
		})
)

// submission returns the submission of arguments.
func (a *SubmitArgs) submission(e *Env, b board.Board) (sub board.Submission, err error) {
	sub = a.Body.Submission
	if a.Key != "" {
		if sub.Once != "" && sub.Once != a.Key {
			return sub, fmt.Errorf("%w: Idempotency-Key and once differ", ErrExpect)
		}
		sub.Once = a.Key
	}
	if sub.Score.Len() == 0 && !a.Body.Look { // a duplicate would not be looked at
		return sub, fmt.Errorf("%w: the score is missing", board.ErrColumns)
	}
	return sub, e.ChangeOf(b, sub)
}

func submit(ctx context.Context, e *Env, b board.Board, a *SubmitArgs) (o Submitted, err error) {
	sub, err := a.submission(e, b)
	if err != nil {
		return o, err
	}
	switch {
	case a.Body.Look:
		o.Change, err = b.SubmitFunc(ctx, sub, func(was board.Row, ranked bool) (board.Score, bool) {
			if o.Was = nil; ranked {
				o.Was = &was
			}
			return board.Score{}, false
		})
	case a.Body.Expect != nil:
		o.Change, err = a.Body.Expect.submit(ctx, b, sub)
	default:
		o.Change, err = b.Submit(ctx, sub)
	}
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
		return c, ErrMoved
	}
	return c, err
}

// same reports whether two rows have the same score since the same time.
func same(a, b board.Row) bool {
	return a.Score.String() == b.Score.String() && a.Reached.Equal(b.Reached)
}

func apply(ctx context.Context, e *Env, b board.Board, a *SubmitArgs) (o Applied, err error) {
	sub, err := a.submission(e, b)
	if err == nil && (a.Body.Expect != nil || a.Body.Look) {
		err = fmt.Errorf("%w: expect and look are for submit", ErrExpect)
	}
	if err == nil {
		o.Changed, err = b.Apply(ctx, sub)
	}
	return o, err
}

func submitBatch(ctx context.Context, e *Env, b board.Board, a *BatchArgs) (o Changes, err error) {
	room := e.room()
	for i, s := range a.Body.Submissions {
		if err := room.takeChange(b, s); err != nil {
			return o, &board.BatchError{Index: i, Err: err}
		}
	}
	o.Changes, err = b.SubmitAll(ctx, a.Body.Submissions)
	return o, err
}
