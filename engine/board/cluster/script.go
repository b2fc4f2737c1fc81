package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/redis/go-redis/v9"
)

// change is the script that makes a commit, or none of it.
//
//	KEYS  fence, once, standings, audit, and for each edit the sorted set and the hash
//	ARGV  now in milliseconds, Once key or "", time up to which Once keys are expired, arrival or 0, "whole" or "", entry of the audit log or "", its places or "",
//	      its number or 0, number of standings, and for each of these field, value before or "", value after or "", and then for each edit
//	      member, window, period, middle of the period in microseconds or "", value before or "", value after or "", text before or "", text after or ""
//
// The reply is a list: "made" and the number of the entry; "dropped" if the board was; "duplicate"; "other" if values or standings are others, or if the edits are to have all
// periods and do not; "closed", number of the edit from 1, up to when its window is closed.
var change = redis.NewScript(`
local fence, once, standings, audit = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local marks = tonumber(ARGV[9])
local n = (#KEYS - 4) / 2
local function mark(i, j) return ARGV[9 + (i - 1) * 3 + j] end
local function arg(i, j) return ARGV[9 + marks * 3 + (i - 1) * 8 + j] end
if redis.call('HEXISTS', fence, 'dropped') == 1 then return {'dropped'} end
local used = ARGV[2] ~= '' and redis.call('ZSCORE', once, ARGV[2])
if used and tonumber(used) > tonumber(ARGV[3]) then return {'duplicate'} end
local same, known = true, {}
for i = 1, n do
  local through = arg(i, 4) ~= '' and redis.call('HGET', fence, 't/' .. arg(i, 2))
  if through and tonumber(arg(i, 4)) < tonumber(through) then return {'closed', i, through} end
  same = same and (redis.call('HGET', KEYS[2 * i + 4], arg(i, 1)) or '') == arg(i, 5)
  known['p/' .. arg(i, 2) .. '/' .. arg(i, 3)] = true
end
for i = 1, marks do same = same and (redis.call('HGET', standings, mark(i, 1)) or '') == mark(i, 2) end
if ARGV[5] ~= '' then
  for _, field in ipairs(redis.call('HKEYS', fence)) do
    same = same and (string.sub(field, 1, 2) ~= 'p/' or known[field])
  end
end
if not same then return {'other'} end
if ARGV[4] ~= '0' then redis.call('HSET', fence, 'arrivals', ARGV[4]) end
if ARGV[2] ~= '' then
  for _, key in ipairs(redis.call('ZRANGEBYSCORE', once, '-inf', ARGV[3], 'LIMIT', 0, 16)) do redis.call('ZREM', once, key) end
  redis.call('ZADD', once, ARGV[1], ARGV[2])
end
for i = 1, n do
  local z, h, was, is = KEYS[2 * i + 3], KEYS[2 * i + 4], arg(i, 7), arg(i, 8)
  if was ~= is and was ~= '' then redis.call('ZREM', z, was) end
  if arg(i, 6) == '' then
    redis.call('HDEL', h, arg(i, 1))
  elseif arg(i, 5) ~= arg(i, 6) then
    redis.call('HSET', h, arg(i, 1), arg(i, 6))
    redis.call('HSET', fence, 'p/' .. arg(i, 2) .. '/' .. arg(i, 3), '1')
    if was ~= is and is ~= '' then redis.call('ZADD', z, 0, is) end
  end
end
for i = 1, marks do
  if mark(i, 3) == '' then
    redis.call('HDEL', standings, mark(i, 1))
  elseif mark(i, 2) ~= mark(i, 3) then
    redis.call('HSET', standings, mark(i, 1), mark(i, 3))
  end
end
local number = tonumber(ARGV[8])
if ARGV[6] ~= '' then
  if number == 0 then number = redis.call('HINCRBY', audit, 'last', 1) end
  redis.call('HSET', audit, string.format('%d', number), ARGV[6])
  if ARGV[7] ~= '' then redis.call('HSET', audit, string.format('%d/places', number), ARGV[7]) end
end
return {'made', number}`)

// shut is the script that closes a window up to a time in a partition, unless it is closed further.
//
//	KEYS  fence
//	ARGV  window, microseconds
var shut = redis.NewScript(`
local through = redis.call('HGET', KEYS[1], 't/' .. ARGV[1])
if not through or tonumber(through) < tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], 't/' .. ARGV[1], ARGV[2]) end
return 'made'`)

