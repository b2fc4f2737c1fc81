package moderate

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

func newMember() *cobra.Command {
	var at target.Target
	var format string
	var hex bool
	c := &cobra.Command{
		Use:   "member BOARD MEMBER",
		Short: "Show a member's places in all periods, and its best",
		Long: `Show the places of a member of BOARD in all periods that are kept, closed and open, and whether it is banned or hidden. With --format json the answer is one
object, which has the best rank and the best score of each window too.

` + flags.MemberHelp,
		Example: `  zrank member --dir data arena ada
  zrank member --dir data --format json arena ada`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := flags.ParseFormat(format)
			if err != nil {
				return err
			}
			name, err := flags.ParseMember(args[1], hex)
			if err != nil {
				return err
			}
			return at.Open(func(d target.Boards) error {
				b, err := d.Board(c.Context(), args[0])
				if err != nil {
					return err
				}
				m, err := b.Member(c.Context(), name)
				if err != nil {
					return err
				}
				return writeMember(c.OutOrStdout(), f, b, m)
			})
		},
	}
	at.Flags(c)
	flags.Format(c, &format)
	flags.Hex(c, &hex)
	return c
}

// memberInfo is what a board has of a member, as JSON.
type memberInfo struct {
	Board   string        `json:"board"`
	Member  string        `json:"member"`
	Hex     string        `json:"memberHex,omitempty"` // of a member that is not UTF-8
	Banned  bool          `json:"banned"`
	Hidden  bool          `json:"hidden"`
	Windows []historyInfo `json:"windows"`
}

// historyInfo is the history of a member in a window.
type historyInfo struct {
	Window    string      `json:"window"`
	BestRank  *placeInfo  `json:"bestRank,omitempty"`
	BestScore *placeInfo  `json:"bestScore,omitempty"`
	Places    []placeInfo `json:"places"`
}

// writeMember writes what a board has of a member.
func writeMember(w io.Writer, f show.Format, b board.Board, m board.Member) error {
	info := memberInfo{b.Name(), m.Name, show.Hex(m.Name), m.Banned, m.Hidden, nil}
	var all []placeInfo
	for _, h := range m.Windows {
		i := historyInfo{Window: h.Window, Places: placesOf(h.Places)}
		i.BestRank, i.BestScore = bestOf(h.BestRank), bestOf(h.BestScore)
		info.Windows = append(info.Windows, i)
		all = append(all, i.Places...)
	}
	if f == show.JSON {
		return show.List[memberInfo]{}.Write(w, f, []memberInfo{info})
	}
	if f == show.Table {
		if err := writeStanding(w, &info); err != nil {
			return err
		}
	}
	list := placeList(datadir.ColumnNames(b.Spec()))
	list.Empty = "no place"
	return list.Write(w, f, all)
}

// bestOf returns a place, or nil for the zero place: a member that is hidden in all periods has no best rank.
func bestOf(p board.Place) *placeInfo {
	if p.Window == "" {
		return nil
	}
	return &placesOf([]board.Place{p})[0]
}

// writeStanding writes a line if the member is banned, and one if it is hidden.
func writeStanding(w io.Writer, m *memberInfo) error {
	for _, x := range []struct {
		is   bool
		text string
	}{{m.Banned, "banned"}, {m.Hidden, "hidden"}} {
		if !x.is {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s · %s is %s\n", show.Printable(m.Board), show.Name(m.Member), x.text); err != nil {
			return err
		}
	}
	return nil
}
