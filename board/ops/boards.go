package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
)

// Names is a list of names.
type Names struct {
	Names []string `json:"names"`
}

// BoardInfo is a board.
type BoardInfo struct {
	Name    string     `json:"name"`
	Version int        `json:"version,omitempty" doc:"1, and one more with each migration."`
	Spec    board.Spec `json:"spec" doc:"The spec of the board, as spec files have it."`
}

// UnmarshalJSON reads the spec as spec files are read.
func (i *BoardInfo) UnmarshalJSON(b []byte) error {
	var raw struct {
		Name    string
		Version int
		Spec    json.RawMessage
	}
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	spec, err := board.ReadSpec(bytes.NewReader(raw.Spec))
	*i = BoardInfo{raw.Name, raw.Version, spec}
	return err
}

// Until is a time that may not be there.
type Until struct {
	At *time.Time `json:"at,omitempty" doc:"Absent: never."`
}

// End is the end of the feed, and the last commit.
type End struct {
	Position feed.Position `json:"position" doc:"Behind the last event of the feed."`
	Commit   uint64        `json:"commit" doc:"The number of the last commit of the store."`
}

// SpecArgs is a board and a spec.
type SpecArgs struct {
	OnBoard
	Body map[string]any `doc:"The fields of a spec file, such as windows and op. The name is that of the path."`
}

// DeadlineArgs is a board and a time.
type DeadlineArgs struct {
	OnBoard
	At time.Time `query:"at" doc:"A time; absent: now."`
}

// RebuildArgs is a board and perhaps a closed period.
type RebuildArgs struct {
	OnBoard
	Window string `query:"window" doc:"With period: the window of a closed period."`
	Period string `query:"period" doc:"The name of a closed period; absent: all open ones."`
}

// Operations on boards as a whole.
var (
	// ListBoards is board.Store.Names.
	ListBoards = onStore(Op{ID: "listBoards", Route: "GET /boards", Heading: "Boards", Summary: "The names of all boards"},
		func(ctx context.Context, e *Env, _ *NoArgs) (Names, error) { return namesOf(e.Boards.Names(ctx)) })
	// GetBoard is board.Store.Board.
	GetBoard = onBoard(Op{ID: "getBoard", Route: "GET /boards/{board}", Heading: "Boards", Own: true, Summary: "A board and its spec"},
		func(ctx context.Context, e *Env, b board.Board, _ *OnBoard) (BoardInfo, error) { return infoOf(b, nil) })
	// DefineBoard is board.Store.Define.
	DefineBoard = onStore(Op{ID: "defineBoard", Route: "PUT /boards/{board}", Heading: "Boards", Right: ToAdminister,
		Summary: "Defines a board, or does nothing if it exists with the same spec"},
		func(ctx context.Context, e *Env, a *SpecArgs) (BoardInfo, error) { return a.give(ctx, e.Boards.Define) })
	// MigrateBoard is board.Store.Migrate.
	MigrateBoard = onStore(Op{ID: "migrateBoard", Route: "POST /boards/{board}/migrate", Heading: "Boards", Right: ToAdminister,
		Summary: "Gives a board another spec"},
		func(ctx context.Context, e *Env, a *SpecArgs) (BoardInfo, error) {
			return a.give(ctx, e.Boards.Migrate)
		})
	// DropBoard is board.Store.Drop.
	DropBoard = onStore(Op{ID: "dropBoard", Route: "DELETE /boards/{board}",
		Command: "BOARD.DROP board", Cost: "O(N) for N entries", Heading: "Boards", Right: ToAdminister,
		Summary: "Deletes a board with all its periods"},
		func(ctx context.Context, e *Env, a *OnBoard) (None, error) {
			return None{}, e.Boards.Drop(ctx, a.Board)
		})
	// GetDeadline is board.Board.Deadline.
	GetDeadline = onBoard(Op{ID: "getDeadline", Route: "GET /boards/{board}/deadline",
		Command: "BOARD.DEADLINE board [AT at]", Cost: "O(W) for W windows", Heading: "Boards", Own: true,
		Summary: "Until when the board accepts a result of a time"},
		func(ctx context.Context, e *Env, b board.Board, a *DeadlineArgs) (Until, error) {
			at := a.At
			if at.IsZero() {
				at = e.Now()
			}
			return untilOf(b.Deadline(ctx, at))
		})
	// RebuildBoard is board.Board.Rebuild and RebuildPeriod.
	RebuildBoard = onBoard(Op{ID: "rebuildBoard", Route: "POST /boards/{board}/rebuild",
		Command: "BOARD.REBUILD board [WINDOW window] [PERIOD period]", Cost: "O(N*log(G)) for N members of G groups", Heading: "Boards", Right: ToAdminister,
		Summary: "Computes a derived board anew: its open periods, or a closed one"},
		func(ctx context.Context, e *Env, b board.Board, a *RebuildArgs) (o Number, err error) {
			if a.Window == "" && a.Period == "" {
				o.N, err = b.Rebuild(ctx)
			} else {
				o.N, err = b.RebuildPeriod(ctx, a.Window, a.Period)
			}
			return o, err
		})
	// GetEnd is board.Store.FeedEnd and LastCommit.
	GetEnd = onStore(Op{ID: "getEnd", Route: "GET /end",
		Command: "BOARD.END", Cost: "O(1)", Heading: "Feed",
		Summary: "The end of the feed, and the number of the last commit"},
		func(ctx context.Context, e *Env, _ *NoArgs) (o End, err error) {
			if o.Position, err = e.Boards.FeedEnd(ctx); err == nil {
				o.Commit, err = e.Boards.LastCommit(ctx)
			}
			return o, err
		})
)

// give gives the board of the path the spec of the body.
func (a *SpecArgs) give(ctx context.Context, to func(context.Context, board.Spec) (board.Board, error)) (o BoardInfo, err error) {
	fields := maps.Clone(a.Body)
	if fields == nil {
		fields = map[string]any{}
	}
	fields["name"] = a.Board
	text, err := json.Marshal(fields)
	if err != nil {
		return o, err
	}
	spec, err := board.ReadSpec(bytes.NewReader(text))
	if err != nil {
		return o, err
	}
	return infoOf(to(ctx, spec))
}

// infoOf describes a board.
func infoOf(b board.Board, err error) (o BoardInfo, _ error) {
	if err != nil {
		return o, err
	}
	return BoardInfo{Name: b.Name(), Spec: b.Spec(), Version: b.Version()}, nil
}

func namesOf(names []string, err error) (Names, error) {
	return Names{append([]string{}, names...)}, err
}

func untilOf(at time.Time, ok bool, err error) (Until, error) {
	if !ok || at.Year() > 9999 { // which JSON cannot say
		return Until{}, err
	}
	return Until{&at}, err
}
