package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// start is what "zrank" alone says.
const start = `zrank keeps leaderboards in a directory: exact ranks, durable.

  zrank demo                                      play a season of a game, and show its boards
  zrank replay --dir data --window all,week FILE  make boards of the results in a CSV file
  zrank top --dir data BOARD                      show the best
  zrank serve --dir data                          serve the boards by HTTP, and to Redis clients
  zrank backup --dir data DEST                    copy the directory, checked

"zrank help" lists all commands, "zrank help COMMAND" explains one.
`

// topics are the groups of commands in the list of all, and the names of the commands in each; others are made for programs.
var topics = []struct{ title, names string }{
	{"Boards", "demo replay boards periods history close migrate schema"},
	{"Rankings", "top rank around score board union follow"},
	{"Members", "member ban unban hide show revert correct rename merge erase journal audit jobs"},
	{"Awards, leagues and groups", "settle awards claim league tier groups"},
	{"Servers and other systems", "serve move import export"},
	{"The directory", "check backup restore salvage compact"},
}

// group puts the commands of root into groups.
func group(root *cobra.Command) {
	for _, t := range topics {
		root.AddGroup(&cobra.Group{ID: t.title, Title: t.title})
	}
	for _, c := range root.Commands() {
		for _, t := range topics {
			if slices.Contains(strings.Fields(t.names), c.Name()) {
				c.GroupID = t.title
			}
		}
	}
}

// writeHelp writes all about a command.
func writeHelp(w io.Writer, c *cobra.Command) error {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	text := cmp.Or(c.Long, c.Short) + "\n\n" + usage(c)
	if c.HasAvailableFlags() {
		text += "\nFlags:\n" + c.Flags().FlagUsages()
	}
	_, err := io.WriteString(w, text)
	return err
}

// mostLines is the most lines of the short help: if the flags do not fit, it has their names.
const mostLines = 25

// writeShort writes the beginning of what there is to say about a command, and the flags that not all commands have.
func writeShort(c *cobra.Command, _ []string) {
	first, rest, _ := strings.Cut(cmp.Or(c.Long, c.Short), "\n\n")
	own, common := pflag.NewFlagSet("", pflag.ContinueOnError), ""
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains([]string{"dir", "addr", "key", "key-file", "format"}, f.Name) {
			common += " --" + f.Name
		} else if f.Name != "help" {
			own.AddFlag(f)
		}
	})
	text, flags, isShort := first+"\n\n"+usage(c), "", true
	if own.HasFlags() {
		flags = "\nFlags:\n" + own.FlagUsages()
		if isShort = strings.Count(text+flags, "\n") <= mostLines-2; !isShort {
			flags = "\nFlags:" + wrapped(own) + "\n"
		}
	}
	if common != "" {
		common = ", and" + common
	}
	text += flags
	if rest != "" || common != "" || !isShort {
		text += fmt.Sprintf("\n\"zrank help%s\" has the rest%s.\n", strings.TrimPrefix(c.CommandPath(), "zrank"), common)
	}
	_, _ = io.WriteString(c.OutOrStdout(), text)
}

// wrapped returns the names of flags, on lines of at most 100 columns.
func wrapped(fs *pflag.FlagSet) string {
	var b strings.Builder
	column := 100
	fs.VisitAll(func(f *pflag.Flag) {
		if column+len(f.Name)+3 > 100 {
			b.WriteString("\n ")
			column = 1
		}
		b.WriteString(" --" + f.Name)
		column += len(f.Name) + 3
	})
	return b.String()
}

// usage returns how a command is called, what is below it, and examples.
func usage(c *cobra.Command) string {
	var b strings.Builder
	line := c.UseLine()
	if !c.HasParent() {
		line = c.Name() + " COMMAND"
	}
	fmt.Fprintf(&b, "Usage:\n  %s\n", line)
	if c.HasAvailableSubCommands() {
		b.WriteString(listOf(c))
	}
	if c.HasExample() {
		b.WriteString("\nExamples:\n" + c.Example + "\n")
	}
	return b.String()
}

// listOf lists the commands below a command, by groups.
func listOf(c *cobra.Command) string {
	var b strings.Builder
	list := func(title, id string) {
		b.WriteString("\n" + title + ":\n")
		for _, sub := range c.Commands() {
			if sub.GroupID == id && (sub.IsAvailableCommand() || sub.Name() == "help") {
				fmt.Fprintf(&b, "  %-13s %s\n", sub.Name(), sub.Short)
			}
		}
	}
	for _, g := range c.Groups() {
		list(g.Title, g.ID)
	}
	if len(c.Groups()) > 0 {
		list("Else", "")
	} else {
		list("Commands", "")
	}
	return b.String()
}

// newHelp replaces the help command of cobra, which exits with 0 for an unknown command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND [SUBCOMMAND]]",
		Short: "Explain a command",
		Long:  "Explain a command: what it does, all its flags, examples. \"--help\" behind a command says the same in short. It exits with 2 if there is no such command.",
		Example: `  zrank help top
  zrank help groups join`,
		Args: cobra.MaximumNArgs(2),
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
			command, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			for _, other := range command.Commands() {
				if other.IsAvailableCommand() {
					names = append(names, cobra.CompletionWithDesc(other.Name(), other.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			command := c.Root()
			if len(args) > 0 {
				named, rest, err := command.Find(args)
				if err != nil || named == command || len(rest) > 0 {
					return noCommand(command, strings.Join(args, " "))
				}
				command = named
			}
			return writeHelp(c.OutOrStdout(), command)
		},
	}
}
