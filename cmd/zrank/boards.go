package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// boardInfo is one line of "zrank boards".
type boardInfo struct {
	Board   string     `json:"board"`
	Version int        `json:"version"`
	Periods int        `json:"periods"`
	Members int        `json:"members"` // in the latest period of the first window
	Memory  int64      `json:"memory"`
	Disk    int64      `json:"disk"`
	Spec    board.Spec `json:"spec"`
}

func newBoards() *cobra.Command {
	var at target.Target
	var format string
	c := &cobra.Command{
		Use:   "boards",
		Short: "List the boards of a data directory, or of a server",
		Long: `List the boards of a data directory, or of a server: what their scores mean, how they are cut in time, how many periods hold anybody, how many
members are in the latest period of the first window, and what all of it takes of memory and disk (as of the last snapshot).

With --format json the spec is one that --spec of replay and migrate reads.`,
		Example: `  zrank boards --dir data
  zrank boards --addr http://127.0.0.1:8080
  zrank boards --dir data --format json | jq .spec`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f, err := flags.ParseFormat(format)
			if err != nil {
				return err
			}
			return at.Open(func(d target.Boards) error {
				infos, err := describe(c.Context(), d)
				if err != nil {
					return err
				}
				return boardList.Write(c.OutOrStdout(), f, infos)
			})
		},
	}
	at.Flags(c)
	flags.Format(c, &format)
	return c
}

// describe describes every board.
func describe(ctx context.Context, d target.Boards) ([]boardInfo, error) {
	var infos []boardInfo
	boards, err := target.All(ctx, d)
	if err != nil {
		return nil, err
	}
	for _, b := range boards {
		info := boardInfo{Board: b.Name(), Version: b.Version(), Spec: b.Spec()}
		all, err := datadir.Periods(ctx, b)
		if err != nil {
			return nil, err
		}
		for _, u := range all {
			info.Periods++
			info.Memory += u.Memory
			info.Disk += u.Disk
			if u.Window == info.Spec.Windows[0].Name { // periods come in order of time
				info.Members = u.Members
			}
		}
		infos = append(infos, info)
	}
	return infos, nil
}

// boardList writes boards, a line each.
var boardList = show.List[boardInfo]{
	Empty:   "no board is defined yet",
	Columns: []string{"board", "columns", "op", "ties", "windows", "periods", "members", "memory", "disk"},
	Right:   []int{6, 7, 8, 9},
	Cells: func(i boardInfo, people bool) []string {
		return []string{i.Board, columnText(i.Spec.Columns), opText(i.Spec), string(i.Spec.Ties), windowText(i.Spec.Windows),
			strconv.Itoa(i.Periods), strconv.Itoa(i.Members), bytesText(i.Memory, people), bytesText(i.Disk, people)}
	},
}

// columnText writes columns in the form of --column, without defaults.
func columnText(columns []board.Column) string {
	texts := make([]string, len(columns))
	for i, c := range columns {
		texts[i] = c.Name
		if c.Kind != board.Int64 {
			texts[i] += ":" + string(c.Kind)
		}
		texts[i] += ":" + string(c.Order)
	}
	return strings.Join(texts, " ")
}

// opText writes how scores are computed: from submissions, or from the scores of the members of a group.
func opText(s board.Spec) string {
	d := s.Derived
	switch {
	case d == nil:
		return string(s.Op)
	case d.Op == board.GroupBestOf:
		return fmt.Sprintf("%s:%d of %s", d.Op, d.K, d.From)
	}
	return fmt.Sprintf("%s of %s", d.Op, d.From)
}

// windowText writes windows in the form of --window.
func windowText(windows []board.Window) string {
	texts := make([]string, len(windows))
	for i, w := range windows {
		texts[i] = w.Text()
	}
	return strings.Join(texts, " ")
}

// bytesText writes a number of bytes.
func bytesText(n int64, people bool) string {
	if people {
		return console.Size(n)
	}
	return strconv.FormatInt(n, 10)
}
