package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/zrankdb/zrank/fuzz/internal/engines"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/server/resp"
)

// respMachine is a server of the Redis protocol over an engine, and go-redis as its only client.
type respMachine struct {
	*engines.Machine
	protocol int  // 2 or 3
	pipeline bool // it sends the commands of an operation together, one for each member
	server   *resp.Server
	client   *redis.Client
}

// newResp opens an engine and serves it.
func newResp(m *engines.Machine, protocol int, pipeline bool) (machine.Machine, error) {
	if err := m.Open(); err != nil {
		return nil, err
	}
	r := &respMachine{Machine: m, protocol: protocol, pipeline: pipeline}
	return r, r.serve()
}

// serve starts a server on the engine and connects the client.
func (m *respMachine) serve() (err error) {
	if m.server, err = resp.New(context.Background(), m.Engine, resp.Options{}); err != nil {
		return err
	}
	l := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	go func() { _ = m.server.Serve(l) }()
	m.client = redis.NewClient(&redis.Options{
		Dialer: l.dial, Protocol: m.protocol, DisableIdentity: true, MaxRetries: -1, PoolSize: 1, PipelinePoolSize: 1,
		ReadTimeout: time.Minute, WriteTimeout: time.Minute,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	return nil
}

func (m *respMachine) hangUp() error { return errors.Join(m.client.Close(), m.server.Close()) }

// Run sends the commands of a block, those of a transaction between MULTI and EXEC. The protocol has no rollback: Run queues the commands of
// a transaction that is rolled back and sends DISCARD, so it returns empty replies.
func (m *respMachine) Run(b script.Block) (replies []string, err error) {
	ctx := context.Background()
	var waiting []func() string
	queue := func(c sender) {
		for _, op := range b.Ops {
			waiting = append(waiting, (&asker{ctx, c, m.pipeline}).ask(op))
		}
	}
	switch {
	case b.RolledBack():
		return make([]string, len(b.Ops)), m.discard(ctx, queue)
	case b.End != "":
		err = sent(m.client.TxPipelined(ctx, piped(queue)))
	case m.pipeline:
		err = sent(m.client.Pipelined(ctx, piped(queue)))
	default:
		queue(m.client)
	}
	if !b.ReadOnly() {
		m.Acknowledged()
	}
	for _, reply := range waiting {
		replies = append(replies, reply())
	}
	return replies, err
}

// piped makes a function for go-redis of a queue function.
func piped(queue func(sender)) func(redis.Pipeliner) error {
	return func(p redis.Pipeliner) error {
		queue(p)
		return nil
	}
}

// sent returns errors of the connection. Errors in replies belong to their commands.
func sent(_ []redis.Cmder, err error) error {
	var reply redis.Error
	if errors.As(err, &reply) {
		return nil
	}
	return err
}

// discard queues commands in a transaction and discards it.
func (m *respMachine) discard(ctx context.Context, queue func(sender)) error {
	typed, p := m.client.Pipeline(), m.client.Pipeline() // p sends the words of typed's commands, since each is answered QUEUED
	queue(typed)
	want := []string{"OK"}
	p.Do(ctx, "multi")
	for _, cmd := range typed.Cmds() {
		p.Do(ctx, cmd.Args()...)
		want = append(want, "QUEUED")
	}
	p.Do(ctx, "discard")
	cmds, err := p.Exec(ctx)
	var got []string
	for _, cmd := range cmds {
		got = append(got, fmt.Sprint(cmd.(*redis.Cmd).Val()))
	}
	if err == nil && !slices.Equal(got, append(want, "OK")) {
		err = fmt.Errorf("fuzz: a transaction that is discarded is answered %q", got)
	}
	return err
}

func (m *respMachine) Keys() ([]string, error) {
	keys, err := m.client.Keys(context.Background(), "*").Result()
	return slices.Sorted(slices.Values(keys)), err
}

// Between takes a snapshot with SAVE. It closes client and server before an operation that closes the engine, and starts them again.
func (m *respMachine) Between(op script.Op) error {
	switch {
	case op.Kind == "snapshot" && m.Does(op.Kind):
		return m.Flushed(m.client.Save(context.Background()).Err())
	case slices.Contains([]string{"reopen", "kill", "cut", "backup", "restore", "salvage"}, op.Kind):
		return m.again(func() error { return m.Machine.Between(op) })
	}
	return m.Machine.Between(op)
}

// again closes client and server, reopens the engine and serves it again.
func (m *respMachine) again(reopen func() error) error {
	if err := m.hangUp(); err != nil {
		return err
	}
	if err := reopen(); err != nil {
		return err
	}
	return m.serve()
}

func (m *respMachine) Restart() error { return m.again(m.Machine.Restart) }

func (m *respMachine) Close() error { return errors.Join(m.hangUp(), m.Machine.Close()) }
