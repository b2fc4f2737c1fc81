package replica

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/engine"
)

// PlayOptions are for Play.
type PlayOptions struct {
	Offset int64 // of the first command in the file
	DryRun bool  // nothing is executed: the commands are read and counted
}

// Played says what Play has done.
type Played struct {
	Commands int64            // that were executed, or with DryRun would be
	Offset   int64            // behind the last of them
	Cut      bool             // the file ends within a command or a transaction, which begins at Offset and is left out
	Types    map[string]Tally // commands on types that are not kept here, by name
	Failed   map[string]Tally // commands that the server refused, by name, with the key and the error
}

// CommandError is returned by Play for what it does not execute.
type CommandError struct {
	Offset int64  // of the command in the file
	Name   string // "": it is no command
	Reason string
}

// Error implements error.
func (e *CommandError) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("at byte %d: %s", e.Offset, e.Reason)
	}
	return fmt.Sprintf("at byte %d, %.64q: %s", e.Offset, e.Name, e.Reason)
}

// Begin prepares an engine for the keys of a file that Play executes: it deletes what an earlier attempt with the same name has left. Play cannot go on
// where it was interrupted, as commands like ZINCRBY must not be executed twice. Errors: ErrNotEmpty for keys that no such attempt has made, those of boards
// excepted; those of the engine.
func Begin(ctx context.Context, e *engine.Engine, name string) error {
	return prepare(ctx, e, Options{Address: "file " + name})
}

// End says that a file is played to its end: its keys are the engine's own from now on.
func End(ctx context.Context, e *engine.Engine) error {
	return e.Update(ctx, func(tx *engine.Tx) error { return tx.Delete(mark) })
}

// Play executes the commands of an append-only file, in order, as Redis does when it starts. Those of a transaction are executed when it is whole. A file that
// ends within a command or a transaction was being written when Redis was killed: Played says so, and that is no error. Commands on types that are not
// kept here are counted. The engine must be used by nobody else, and its clock must stand before all expiries: a key whose expiry is past today may get a
// later one by a later command. Expiries that commands give as a time to live count from now. Errors: *CommandError, for a command that zrank does
// not have and for damage, after the commands before it were executed; those of r, of ctx and of the engine.
func Play(ctx context.Context, e *engine.Engine, r io.Reader, o PlayOptions) (*Played, error) {
	p := &player{o: o, now: time.Now(), at: o.Offset, in: stream{bufio.NewReaderSize(r, 1<<16)},
		report: &Played{Offset: o.Offset, Types: map[string]Tally{}, Failed: map[string]Tally{}}}
	var err error
	if p.known, err = writes(ctx, e); err != nil {
		return p.report, err
	}
	t := newTracker(nil)
	if !o.DryRun {
		if p.apply, err = newApplier(ctx, e, t, o.Offset); err != nil {
			return p.report, err
		}
	}
	err = p.run(ctx)
	if !o.DryRun {
		err = errors.Join(err, p.apply.close())
		p.report.Failed = t.now().Commanded
	}
	return p.report, err
}

// player reads and executes the commands of a file.
type player struct {
	o      PlayOptions
	now    time.Time
	in     stream
	at     int64           // offset of the next command
	known  map[string]bool // commands that are executed
	apply  *applier        // nil: nothing is executed
	report *Played

	open  bool      // a transaction has begun
	queue []command // its commands
}

// writes returns the names, in upper case, of the commands that may stand in a file: SELECT and those of Redis that change keys here and do not wait.
func writes(ctx context.Context, e *engine.Engine) (map[string]bool, error) {
	server, err := newLocal(ctx, e)
	if err != nil {
		return nil, err
	}
	defer func() { _ = server.Close() }()
	c := server.client(0)
	defer func() { _ = c.Close() }()
	list, err := c.CommandList(ctx, &redis.FilterBy{ACLCat: "write"}).Result()
	if err != nil {
		return nil, err
	}
	waiting, err := c.CommandList(ctx, &redis.FilterBy{ACLCat: "blocking"}).Result()
	names := map[string]bool{"SELECT": true}
	for _, name := range list {
		if !slices.Contains(waiting, name) && !strings.Contains(name, ".") && name != "migrate" {
			names[strings.ToUpper(name)] = true
		}
	}
	return names, err
}

// run plays the file to its end.
func (p *player) run(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		head, err := p.in.r.Peek(1)
		if errors.Is(err, io.EOF) {
			p.report.Cut = p.open
			return nil
		}
		if err != nil {
			return err
		}
		c, err := p.next(head[0])
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			p.report.Cut = true
			return nil
		}
		if err != nil {
			return &CommandError{Offset: p.at, Reason: strings.TrimPrefix(err.Error(), "replica: ")}
		}
		if err := p.command(c); err != nil {
			return err
		}
		if p.at += int64(len(c.raw)); !p.open {
			p.report.Offset = p.at
		}
	}
}

