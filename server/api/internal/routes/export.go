package routes

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/internal/printable"
)

// ExportOf is a ranking and how to write it.
type ExportOf struct {
	ops.Locator
	Format string `query:"format" enum:"jsonl,csv" default:"jsonl" doc:"One JSON object or one line of CSV for each row. CSV is for spreadsheets: a text that begins like a formula has an apostrophe before it."`
}

// registerExport registers the export of whole rankings.
func registerExport(r *Router) {
	op := operation("exportWindow", "GET /v1/boards/{board}/windows/{window}/export", "Rankings", "All rows of a ranking as it is at one moment. A download that was cut off ends with an error of the connection")
	op.Responses = map[string]*huma.Response{"200": {Description: "The rows, best first", Content: map[string]*huma.MediaType{
		"application/jsonl": {Schema: r.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[board.Row](), true, "Row")},
		"text/csv":          {Schema: &huma.Schema{Type: huma.TypeString}},
	}}}
	raw(r, op, admin, func(ctx context.Context, w http.ResponseWriter, _ *http.Request, in *ExportOf) (func(), error) {
		k, err := in.Ranking(ctx, r.env(ctx))
		if err == nil && !in.IsPast() {
			k, err = k.Pin(ctx)
		}
		if err != nil {
			return nil, err
		}
		b, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return nil, err
		}
		return func() { r.stream(ctx, w, k, in.Format, b.Spec().Columns) }, nil
	})
}

// stream writes a ranking of a board with some columns as the body of a response.
func (r *Router) stream(ctx context.Context, rw http.ResponseWriter, k board.Ranking, format string, columns []board.Column) {
	write, kind := writeJSONL, "application/jsonl"
	if format == "csv" {
		write, kind = func(ctx context.Context, w io.Writer, k board.Ranking) error { return writeCSV(ctx, w, k, columns) }, "text/csv; charset=utf-8"
	}
	rw.Header().Set("Content-Type", kind)
	w := bufio.NewWriterSize(rw, 1<<16)
	err := write(ctx, w, k)
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		r.Logger.Warn("export ended", "error", err)
		panic(http.ErrAbortHandler) // the client sees that it has not got all
	}
}

func writeJSONL(ctx context.Context, w io.Writer, k board.Ranking) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for row, err := range k.All(ctx) {
		if err != nil {
			return err
		}
		if err := e.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// writeCSV writes a row for each place, under the names that the columns have in the spec. Error: board.ErrMigrating if the board has got other columns.
func writeCSV(ctx context.Context, w io.Writer, k board.Ranking, columns []board.Column) error {
	c := csv.NewWriter(w)
	defer c.Flush()
	header := []string{"rank", "member"}
	for _, column := range columns {
		header = append(header, printable.Cell(column.Name))
	}
	if err := c.Write(append(header, "reached", "meta")); err != nil {
		return err
	}
	for row, err := range k.All(ctx) {
		if err != nil {
			return err
		}
		if row.Score.Len() != len(columns) {
			return board.ErrMigrating
		}
		fields := []string{strconv.Itoa(row.Rank), printable.Cell(row.Member)}
		for i := range row.Score.Len() {
			fields = append(fields, row.Score.At(i).String())
		}
		reached := ""
		if !row.Reached.IsZero() {
			reached = row.Reached.Format(time.RFC3339Nano)
		}
		if err := c.Write(append(fields, reached, printable.Cell(string(row.Meta)))); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
