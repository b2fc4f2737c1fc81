package ops

import (
	"context"
	"reflect"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
)

// Op is an operation.
type Op struct {
	ID      string // as in OpenAPI, such as banMember; of a read without the kind of ranking, such as Top
	Route   string // method and path of HTTP below /v1; of a read, the last part of the path
	Heading string // what it belongs to
	Summary string // what it does
	Right   Right  // who may use it
	Own     bool   // a player may use it too, about itself if it is about a member
	Command string // the command of RESP and its words: see below; "" if it has none
	Cost    string // of the command, as COMMAND DOCS tells it
	Trusts  bool   // its body need not be checked against a schema: the board does it

	args, result reflect.Type
	do           func(ctx context.Context, e *Env, args, result any) error
	read         func(ctx context.Context, e *Env, k board.Ranking, args, result any) error
}

// The words of a Command are names of arguments, in their order. NAME... is the columns of a score, each a
// word. [WORD name] is an option, and [WORD name]... one that may be there several times; [WORD=name] is
// true if the word is there. (A name|B name) is one of several options, which must be there. A word in
// capitals stands for itself. Those of a read follow those of a Locator: board window.

// Right is what a caller must be allowed to do.
type Right int

const (
	// ToRead is to read rankings.
	ToRead Right = iota
	// ToSubmit is to submit results, and to say who is in which group.
	ToSubmit
	// ToModerate is to change what is kept of members.
	ToModerate
	// ToAdminister is to do everything.
	ToAdminister
)

// Env is what operations need beside their arguments.
type Env struct {
	Boards    board.Store
	MaxRows   int              // the most rows of an answer; 0: any number
	Now       func() time.Time // the clock
	NoPeriods bool             // the door does not tell of which period rows are
	By        string           // who acts, where an action does not say; may be ""

	// Pinned returns a pinned ranking by its id. nil: there are none.
	Pinned func(ctx context.Context, id string) (board.Ranking, error)
	// MayRead returns an error unless the caller may read a board, or all of them: "". nil: it may.
	MayRead func(ctx context.Context, board string) error
}

// Typed is an operation with arguments A and the result R.
type Typed[A, R any] struct{ *Op }

// None is the result of an operation that answers nothing.
type None struct{}

// onStore returns an operation on all boards.
func onStore[A, R any](o Op, do func(ctx context.Context, e *Env, a *A) (R, error)) Typed[A, R] {
	o.args, o.result = reflect.TypeFor[A](), reflect.TypeFor[R]()
	o.do = func(ctx context.Context, e *Env, args, result any) (err error) {
		*result.(*R), err = do(ctx, e, args.(*A))
		return err
	}
	return Typed[A, R]{&o}
}

// onBoard returns an operation on one board.
func onBoard[A, R any](o Op, do func(ctx context.Context, e *Env, b board.Board, a *A) (R, error)) Typed[A, R] {
	return onStore(o, func(ctx context.Context, e *Env, a *A) (r R, err error) {
		b, err := e.Boards.Board(ctx, any(a).(interface{ BoardName() string }).BoardName())
		if err != nil {
			return r, err
		}
		return do(ctx, e, b, a)
	})
}

// onKind returns an operation on the groups of one kind.
func onKind[A, R any](o Op, do func(ctx context.Context, e *Env, g board.Groups, a *A) (R, error)) Typed[A, R] {
	o.Heading = "Groups"
	return onStore(o, func(ctx context.Context, e *Env, a *A) (r R, err error) {
		g, err := e.Boards.Groups(ctx, any(a).(interface{ KindName() string }).KindName())
		if err != nil {
			return r, err
		}
		return do(ctx, e, g, a)
	})
}

// onRanking returns a read.
func onRanking[A, R any](o Op, do func(ctx context.Context, e *Env, k board.Ranking, a *A) (R, error)) Typed[A, R] {
	o.args, o.result = reflect.TypeFor[A](), reflect.TypeFor[R]()
	o.read = func(ctx context.Context, e *Env, k board.Ranking, args, result any) (err error) {
		*result.(*R), err = do(ctx, e, k, args.(*A))
		return err
	}
	return Typed[A, R]{&o}
}

// IsRead reports whether the operation is a read of a ranking, by Read and not by Do.
func (o *Op) IsRead() bool { return o.read != nil }

// Changes reports whether the operation may change anything.
func (o *Op) Changes() bool { return !o.IsRead() && o.Method() != "GET" }

// Method returns the method of HTTP.
func (o *Op) Method() string { return o.Route[:strings.IndexByte(o.Route, ' ')] }

// Path returns the path of HTTP below /v1, or the last part of it.
func (o *Op) Path() string { return o.Route[strings.IndexByte(o.Route, ' ')+1:] }

// Args returns the type of the arguments, a struct.
func (o *Op) Args() reflect.Type { return o.args }

// Result returns the type of the result, a struct; nil if there is none.
func (o *Op) Result() reflect.Type {
	if o.result == reflect.TypeFor[None]() {
		return nil
	}
	return o.result
}

// NewResult returns a pointer to an empty result, that of Do and Read: to a None if there is none.
func (o *Op) NewResult() any { return reflect.New(o.result).Interface() }

// Do does the operation. args points to a struct of type Args, which it does not change, and result to one of
// type Result, which it replaces. Errors: those of the contract.
func (o *Op) Do(ctx context.Context, e *Env, args, result any) error {
	return o.do(ctx, e, args, result)
}

// Read does a read of a ranking, with args and result as of Do. Errors: those of the contract.
func (o *Op) Read(ctx context.Context, e *Env, k board.Ranking, args, result any) error {
	return o.read(ctx, e, k, args, result)
}

// action returns an action whose By is that of the caller, if it has none.
func (e *Env) action(a board.Action) board.Action {
	if a.By == "" {
		a.By = e.By
	}
	return a
}

// mayRead returns an error unless the caller may read a board, or all: "".
func (e *Env) mayRead(ctx context.Context, name string) error {
	if e.MayRead == nil {
		return nil
	}
	return e.MayRead(ctx, name)
}
