package boardcmd

import (
	"strconv"

	"github.com/zrankdb/zrank/board/move"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// moving is the rest of BOARD.MOVE.
type moving struct {
	comes          bool
	url            string
	o              ClusterOptions
	partial, abort bool
}

// parseMoving reads TO|FROM url [PREFIX p] [PARTITIONS n] [REPLICAS n] [PARTIAL] [ABORT].
func parseMoving(words [][]byte) (m moving, err error) {
	switch command.Upper(string(words[0])) {
	case "TO":
	case "FROM":
		m.comes = true
	default:
		return m, command.ErrSyntax
	}
	m.url = string(words[1])
	for words = words[2:]; len(words) > 0 && err == nil; words = words[1:] {
		option := command.Upper(string(words[0]))
		switch option {
		case "PARTIAL":
			m.partial = true
			continue
		case "ABORT":
			m.abort = true
			continue
		}
		if words = words[1:]; len(words) == 0 {
			return m, command.ErrSyntax
		}
		value := string(words[0])
		switch option {
		case "PREFIX":
			m.o.Prefix = value
		case "PARTITIONS":
			m.o.Partitions, err = count(value)
		case "REPLICAS":
			m.o.Replicas, err = count(value)
		default:
			return m, command.ErrSyntax
		}
	}
	return m, err
}

func count(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, command.Refusal("ERR value is not an integer or out of range")
	}
	return n, nil
}

// notMoved returns the refusal of an error, which may be one of the other server.
func notMoved(err error) error {
	return command.Refusal("ERR " + command.Clip([]byte(err.Error()), 512))
}

// move is BOARD.MOVE name TO|FROM url [PREFIX p] [PARTITIONS n] [REPLICAS n] [PARTIAL] [ABORT]. The client waits until the board has moved; others go on.
func (b *commands) move(c *session.Client, a [][]byte) error {
	m, err := parseMoving(a[2:])
	if err != nil {
		return err
	}
	if b.boards == nil || b.cluster == nil {
		return command.Refusal("ERR the server moves no boards")
	}
	there, err := b.cluster(m.url, m.o)
	if err != nil {
		return notMoved(err)
	}
	defer there.Close()
	from, to := move.Boards(b.boards), move.Boards(there)
	if m.comes {
		from, to = to, from
	}
	name := string(a[1])
	if m.abort {
		if err := move.Abort(c.Host.Ctx, name, from, to); err != nil {
			return notMoved(err)
		}
		c.Out.OK()
		return nil
	}
	r, err := move.Board(c.Host.Ctx, name, from, to, move.Options{Partial: m.partial})
	if err != nil {
		return notMoved(err)
	}
	c.Out.Map(3 + int(command.Bit(len(r.LeftOut) > 0)))
	for _, x := range []struct {
		name  string
		value int
	}{{"periods", r.Periods}, {"entries", r.Entries}, {"waited", r.Waited}} {
		c.Out.BulkString(x.name)
		c.Out.Int(int64(x.value))
	}
	if len(r.LeftOut) > 0 {
		c.Out.BulkString("left-out")
		c.Out.Array(len(r.LeftOut))
		for _, what := range r.LeftOut {
			c.Out.BulkString(what)
		}
	}
	return nil
}
