package moving

import "github.com/redis/go-redis/v9"

// note is the script that begins to note changes, unless the board leaves.
//
//	KEYS  fence, changed
//	ARGV  token
//
// The reply is the field as it was.
var note = redis.NewScript(`
local was = redis.call('HGET', KEYS[1], 'moving') or ''
local word = string.match(was, '^%S*')
if word ~= 'leaving' and word ~= 'left' then
  redis.call('HSET', KEYS[1], 'moving', 'noted ' .. ARGV[1])
  redis.call('UNLINK', KEYS[2])
end
return was`)

// drain is the script that takes changes that were noted.
//
//	KEYS  fence, changed
//	ARGV  token, how many
//
// The reply is a list of them behind "made", or "lost" if another one moves the board.
var drain = redis.NewScript(`
local word, token = string.match(redis.call('HGET', KEYS[1], 'moving') or '', '^(%S+) (%S+)')
if word ~= 'leaving' and word ~= 'left' and token ~= ARGV[1] then return {'lost'} end
local all = redis.call('SPOP', KEYS[2], ARGV[2])
table.insert(all, 1, 'made')
return all`)

// step is the script that takes the next step of a move.
//
//	KEYS  fence, changed
//	ARGV  token, step, milliseconds or destination
//
// Steps are hold, leave, leave again, which has no effect, left, stay and end. The reply is "made", or "lost" if another one moves the board, or did not hold it long enough.
var step = redis.NewScript(`
local was = redis.call('HGET', KEYS[1], 'moving') or ''
local word, token, rest = string.match(was, '^(%S+) (%S+) ?(.*)')
local function set(text) redis.call('HSET', KEYS[1], 'moving', text) return 'made' end
if ARGV[2] == 'hold' then
  if word == 'leaving' then return 'made' end
  if (word ~= 'noted' and word ~= 'held') or token ~= ARGV[1] then return 'lost' end
  local now = redis.call('TIME')
  return set('held ' .. ARGV[1] .. ' ' .. string.format('%d', now[1] * 1000 + math.floor(now[2] / 1000) + ARGV[3]))
elseif ARGV[2] == 'leave' then
  if was == 'leaving ' .. ARGV[3] then return 'made' end
  if word ~= 'held' or token ~= ARGV[1] then return 'lost' end
  return set('leaving ' .. ARGV[3])
elseif ARGV[2] == 'left' then
  if was ~= 'leaving ' .. ARGV[3] and was ~= 'left ' .. ARGV[3] then return 'lost' end
  redis.call('UNLINK', KEYS[2])
  return set('left ' .. ARGV[3])
elseif ARGV[2] == 'stay' then
  if word == 'left' then return 'lost' end
  redis.call('HDEL', KEYS[1], 'moving')
elseif ARGV[2] == 'end' and token == ARGV[1] and (word == 'noted' or word == 'held') then
  redis.call('HDEL', KEYS[1], 'moving')
  redis.call('UNLINK', KEYS[2])
end
return 'made'`)

// show is the script that makes a board that has come one that everybody sees.
//
//	KEYS  catalog
//	ARGV  name, its field while it comes, what is stored of it
//
// The reply is "made", "exists" if there is another board of the name, or "lost" if the board is not one that comes.
var show = redis.NewScript(`
local there = redis.call('HGET', KEYS[1], ARGV[1])
if there and there ~= ARGV[3] then return 'exists' end
if not there and redis.call('HGET', KEYS[1], ARGV[2]) ~= ARGV[3] then return 'lost' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('HDEL', KEYS[1], ARGV[2])
return 'made'`)

// set is the script that sets fields.
//
//	KEYS  fence
//	ARGV  fields and values
var set = redis.NewScript(`
redis.call('HSET', KEYS[1], unpack(ARGV))
return 'made'`)
