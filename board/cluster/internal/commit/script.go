package commit

import "github.com/redis/go-redis/v9"

// change is the script that makes a commit, or none of it. It keeps the invariants CL1, CL2, CL4 and CL5 of package cluster, and CL3 with shut.
//
//	KEYS  fence, once, standings, audit, changed, and for each edit the sorted set and the hash
//	ARGV  now in milliseconds, time up to which Once keys are expired, arrival or 0, "p" if edits has all periods, "pb" if it also has all baselines, or "", "ranks" or "", entry of the audit log or "", its places or "",
//	      its number or 0, number of Once keys, number of standings, and then the Once keys, for each standing
//	      field, value before or "", value after or "", and for each edit
//	      member, window, period or "" and then the window is WINDOW/BASELINE, middle of the period in microseconds or "", value before or "" or "=" if an edit before has it, value after or "", text before or "",
//	      text after or "", how many rows around the member, how many of those that it has passed
//
// The reply is a list: "made", the number of the entry, and with "ranks" for each edit a list: texts before the old one before the edit, texts before the new one after it, texts
// after it, texts around it, texts that it has passed. Or "dropped" if the board was; "moving" and the field of the fence, see layout.Destination, if that says that changes wait or are
// refused; "duplicate"; "other" if values or standings are others, or if the edits are to have all
// periods and do not; "closed", number of the edit from 1, up to when its window is closed.
var change = redis.NewScript(`
local fence, once, standings, audit = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local uses, marks = tonumber(ARGV[9]), tonumber(ARGV[10])
local n = (#KEYS - 5) / 2
local function mark(i, j) return ARGV[10 + uses + (i - 1) * 3 + j] end
local function arg(i, j) return ARGV[10 + uses + marks * 3 + (i - 1) * 10 + j] end
` + gate + `
for i = 1, uses do
  local used = redis.call('ZSCORE', once, ARGV[10 + i])
  if used and tonumber(used) > tonumber(ARGV[2]) then return {'duplicate'} end
end
local same, known = true, {}
for i = 1, n do
  local through = arg(i, 4) ~= '' and redis.call('HGET', fence, 't/' .. arg(i, 2))
  if through and tonumber(arg(i, 4)) < tonumber(through) then return {'closed', i, through} end
  same = same and (arg(i, 5) == '=' or (redis.call('HGET', KEYS[2 * i + 5], arg(i, 1)) or '') == arg(i, 5))
  known[arg(i, 3) == '' and 'b/' .. arg(i, 2) or 'p/' .. arg(i, 2) .. '/' .. arg(i, 3)] = true
end
for i = 1, marks do same = same and (redis.call('HGET', standings, mark(i, 1)) or '') == mark(i, 2) end
if ARGV[4] ~= '' then
  for _, field in ipairs(redis.call('HKEYS', fence)) do
    local of = string.sub(field, 2, 2) == '/' and string.find(ARGV[4], string.sub(field, 1, 1), 1, true)
    same = same and (not of or known[field])
  end
end
if not same then return {'other'} end
if ARGV[3] ~= '0' then redis.call('HSET', fence, 'arrivals', ARGV[3]) end
for i = 1, uses do
  for _, key in ipairs(redis.call('ZRANGEBYSCORE', once, '-inf', ARGV[2], 'LIMIT', 0, 16)) do redis.call('ZREM', once, key) end
  redis.call('ZADD', once, ARGV[1], ARGV[10 + i])
  if noted then redis.call('SADD', KEYS[5], '/' .. ARGV[10 + i]) end
end
local reply = {'made', 0}
local function count(z, text) return text == '' and 0 or redis.call('ZLEXCOUNT', z, '-', '(' .. text) end
for i = 1, n do
  local z, h, was, is = KEYS[2 * i + 4], KEYS[2 * i + 5], arg(i, 7), arg(i, 8)
  local before = ARGV[5] ~= '' and count(z, was)
  if was ~= is and was ~= '' then redis.call('ZREM', z, was) end
  if noted and arg(i, 3) ~= '' and arg(i, 5) ~= arg(i, 6) then redis.call('SADD', KEYS[5], arg(i, 2) .. '/' .. arg(i, 3) .. '/' .. arg(i, 1)) end
  if arg(i, 6) == '' then
    redis.call('HDEL', h, arg(i, 1))
  elseif arg(i, 5) ~= arg(i, 6) then
    redis.call('HSET', h, arg(i, 1), arg(i, 6))
    if arg(i, 3) ~= '' then redis.call('HSET', fence, 'p/' .. arg(i, 2) .. '/' .. arg(i, 3), '1') end
    if was ~= is and is ~= '' then redis.call('ZADD', z, 0, is) end
  end
  if before then
    local after, size, near = count(z, is), redis.call('ZCARD', z), {}
    local each, passed = math.min(tonumber(arg(i, 9)), size), 0
    if each > 0 and is ~= '' then
      local from = math.max(0, math.min(after - each, size - 2 * each - 1))
      near = redis.call('ZRANGE', z, from, from + 2 * each)
    end
    if was ~= is and is ~= '' then passed = math.min(tonumber(arg(i, 10)), was == '' and size - 1 - after or math.max(before - after, 0)) end
    reply[i + 2] = {before, after, size, near, passed > 0 and redis.call('ZRANGE', z, after + 1, after + passed) or {}}
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
reply[2] = number
return reply`)

