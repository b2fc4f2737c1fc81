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
// program, are seen by all of them and changed by none: what would change one is answered with READONLY, and nothing is done. So it is
// with keys that belong to boards, whatever they hold; RENAME and COPY take what is no board's from there to another key.
//
//   - FLUSHDB and FLUSHALL leave all these sets, and the program's private keys. By themselves they take a commit for every thousand keys;
//     between MULTI and EXEC they are of that one commit, as are KEYS, SCAN, RANDOMKEY and DBSIZE, unless there are more than
//     engine.MaxKeys keys. Keys that others make after EXEC has listed them, and before it locks them, are not among them.
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
// are there in the least form: SET, GET and STRLEN; SADD, SREM, SMEMBERS, SCARD and SISMEMBER. So set operations take plain sets, with score 1,
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
// # Transactions
//
// What stands between MULTI and EXEC is one transaction of the engine, over the keys of all commands and those that are watched. WATCH
// notices whatever a client, the Go program or a board changes. What the program makes under a key that was empty, and drops again
// before EXEC, it does not. BOARD.SUBMIT, SAVE, SHUTDOWN, DEBUG and CLIENT REPLY cannot be part of a transaction.
//
// # Waiting
//
// BZPOPMIN, BZPOPMAX and BZMPOP stand in one line with the calls of engine.PopMinWait that the program makes: first come, first served,
// at the end of the command or EXEC that feeds a key. A client that goes away gives its place up at once, and nothing more is done for
// it; what was popped for it at that very moment is lost, as in Redis. Who sends more than
// 1 MiB while it waits is disconnected. When the server closes, those who wait are answered UNBLOCKED, and then disconnected.
//
// WAIT for a replica waits until its time is over, for there are none: with timeout 0 for ever. CLIENT UNBLOCK ends it.
//
// # Users
//
// With Options.Users a client says who it is, by AUTH or HELLO, before anything else. Those who may only read are refused what changes
// keys, settings, snapshots or other clients, and lists of clients and users; CLIENT KILL is no command for them. A wrong password is
// as slow as a right one. There are no commands that change users.
//
// An IP address, or the first 64 bits of one of IPv6, may send ten wrong passwords, and one a second after that. Beyond these an AUTH or HELLO
// from there waits before its password is looked at, 5 s at most: so one connection tries one password a second, and n connections n/5 if they are
// more than five. All clients of Unix sockets, and all behind one proxy, are one address. Clients that have said who they are do not wait.
//
// # Differences to Redis
//
// Replies are those of Redis 7.0.15, with ZRANK WITHSCORE of 7.2, whose errors and COMMAND's description those of ZRANK and ZREVRANK are,
// and AGGREGATE COUNT of 8.8; HELLO and INFO say 7.2.0. Other than there:
//
//   - Scores are written as by Redis 7.2, in the shortest digits that read back as the same; Options.Scores asks for those of 7.0.
//   - There is one zero: -0 is 0. Redis keeps its sign in a skiplist.
//   - Where Redis has no order, or draws by chance, ours is another: KEYS, SCAN, ZSCAN, SMEMBERS, RANDOMKEY, ZRANDMEMBER.
//     A cursor of SCAN or ZSCAN that no reply has given may show nothing, where Redis shows a part of its hash table.
//   - A string that SET makes with a time that is past is gone at once. For Redis's DBSIZE and INFO it is there until a command asks for
//     it, or the collector meets it.
//   - Strings and plain sets are there in the least form, for set operations and so that wrong types are refused: SET, GET, SADD, SREM,
//     SMEMBERS, SCARD, SISMEMBER. Each is written whole with every change. There are no other types, no scripts, channels, replicas.
//   - A transaction is undone as a whole, and EXEC answers EXECABORT, if one of its commands fails for what only shows while it is done:
//     memory or disk are full, it changes more than engine.MaxTransaction, what it answers is larger than Options.MaxReply.
//   - CLIENT REPLY is refused between MULTI and EXEC.
//   - If one EXEC feeds several keys, who waits for more than one of them is served from the first in its own order. Redis goes by the
//     order in which they were fed.
//   - CLIENT KILL answers before the connection has ended. CLIENT LIST has 0 for the sizes of buffers that are not there. NO-EVICT and
//     NO-TOUCH are noted, and without effect.
//   - COMMAND has the commands of this server, in words of its own, and their arguments as one text.
//   - Requests and replies have 64 MiB at most, where Redis has 512, and members engine.MaxTransaction where there is a disk. Times to live
//     end with the year 9999.
//   - Sets of boards, and others with int64 scores, are read only, and nothing is put under a key of database 0 that begins with
//     "board/" or "board.": see engine.Reserved. FLUSHALL leaves what is there.
//   - SAVE and BGSAVE take a snapshot, which no reply waits for: what is durable, and when, is the engine's Options.Durability. There is
//     no eviction: with a disk sets leave memory for it; without, writes are refused above engine.Options.MemoryLimit.
//   - Users have a password, and all rights or those to read. There are no further ACLs.
//   - A line of a request ends at its end: Redis takes no notice of what stands behind a zero byte in one, and waits. Requests have at
//     most 1,048,576 words; one larger than Options.MaxRequest is answered with "Protocol error: too big request". Names that clients
//     give themselves have 1,024 bytes.
//   - Who waits for members gets those of a result that is stored over a plain value; Redis lets it wait on.
//   - Ranges by member of a set with unequal scores are those of Redis's listpack, in both encodings. Redis's skiplist answers the same
//     where members ascend with their scores. Where they do not, its answer may depend on the heights of its towers, which are random:
//     see package zset. Ours takes O(n) then, Redis's O(log n).
//
// # Limits
//
// The memory that clients make the server hold is counted (P4), and bounded by Options.ClientMemory for all of them together, as Redis
// maxmemory-clients: what has come of requests and their words, replies that are written or wait, commands after MULTI, watched keys, and what
// a command holds beside its reply: keys of KEYS, results of ZUNION, ZINTER and ZDIFF. What is announced and has not come does not count.
//
//   - When it is used up, the client that holds most is disconnected, and told why if it has been sent all its replies; INFO counts it as
//     evicted_clients. If none holds more than the one that asks, that one's request ends its connection, its large reply is an error, and
//     its small replies wait.
//   - What such a client holds counts until it has been given back. Meanwhile all hold a quarter more than ClientMemory at most. The memory of
//     the process grows by a quarter more than ClientMemory, or by up to twice as much where clients send whole requests of many MiB, which
//     are garbage afterwards.
//   - A request has Options.MaxRequest at most, and so have the commands between MULTI and EXEC together. Before a client has said who it
//     is, if it has to, requests have 10 words of 16 KiB.
//   - A reply that would be larger than Options.MaxReply is an error instead, and its command has changed nothing. If the number of its items
//     says so, it is refused before it is begun.
//   - Replies that the client's socket does not take wait in memory, Options.MaxPending of them, while its next commands are done:
//     so a client may send a pipeline of any length before it reads. Then its commands wait too.
//   - Replies above 256 KiB are written by as many clients at a time as there are processors, and one. Others wait for their turn, and
//     hold no key meanwhile. While a large reply is written, other clients are served after each 32 KiB.
//   - Options.SlowTimeout (60 s) ends clients that do not go on, and those that do not say who they are; Options.HandshakeTimeout (10 s) those
//     that make no handshake of TLS; Options.IdleTimeout those that do nothing. TCP keepalive, which Listen turns on, ends those whose
//     machine has gone.
//   - Over Options.MaxClients a client is told so and disconnected. A connection of TLS counts before its handshake.
//   - Wrong passwords are slow: see Users.
//
// # Where things are
//
//	server.go, listen.go, bind.go   the server, and how it comes to its clients
//	client.go, run.go               a client; its commands in transactions
//	transactions.go, watch.go       MULTI and EXEC; watched keys
//	blocking.go, waited.go, wait.go clients that wait: for members, for replicas
//	users.go, connection.go         who may do what; HELLO and others
//	client_*.go, command_*.go       CLIENT; COMMAND
//	memory.go, patience.go          what a client may hold, and how long it may take
//	authdelay.go                    how long a password waits
//	seldom.go                       what the log is told once a second at most
//	internal/wire, internal/flow    bytes to words and back; replies to clients that may be slow
//	internal/budget                 the memory of all clients, in blocks
//	command.go, table.go            what a command is, and which there are
//	txn.go, keyspace.go, plain.go   what commands see of a transaction: sorted sets; keys, whatever they hold; strings and plain sets
//	generic.go, expire.go, object.go, scan.go, dbsize.go, flush.go, strings.go, plain_set.go    commands on keys, strings, plain sets
//	server_commands.go, config.go, parameters.go, info.go, debug.go         commands on the server
//	boards.go, boards_*.go          the commands BOARD.*; ints.go, how rankings read as sorted sets
package resp
