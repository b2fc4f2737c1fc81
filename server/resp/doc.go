// Package resp speaks the Redis protocol in front of an engine, so that redis-cli, Redis clients of any language and a team's Redis
// code for sorted sets work on live sets and boards. A program that has an engine mounts it in two lines:
//
//	s, err := resp.New(e, resp.Options{})
//	addr, err := s.Listen("127.0.0.1:6379")
//	defer s.Close()
//
// # Terminology
//
//   - command: what a client asks for, and its row in the table of commands.
//   - request: the words of one command as a client has sent them; the first is the command's name.
//   - key: what a client calls a sorted set, a plain set or a string. In database 0 it is the key of the engine's set; see
//     Databases.
//   - plain: of a value, that it is no sorted set, but a string or a plain set.
//   - run: commands that a client has sent one after the other, done in one transaction.
//   - reply: what a command answers, in RESP2 or RESP3.
//
// # What it promises
//
//   - P1: each command is done whole or not at all, and so is what stands between MULTI and EXEC. A client's commands are done in
//     the order in which they were sent, and answered in that order.
//   - P2: no reply is sent before what it says is as durable as the engine's Options.Durability demands.
//   - P3: replies are Redis's, byte for byte, but for the differences that are listed below.
//   - P4: what a client can make the server hold is bounded, whether it reads its replies or not, and it cannot make others wait for
//     longer than one of its commands takes.
//   - P5: nothing listens where others than this machine can reach it without a password.
//
// # Databases
//
// A client begins in database 0, where keys are the engine's own keys, so that a Go program and its clients share sets by name. The
// others are for code that uses SELECT: a key of database n is the engine's key "\x00", the byte n, the key. In database 0 a key that begins
// with a zero byte is kept with "\x00\x00" before it.
//
// # Keys
//
// Commands on keys do not care what a key holds: a sorted set, a plain set or a string. Sets with int64 scores, of boards or of the
// program, are seen by all of them and changed by none: what would change one is answered with READONLY, and nothing is done.
//
//   - FLUSHDB and FLUSHALL leave those sets, and the program's private keys. By themselves they take a commit for every thousand keys;
//     between MULTI and EXEC they are of that one commit, as are KEYS, SCAN, RANDOMKEY and DBSIZE, unless there are more than
//     engine.MaxKeys keys.
//   - SCAN shows keys that are there from its beginning to its end, and hold a value of the same kind all the time, at least once. Between
//     MULTI and EXEC it answers all at once.
//   - DBSIZE takes the same time however many sorted sets there are, until a client uses another database than 0. Sorted sets whose
//     time is up count until the engine has dropped them.
//   - A key that is to vanish after the year 9999 vanishes at its end.
//   - A transaction reads a sorted set that is on the disk only before it touches it: DEL of one does, FLUSHALL does not.
//   - OBJECT IDLETIME is 0 and FREQ is refused: neither is known. MEMORY USAGE is what it says, not what Redis would take.
//
// # Strings and plain sets
//
// are there in the least form: SET and GET; SADD, SREM, SMEMBERS, SCARD and SISMEMBER. So set operations take plain sets, with score 1,
// and commands are refused with WRONGTYPE where Redis does. Each is one private key of the engine, which is written whole with
// every change, is at most 16 MiB, and is no place for many members. SMEMBERS shows integers in their order, as Redis an intset,
// and others in the order in which they were added. With an engine in memory only, MemoryLimit holds for them too.
//
// # Boards
//
// Each ranking of the boards in Options.Boards, a period or a baseline, is a sorted set for clients that read, under its key:
// board/<name>/<window>/<period>/v<version>, which BOARD.INFO and BOARD.PERIODS tell. Its scores are the first column as it was
// submitted, so where more is better ZREVRANGE 0 9 is the top ten, and in a race ZRANGE 0 9. As in Redis these are float64: an int64
// beyond 2^53 may lose its last digits. There are no ranges by member in a ranking, and nothing changes one but the program and
// BOARD.SUBMIT. All that a board knows, exactly, is in the commands of its own:
//
//	BOARD.SUBMIT name member score [score ...] [AT unix-seconds[.fraction]] [ONCE key] [META text]
//	BOARD.TOP name window n [PERIOD period] [MODE ordinal|competition|modified|dense] [META]
//	BOARD.RANK name window member [PERIOD period] [MODE mode] [META]
//	BOARD.AROUND name window member n [PERIOD period] [MODE mode] [META]
//	BOARD.PERIODS name window
//	BOARD.INFO [name]
//
// Without PERIOD it is the live period. A row is an array: the rank from 1, the member, each column of the score, and the metadata if META
// stands there. Other sets of int64 scores that the program has made read as sorted sets too, and are not changed by clients either.
//
// # Differences to Redis
//
// Replies are those of Redis 7.0.15, with ZRANK WITHSCORE of 7.2 and AGGREGATE COUNT of 8.8; HELLO and INFO say 7.2.0. Other than there:
//
//   - Scores are written as by Redis 7.2, in the shortest digits that read back as the same; Options.Scores asks for those of 7.0.
//   - There is one zero: -0 is 0. Redis keeps its sign in a skiplist.
//   - Where Redis has no order, or draws by chance, ours is another: KEYS, SCAN, ZSCAN, SMEMBERS, RANDOMKEY, ZRANDMEMBER.
//   - Strings and plain sets are there in the least form, for set operations and so that wrong types are refused: SET, GET, SADD, SREM,
//     SMEMBERS, SCARD, SISMEMBER. Each is written whole with every change. There are no other types, no scripts, channels, replicas.
//   - A transaction is undone as a whole, and EXEC answers EXECABORT, if one of its commands fails for what only shows while it is done:
//     memory or disk are full, it changes more than engine.MaxTransaction, what it answers is larger than Options.MaxReply.
//   - Requests and replies have 64 MiB at most, where Redis has 512, and members engine.MaxTransaction where there is a disk. Times to live
//     end with the year 9999.
//   - Sets of boards, and others with int64 scores, are read only, and nothing else is put under the key of a board's set. FLUSHALL
//     leaves them.
//   - SAVE and BGSAVE take a snapshot, which no reply waits for: what is durable, and when, is the engine's Options.Durability. There is
//     no eviction: with a disk sets leave memory for it; without, writes are refused above engine.Options.MemoryLimit.
//   - Users have a password, and all rights or those to read. There are no further ACLs.
//
// # Where things are
//
//	server.go, listen.go            the server, and how it comes to its clients
//	client.go, run.go, multi.go     a client; its commands in transactions
//	command.go, table.go            what a command is, and which there are
//	txn.go, keyspace.go, plain.go   what commands see of a transaction: sorted sets; keys, whatever they hold; strings and plain sets
//	generic.go, expire.go, object.go, scan.go, dbsize.go, flush.go, strings.go, plain_set.go    commands on keys, strings, plain sets
//	server_commands.go, config.go, parameters.go, info.go, debug.go         commands on the server
//	boards.go, boards_*.go          the commands BOARD.*; ints.go, how rankings read as sorted sets
package resp
