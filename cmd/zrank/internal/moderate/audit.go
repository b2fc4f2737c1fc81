package moderate

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// auditFlags has the flags of "zrank audit".
type auditFlags struct {
	at                        target.Target
	format                    string
	member, kind, since, till string
	filter                    audit.Filter
}

func newAudit() *cobra.Command {
	o := &auditFlags{}
	c := &cobra.Command{
		Use:   "audit [BOARD [ENTRY]]",
		Short: "Show the audit log: who has banned whom, when and why; or what an entry has changed",
		Long: `Show the audit log of BOARD, or of all boards: who has banned, reverted and so on whom, when and why, and how many places were changed. With the
number of an ENTRY list these places. The flags select entries, and all of them must hold. In the place of the name of an erased member is a
salted hash; --member with its name still finds its entries.`,
		Example: `  zrank audit --dir data arena
  zrank audit --dir data --member eve --since 2026-11-20 arena
  zrank audit --dir data --after 1000 --format json arena
  zrank audit --dir data arena 17`,
		Args: cobra.MaximumNArgs(2),
		RunE: o.run,
	}
	o.at.Flags(c)
	flags.Format(c, &o.format)
	fs := c.Flags()
	fs.StringVar(&o.member, "member", "", "about this member, also if it has been erased since")
	fs.StringVar(&o.filter.By, "by", "", "by this user")
	fs.StringVar(&o.kind, "kind", "", "of this kind: "+kindNames())
	fs.StringVar(&o.since, "since", "", "from then on: "+flags.TimeHelp)
	fs.StringVar(&o.till, "until", "", "before then")
	fs.Uint64Var(&o.filter.After, "after", 0, "behind the entry with this number")
	return c
}

// kindNames returns the names of all kinds of entries, with commas between them.
func kindNames() string {
	var names []string
	for _, k := range audit.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// run lists entries, or the places of one.
func (o *auditFlags) run(c *cobra.Command, args []string) error {
	f, err := flags.ParseFormat(o.format)
	if err != nil {
		return err
	}
	number := uint64(0)
	if len(args) == 2 {
		if number, err = o.parseEntry(args[1]); err != nil {
			return err
		}
	}
	if err := o.parse(); err != nil {
		return err
	}
	return o.at.Open(func(d target.Boards) error {
		boards, err := target.Named(c.Context(), d, args)
		if err != nil {
			return err
		}
		if number == 0 {
			return auditList.WriteAll(c.OutOrStdout(), f, o.entries(c.Context(), boards))
		}
		places, err := boards[0].AuditPlaces(c.Context(), number)
		if err != nil {
			return err
		}
		list := placeList(datadir.ColumnNames(boards[0].Spec()))
		list.Empty = "the entry has changed no place"
		return list.Write(c.OutOrStdout(), f, places)
	})
}

// parseEntry parses the argument ENTRY. No filter goes with it.
func (o *auditFlags) parseEntry(text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n == 0 {
		return 0, flags.Errorf("ENTRY is %q, want the number of an entry of the audit log", text)
	}
	if o.member+o.kind+o.since+o.till+o.filter.By != "" || o.filter.After > 0 {
		return 0, flags.Errorf("filters do not go with ENTRY")
	}
	return n, nil
}

// parse completes the filter.
func (o *auditFlags) parse() (err error) {
	if o.filter.Member, err = flags.ParseMember(o.member); err != nil {
		return err
	}
	if o.kind != "" {
		if o.filter.Kind, err = audit.ParseKind(o.kind); err != nil {
			return flags.Errorf("--kind is %q, want one of %s", o.kind, kindNames())
		}
	}
	if o.filter.Since, err = flags.ParseTime("since", o.since); err != nil {
		return err
	}
	o.filter.Until, err = flags.ParseTime("until", o.till)
	return err
}

// entries iterates over the entries that the flags select, board by board.
func (o *auditFlags) entries(ctx context.Context, boards []board.Board) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		for _, b := range boards {
			for e, err := range b.Audit(ctx, o.filter) {
				if !yield(entry{b.Name(), e}, err) || err != nil {
					return
				}
			}
		}
	}
}

// entry is one line of "zrank audit".
type entry struct {
	Board string `json:"board"`
	audit.Entry
}

// MarshalJSON implements json.Marshaler.
func (e entry) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&e) }

// auditList writes entries of the audit log, a line each.
var auditList = show.List[entry]{
	Empty:   "no entry",
	Sparse:  true,
	Columns: []string{"board", "entry", "at", "kind", "member", "hash", "to", "to hash", "tier", "by", "reason", "ranks", "rows", "places", "awards", "state"},
	Right:   []int{2, 14, 15},
	Cells: func(e entry, people bool) []string {
		member, to, hash, toHash := e.Member, e.To, e.Hash, e.ToHash
		if people {
			member, to, hash, toHash = show.Name(member), show.Name(to), begin(hash), begin(toHash)
		}
		ranks, state := "", "in progress"
		if e.KeepRanks {
			ranks = "kept"
		}
		if e.Done {
			state = "done"
		}
		return []string{e.Board, strconv.FormatUint(e.Number, 10), e.At.Format(time.RFC3339), string(e.Kind), member, hash, to, toHash, e.Tier, e.By, e.Reason, ranks,
			strings.Trim(fmt.Sprint(e.Rows), "[]"), strconv.Itoa(e.Places), number(e.Awards), state}
	},
}

// begin returns the beginning of a hash, which is enough to tell members apart.
func begin(hash string) string { return hash[:min(len(hash), 12)] }