// next reads a command, or a line with a remark, such as the time, which is a command without words.
func (p *player) next(head byte) (c command, err error) {
	if head == '#' {
		_, err = p.in.line(&c.raw)
		return c, err
	}
	if c, err = p.in.next(); err == nil && (len(c.words) == 0 || len(c.words[0]) == 0) {
		err = errors.New("a command without a name")
	}
	return c, err
}

// command executes a command, queues it, or refuses it.
func (p *player) command(c command) error {
	if len(c.words) == 0 {
		return nil
	}
	name := strings.ToUpper(string(c.words[0]))
	switch {
	case name == "MULTI":
		p.open = true
		return nil
	case name == "EXEC":
		queue := p.queue
		p.open, p.queue = false, nil
		for _, each := range queue {
			if err := p.execute(each); err != nil {
				return err
			}
		}
		return nil
	case ignored[name]:
		return nil
	case isOther(name):
		key := ""
		if len(c.words) > 1 {
			key = strings.ToValidUTF8(string(c.words[1][:min(len(c.words[1]), 64)]), "?")
		}
		leaveOut(p.report.Types, name, key)
		return nil
	case !p.known[name]:
		return &CommandError{p.at, name, "zrank does not have this command, and what follows may depend on it"}
	case name == "SELECT" && !isDatabase(c):
		return &CommandError{p.at, name, fmt.Sprintf("zrank has %d databases", databases)}
	}
	if p.open {
		p.queue = append(p.queue, c)
		return nil
	}
	return p.execute(c)
}

func (p *player) execute(c command) error {
	p.report.Commands++
	if p.apply == nil {
		return nil
	}
	return p.apply.apply(absolute(c, p.now), p.at)
}

func isDatabase(c command) bool {
	if len(c.words) != 2 {
		return false
	}
	n, err := strconv.Atoi(string(c.words[1]))
	return err == nil && n >= 0 && n < databases
}

// others are the commands that change lists; those of hashes and streams are known by their first letter.
var others = map[string]bool{"LPUSH": true, "RPUSH": true, "LPUSHX": true, "RPUSHX": true, "LPOP": true, "RPOP": true, "LSET": true, "LTRIM": true, "LREM": true,
	"LINSERT": true, "LMOVE": true, "RPOPLPUSH": true, "LMPOP": true, "BLMOVE": true, "BRPOPLPUSH": true}

// isOther reports whether a command changes values of a type that is not kept here, whose keys an import leaves out.
func isOther(name string) bool {
	return name[0] == 'H' && name != "HELLO" || name[0] == 'X' || others[name]
}

// absolute returns a command with a moment in place of a time to live.
func absolute(c command, now time.Time) command {
	words := c.words
	at := func(i int, unit int64) []byte {
		n, err := strconv.ParseInt(string(words[i]), 10, 64)
		if err != nil || n > 1<<53 {
			return words[i]
		}
		return strconv.AppendInt(nil, now.UnixMilli()+n*unit, 10)
	}
	switch name := strings.ToUpper(string(words[0])); {
	case name == "EXPIRE" && len(words) > 2:
		words = append([][]byte{[]byte("PEXPIREAT"), words[1], at(2, 1000)}, words[3:]...)
	case name == "PEXPIRE" && len(words) > 2:
		words = append([][]byte{[]byte("PEXPIREAT"), words[1], at(2, 1)}, words[3:]...)
	case name == "RESTORE" && len(words) > 3 && string(words[2]) != "0" && !hasWord(words[4:], "ABSTTL"):
		words = append(slices.Clone(words), []byte("ABSTTL"))
		words[2] = at(2, 1)
	case name == "SET":
		words = slices.Clone(words)
		for i := 3; i < len(words)-1; i++ {
			if unit := map[string]int64{"EX": 1000, "PX": 1}[strings.ToUpper(string(words[i]))]; unit > 0 {
				words[i], words[i+1] = []byte("PXAT"), at(i+1, unit)
			}
		}
	default:
		return c
	}
	return encode(words)
}

func hasWord(words [][]byte, word string) bool {
	return slices.ContainsFunc(words, func(w []byte) bool { return bytes.EqualFold(w, []byte(word)) })
}

// encode returns a command of words.
func encode(words [][]byte) command {
	raw := fmt.Appendf(nil, "*%d\r\n", len(words))
	for _, w := range words {
		raw = append(fmt.Appendf(raw, "$%d\r\n", len(w)), w...)
		raw = append(raw, "\r\n"...)
	}
	return command{raw, words}
}
