package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// boardInfo is one line of "zrank boards".
type boardInfo struct {
	Board   string         `json:"board"`
	Op      board.Op       `json:"op"`
	Order   board.Order    `json:"order"`
	Ties    board.Ties     `json:"ties"`
	Windows []board.Window `json:"windows"`
	Periods int            `json:"periods"`
	Members int            `json:"members"` // in the latest period of the first window
}

func newBoards() *cobra.Command {
	var dir, format string
	c := &cobra.Command{
		Use:   "boards",
		Short: "List the boards of a data directory",
		Long: `List the boards of a data directory: what their scores mean, how many periods hold anybody, and how many members are in the
latest period of the first window.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f, err := show.ParseFormat(format)
			if err != nil {
				return usageError{err}
			}
			return withEngine(dir, engine.Options{MustExist: true}, func(e *engine.Engine) error {
				infos, err := listBoards(e)
				if err != nil {
					return err
				}
				return writeBoards(c.OutOrStdout(), f, infos)
			})
		},
	}
	dirFlag(c, &dir)
	formatFlag(c, &format)
	return c
}

// listBoards describes every board.
func listBoards(e *engine.Engine) ([]boardInfo, error) {
	specs, err := board.List(e)
	if err != nil {
		return nil, err
	}
	infos := make([]boardInfo, len(specs))
	at := map[string]*boardInfo{}
	for i, s := range specs {
		infos[i] = boardInfo{Board: s.Name, Op: s.Op, Order: s.Order, Ties: s.Ties, Windows: s.Windows}
		at[s.Name] = &infos[i]
	}
	return infos, eachRanking(e, func(name string, r board.Ranking) (err error) {
		info := at[name]
		info.Periods++
		if r.Window() == info.Windows[0] { // the latest comes last
			info.Members, err = r.Len()
		}
		return err
	})
}

// writeBoards lists boards in a format.
func writeBoards(w io.Writer, f show.Format, infos []boardInfo) error {
	switch f {
	case show.JSON:
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		for _, info := range infos {
			if err := enc.Encode(info); err != nil {
				return err
			}
		}
		return nil
	case show.CSV:
		out := csv.NewWriter(w)
		out.Write(boardColumns)
		for _, info := range infos {
			out.Write(info.cells())
		}
		out.Flush()
		return out.Error()
	}
	t := table.NewWriter()
	t.AppendHeader(tableRow(boardColumns))
	for _, info := range infos {
		t.AppendRow(tableRow(info.cells()))
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

// tableRow makes a row of a table that no name in it can break.
func tableRow(cells []string) table.Row {
	row := table.Row{}
	for _, cell := range cells {
		row = append(row, show.Printable(cell))
	}
	return row
}

// boardColumns are the columns of cells.
var boardColumns = []string{"board", "op", "order", "ties", "windows", "periods", "members"}

func (i boardInfo) cells() []string {
	windows := make([]string, len(i.Windows))
	for k, w := range i.Windows {
		windows[k] = string(w)
	}
	return []string{i.Board, string(i.Op), string(i.Order), string(i.Ties), strings.Join(windows, " "),
		strconv.Itoa(i.Periods), strconv.Itoa(i.Members)}
}
