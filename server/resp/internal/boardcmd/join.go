package boardcmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// maxJoining is the most members of one GROUP.JOIN: JoinAll makes as many join by one commit, and a command is executed whole or not at all.
const maxJoining = 256

// groupJoin is GROUP.JOIN kind member group [member group ...]
func (b *commands) groupJoin(c *session.Client, a [][]byte) error {
	kind := string(a[1])
	if b.boards == nil {
		return noKind(kind)
	}
	k, err := b.boards.Groups(c.Host.Work, kind)
	if errors.Is(err, board.ErrNoGroups) {
		return noKind(kind)
	} else if err != nil {
		return err
	}
	words := a[2:]
	if len(words)%2 == 1 {
		return command.ErrArity("group.join")
	}
	list := make([]board.Joining, len(words)/2)
	if len(list) > maxJoining {
		return command.Refusal(fmt.Sprintf("ERR %d members, want at most %d at a time", len(list), maxJoining))
	}
	for i := range list {
		list[i] = board.Joining{Member: string(words[2*i]), Group: string(words[2*i+1])}
	}
	if len(list) == 1 {
		err = k.Join(c.Host.Work, list[0].Member, list[0].Group)
	} else {
		err = k.JoinAll(context.WithoutCancel(c.Host.Ctx), list, nil)
	}
	if err == nil {
		c.Out.Int(int64(len(list)))
	}
	return err
}
