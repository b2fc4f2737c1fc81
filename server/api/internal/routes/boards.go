package routes

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/access"
)

// Names is a list of names.
type Names struct {
	Names []string `json:"names"`
}

// BoardInfo is a board.
type BoardInfo struct {
	Name    string `json:"name"`
	Version int    `json:"version,omitempty" doc:"1, and one more with each migration."`
	Spec    any    `json:"spec" doc:"The spec of the board, as spec files have it."`
}

// SpecOf is a spec.
type SpecOf struct {
	Body map[string]any `doc:"The fields of a spec file, such as windows and op. The name is that of the path."`
}

// TimeOf is a time that may be asked for.
type TimeOf struct {
	At time.Time `query:"at" doc:"A time; absent: now."`
}

// Until is a time that may not be there.
type Until struct {
	At *time.Time `json:"at,omitempty" doc:"Absent: never."`
}

func untilOf(at time.Time, ok bool) Until {
	if !ok || at.Year() > 9999 { // which JSON cannot say
		return Until{}
	}
	return Until{&at}
}

// spec reads the spec of a request.
func (p SpecOf) spec(name string) (board.Spec, error) {
	fields := map[string]any{}
	for k, v := range p.Body {
		fields[k] = v
	}
	fields["name"] = name
	text, err := json.Marshal(fields)
	if err != nil {
		return board.Spec{}, err
	}
	return board.ReadSpec(bytes.NewReader(text))
}

// boardInfo describes a board.
func boardInfo(b board.Board) BoardInfo {
	return BoardInfo{Name: b.Name(), Spec: b.Spec(), Version: b.Version()}
}

// registerBoards registers operations on boards as a whole.
func registerBoards(r *Router) {
	const tag = "Boards"
	add(r, operation("listBoards", "GET /v1/boards", tag, "The names of all boards"), reader, func(ctx context.Context, _ *struct{}) (Names, error) {
		names, err := r.Boards.Names(ctx)
		return Names{append([]string{}, names...)}, err
	})
	add(r, operation("getBoard", "GET /v1/boards/{board}", tag, "A board and its spec"), readerOwn, func(ctx context.Context, in *OnBoard) (o BoardInfo, err error) {
		b, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		return boardInfo(b), nil
	})
	type defining struct {
		OnBoard
		SpecOf
	}
	add(r, operation("defineBoard", "PUT /v1/boards/{board}", tag, "Defines a board, or does nothing if it exists with the same spec"), admin, func(ctx context.Context, in *defining) (o BoardInfo, err error) {
		spec, err := in.spec(in.Board)
		if err != nil {
			return o, err
		}
		b, err := r.Boards.Define(ctx, spec)
		if err != nil {
			return o, err
		}
		return boardInfo(b), nil
	})
	add(r, operation("migrateBoard", "POST /v1/boards/{board}/migrate", tag, "Gives a board another spec"), admin, func(ctx context.Context, in *defining) (o BoardInfo, err error) {
		spec, err := in.spec(in.Board)
		if err != nil {
			return o, err
		}
		b, err := r.Boards.Migrate(ctx, spec)
		if err != nil {
			return o, err
		}
		return boardInfo(b), nil
	})
	registerBoardRest(r)
}

// registerBoardRest registers what is left of operations on boards.
func registerBoardRest(r *Router) {
	const tag = "Boards"
	do(r, operation("dropBoard", "DELETE /v1/boards/{board}", tag, "Deletes a board with all its periods"), admin, func(ctx context.Context, in *OnBoard) error {
		err := r.Boards.Drop(ctx, in.Board)
		if err == nil && r.drops != nil {
			r.drops.note(in.Board, r.Clock())
		}
		return err
	})
	add(r, operation("getDeadline", "GET /v1/boards/{board}/deadline", tag, "Until when the board accepts a result of a time"), readerOwn, func(ctx context.Context, in *struct {
		OnBoard
		TimeOf
	}) (o Until, err error) {
		b, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		if in.At.IsZero() {
			in.At = r.Clock()
		}
		at, ok, err := b.Deadline(ctx, in.At)
		return untilOf(at, ok), err
	})
	add(r, operation("rebuildBoard", "POST /v1/boards/{board}/rebuild", tag, "Computes a derived board anew: its open periods, or a closed one"), admin, func(ctx context.Context, in *struct {
		OnBoard
		Window string `query:"window" doc:"With period: the window of a closed period."`
		Period string `query:"period" doc:"The name of a closed period; absent: all open ones."`
	}) (o Number, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		switch {
		case err != nil:
		case in.Window == "" && in.Period == "":
			o.N, err = x.Rebuild(ctx)
		default:
			o.N, err = x.RebuildPeriod(ctx, in.Window, in.Period)
		}
		return o, err
	})
}

// action returns an action whose By is, if it has none, the name of the caller's key.
func action(ctx context.Context, a board.Action) board.Action {
	if p := access.FromContext(ctx); a.By == "" && p.IsKey() {
		a.By = p.Name
	}
	return a
}