// gate is how scripts begin that change something in a partition. It returns if the board was dropped, or a move makes changes wait or refuses them; otherwise it says in noted whether
// changes are noted for a move. KEYS[1] is the fence. The time by which changes wait no longer is that of the server.
const gate = `
local state = redis.call('HMGET', KEYS[1], 'dropped', 'moving')
if state[1] then return {'dropped'} end
local noted = false
if state[2] then
  local word, token, till = string.match(state[2], '^(%S+) (%S+) ?(.*)')
  if word == 'held' then
    local now = redis.call('TIME')
    if now[1] * 1000 + math.floor(now[2] / 1000) >= tonumber(till) then
      redis.call('HSET', KEYS[1], 'moving', 'noted ' .. token)
      word = 'noted'
    end
  end
  if word ~= 'noted' then return {'moving', state[2]} end
  noted = true
end
`

// shut is the script that closes a window up to a time in a partition, unless it is closed further.
//
//	KEYS  fence
//	ARGV  window, microseconds
//
// The reply is as that of change.
var shut = redis.NewScript(gate + `
local through = redis.call('HGET', KEYS[1], 't/' .. ARGV[1])
if not through or tonumber(through) < tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], 't/' .. ARGV[1], ARGV[2]) end
return {'made'}`)

// save is the script that copies a ranking to a baseline.
//
//	KEYS  fence, sorted set and hash of the baseline, sorted set and hash of the ranking
//	ARGV  the field of the baseline
//
// The reply is as that of change.
var save = redis.NewScript(gate + `
redis.call('UNLINK', KEYS[2], KEYS[3])
if redis.call('COPY', KEYS[4], KEYS[2]) == 1 then
  redis.call('COPY', KEYS[5], KEYS[3])
  redis.call('HSET', KEYS[1], ARGV[1], '1')
else
  redis.call('HDEL', KEYS[1], ARGV[1])
end
return {'made'}`)

// unsave is the script that deletes a baseline.
//
//	KEYS  fence, sorted set and hash
//	ARGV  the field of the baseline
//
// The reply is as that of change.
var unsave = redis.NewScript(gate + `
redis.call('UNLINK', KEYS[2], KEYS[3])
redis.call('HDEL', KEYS[1], ARGV[1])
return {'made'}`)

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

// hold is the script that holds a member up to a time.
//
//	KEYS  standings, fence
//	ARGV  field, milliseconds
var hold = redis.NewScript(`
if redis.call('HEXISTS', KEYS[2], 'dropped') == 1 then return 'dropped' end
local stored = string.gsub(redis.call('HGET', KEYS[1], ARGV[1]) or '', 'w%d*', '')
redis.call('HSET', KEYS[1], ARGV[1], stored .. 'w' .. ARGV[2])
return 'made'`)

// rewrite is the script that changes an entry of the audit log if it is as it was. It replies what the entry is then.
//
//	KEYS  audit
//	ARGV  number, text before, text after
var rewrite = redis.NewScript(`
local text = redis.call('HGET', KEYS[1], ARGV[1])
if text ~= ARGV[2] then return text or '' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return ARGV[3]`)

// define is the script that stores a board, unless there is one of its name, or one comes.
//
//	KEYS  catalog
//	ARGV  name, its field while it comes, what is stored of it
//
// The reply is "made", also if there is one, or "coming".
var define = redis.NewScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then return 'coming' end
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[3])
return 'made'`)