// touch is the script that writes to a partition, so that a WAIT behind it waits for what was written before: not all servers wait after a script that has only read.
//
//	KEYS  fence
var touch = redis.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HINCRBY', KEYS[1], 'touched', 1) end
return 'made'`)

// take is the script that takes the next number of the audit log of a board with several partitions.
//
//	KEYS  audit of the first partition
var take = redis.NewScript(`return redis.call('HINCRBY', KEYS[1], 'last', 1)`)

// rewrite is the script that changes an entry of the audit log if it is as it was. It replies what the entry is then.
//
//	KEYS  audit
//	ARGV  number, text before, text after
var rewrite = redis.NewScript(`
local text = redis.call('HGET', KEYS[1], ARGV[1])
if text ~= ARGV[2] then return text or '' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return ARGV[3]`)

// run runs a script that writes, and waits for the replicas that the options ask for. Errors: ErrUndecided, those of the server.
func (b *servers) run(ctx context.Context, s *redis.Script, keys []string, args ...any) (reply any, err error) {
	var to target
	for try := 0; ; try++ {
		if to.server == nil {
			to.server, err = b.master(ctx, keys[0])
		}
		if err == nil {
			reply, err = b.tryRun(ctx, to, s, keys, args...)
		}
		if err == nil {
			return reply, nil
		}
		if err := b.again(ctx, err, try); err != nil {
			return nil, err
		}
		if to = b.elsewhere(ctx, err); to.server != nil {
			err = nil
		}
	}
}

// ask sends the commands that fill has queued, which may be sent again. A missing key or field is no error.
func (b *servers) ask(ctx context.Context, fill func(pipe redis.Pipeliner)) error {
	return b.repeat(ctx, func() error {
		pipe := b.client.Pipeline()
		fill(pipe)
		return firstError(pipe.Exec(ctx))
	})
}

// repeat makes a call again while servers refuse it for now. A missing key or field is no error.
func (b *servers) repeat(ctx context.Context, call func() error) error {
	for try := 0; ; try++ {
		err := call()
		if err == nil || errors.Is(err, redis.Nil) {
			return nil
		}
		if err := b.again(ctx, err, try); err != nil {
			return err
		}
		b.elsewhere(ctx, err)
	}
}

// target is the server that a script goes to.
type target struct {
	server *redis.Client
	asking bool // the server is about to get the slot, and takes those that another one has sent to it
}

// elsewhere returns the server that another one has named in its error, none if it has not. It makes the client learn the slots anew.
func (b *servers) elsewhere(ctx context.Context, err error) (to target) {
	c, ok := b.client.(*redis.ClusterClient)
	if !ok {
		return to
	}
	c.ReloadState(ctx)
	addr, named := redis.IsMovedError(err)
	if !named {
		addr, to.asking = redis.IsAskError(err)
	}
	var mu sync.Mutex
	_ = c.ForEachMaster(ctx, func(_ context.Context, master *redis.Client) error {
		mu.Lock()
		defer mu.Unlock()
		if master.Options().Addr == addr {
			to.server = master
		}
		return nil
	})
	return to
}

// tryRun is run without a second try.
func (b *servers) tryRun(ctx context.Context, to target, s *redis.Script, keys []string, args ...any) (any, error) {
	reply, err := b.send(ctx, to, s.EvalSha, keys, args)
	if err != nil && redis.HasErrorPrefix(err, "NOSCRIPT") {
		reply, err = b.send(ctx, to, s.Eval, keys, args)
	}
	return reply, err
}

// send sends a script, and a WAIT behind it on the same connection.
func (b *servers) send(ctx context.Context, to target, eval func(context.Context, redis.Scripter, []string, ...any) *redis.Cmd,
	keys []string, args []any) (any, error) {
	pipe := to.server.Pipeline()
	if to.asking {
		pipe.Do(ctx, "asking")
	}
	ran := eval(ctx, pipe, keys, args...)
	var confirmed *redis.IntCmd
	if b.o.Replicas > 0 {
		confirmed = redis.NewIntCmd(ctx, "wait", b.o.Replicas, b.o.ReplicaTimeout.Milliseconds())
		_ = pipe.Process(ctx, confirmed) // queues it, without an error
	}
	_, broken := pipe.Exec(ctx)
	reply, err := ran.Result()
	if err == nil && reply == nil { // a script has a reply: there was no connection
		err = broken
	}
	switch {
	case err != nil && isRefused(err):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUndecided, err)
	case confirmed == nil:
		return reply, nil
	}
	if n, err := confirmed.Result(); err != nil || n < int64(b.o.Replicas) {
		return nil, errors.Join(fmt.Errorf("%w: %d replicas have confirmed it, want %d", ErrUndecided, n, b.o.Replicas), err)
	}
	return reply, nil
}
