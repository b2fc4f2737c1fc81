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
			name, err := flags.ParseMember(args[1])
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
	return c
}

// writeMember writes what a board has of a member.
func writeMember(w io.Writer, f show.Format, b board.Board, m board.Member) error {
	if f == show.JSON {
		return show.List[board.Member]{}.Write(w, f, []board.Member{m})
	}
	if f == show.Table {
		if err := writeStanding(w, b.Name(), &m); err != nil {
			return err
		}
	}
	var all []board.Place
	for _, h := range m.Windows {
		all = append(all, h.Places...)
	}
	list := placeList(datadir.ColumnNames(b.Spec()))
	list.Empty = "no place"
	return list.Write(w, f, all)
}

// writeStanding writes a line if the member is banned, and one if it is hidden.
func writeStanding(w io.Writer, name string, m *board.Member) error {
	for _, x := range []struct {
		is   bool
		text string
	}{{m.Banned, "banned"}, {m.Hidden, "hidden"}} {
		if !x.is {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s · %s is %s\n", show.Printable(name), show.Name(m.Name), x.text); err != nil {
			return err
		}
	}
	return nil
}
