package boardcmd

import (
	"strings"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// BOARD.* show all that a board knows of a member, where the sorted sets of its periods show one number: see keyspace.Tx.Read. A column of
// int64 is an integer, one of float64 a double.
//
// They are refused between MULTI and EXEC: which sets a submission changes depends on when it is executed. BOARD.SUBMIT is answered when its
// own commit is durable.
//
// What moderators change is written into the audit log of the board under the name of the client's user. The reply has the number of that entry:
// BOARD.AUDIT answers the places that were changed. A dry run answers them itself. When the server closes, changes of closed periods that are not
// done go on after it has started again: see BOARD.JOBS.

// Commands returns the commands BOARD.*, GROUP.* and UNION.*. boards may be nil: there are no boards then. So may cluster: BOARD.MOVE is refused then.
func Commands(boards *local.Boards, cluster OpenCluster) []session.Command {
	b := &commands{boards, cluster}
	all := []session.Command{
		{Name: "board.move", Arity: -4, Flags: command.Write | command.Admin | command.NoMulti | command.Blocking, Alone: b.move,
			Doc: command.NewDoc("Moves a board to a cluster, or from one, while it is used", "", "board", "O(N) for N entries")},
		{Name: "board.feed", Arity: -2, Flags: command.ReadOnly | command.Moderate | command.NoMulti | command.Blocking, Alone: b.feed,
			Doc: command.NewDoc("Returns what has happened on boards behind a position, or waits for it", "", "board", "O(E) for E events")},
		{Name: "board.list", Arity: 1, Flags: command.ReadOnly | command.NoMulti, Alone: b.list,
			Doc: command.NewDoc("Returns the boards with their windows and numbers of members", "", "board", "O(W) for W windows of all boards")},
		{Name: "board.info", Arity: -1, Flags: command.ReadOnly | command.NoMulti, Alone: b.info,
			Doc: command.NewDoc("Returns the names of boards, or what one is like", "", "board", "O(B) for B boards, or O(W) for W windows")},
		{Name: "group.join", Arity: -4, Flags: command.Write | command.NoMulti | command.DenyOOM, Alone: b.groupJoin,
			Doc: command.NewDoc("Makes members join groups", "", "board", "O(M*W*log(G)) for M members, W windows of boards of G groups")},
	}
	var names []string
	of := map[string][]*syntax{}
	for _, op := range ops.All() {
		if op.Command == "" || op == ops.JoinGroup.Op {
			continue
		}
		s := newSyntax(op)
		if of[s.name] == nil {
			names = append(names, s.name)
		}
		of[s.name] = append(of[s.name], s)
	}
	for _, name := range names {
		all = append(all, b.command(name, of[name]))
	}
	return all
}

// command returns the command of operations that share a name.
func (b *commands) command(name string, of []*syntax) session.Command {
	c := session.Command{Name: name, Flags: command.NoMulti, Alone: b.alone(of)}
	open, texts := len(of) > 1, []string(nil)
	for _, s := range of {
		if open = open || s.more; c.Arity == 0 || s.least < c.Arity {
			c.Arity = s.least
		}
		c.Flags |= flagsOf(s.op)
		texts = append(texts, s.op.Summary)
	}
	if open {
		c.Arity = -c.Arity
	}
	c.Doc = command.NewDoc(strings.Join(texts, "; "), "", "board", of[len(of)-1].op.Cost)
	c.Doc.Arguments = argumentsOf(of)
	return c
}

// shrinks are operations that do not make what is stored bigger, though they change scores or groups.
var shrinks = map[*ops.Op]bool{ops.RemoveMember.Op: true, ops.LeaveGroup.Op: true, ops.DissolveGroup.Op: true, ops.Unwatch.Op: true, ops.ClaimAward.Op: true}

// flagsOf returns the flags of the command of an operation.
func flagsOf(op *ops.Op) command.Flags {
	f := command.ReadOnly
	if op.Changes() {
		f = command.Write
	}
	switch {
	case op.Right == ops.ToAdminister:
		f |= command.Admin
	case op.Right == ops.ToModerate:
		f |= command.Moderate
	case op.Right == ops.ToSubmit && !shrinks[op]:
		f |= command.DenyOOM
	}
	return f
}
