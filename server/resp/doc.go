// Package resp speaks the Redis protocol in front of an engine, so that redis-cli, Redis clients of any language and a team's Redis
// code for sorted sets work on live sets and boards. A program that has an engine mounts it in two lines:
//
//	s, err := resp.New(e, resp.Options{})
//	addr, err := s.Listen("127.0.0.1:6379")
//	defer s.Close()
//
// # Terminology
//
//   - command: an operation that clients can request, and its row in the table of commands.
//   - request: the words of one command as a client has sent them; the first is the command's name.
//   - key: the name by which a client uses a sorted set, a plain set or a string. In database 0 it is the key of the engine's set; see
//     Databases.
//   - plain: of a value, that it is a string or a plain set, and not a sorted set.
//   - run: commands of one client's pipeline that share a transaction.
//   - reply: the answer to a request, in RESP2 or RESP3.
//
// # What it promises
//
//   - P1: the server executes each command whole or not at all, and so the commands between MULTI and EXEC. It executes and answers a
//     client's commands in the order in which the client has sent them.
//   - P2: it sends no reply before the writes that the reply depends on are as durable as the engine's Options.Durability demands.
//   - P3: replies are Redis's, byte for byte, but for the differences that are listed below.
//   - P4: the memory that a client makes the server hold is bounded, whether the client reads its replies or not. A client delays others
//     by the time of one of its commands at most.
//   - P5: without a password the server listens only where this machine alone can reach it.
//
// # Databases
//
// A client begins in database 0, where keys are the engine's own keys, so that a Go program and its clients share sets by name. The
// others are for code that uses SELECT: a key of database n is the engine's key "\x00", the byte n, the key. In database 0 a key that begins
// with a zero byte is kept with "\x00\x00" before it.
//
// # Keys
//
// Commands on keys take values of any kind: sorted sets, plain sets and strings. They show sets with int64 scores, of boards or of the
// program, and change none: a command that would change one is answered with READONLY, and changes nothing. The same holds for keys that
// belong to boards, whatever their values; RENAME and COPY may take a value that is not a board's from there to another key.
//
//   - FLUSHDB and FLUSHALL leave all these sets, and the program's private keys. By themselves they make a commit for every thousand keys.
//     Between MULTI and EXEC they are part of its one commit, as are KEYS, SCAN, RANDOMKEY and DBSIZE; with more than engine.MaxKeys keys
//     EXEC is refused. Keys that others create after EXEC has listed them and before it locks them are not among them.
//   - SCAN returns a key at least once if it exists, with a value of the same kind, from the beginning to the end of the walk. Between
//     MULTI and EXEC it answers all keys at once.
//   - The time of DBSIZE does not grow with the number of sorted sets, until a client uses another database than 0. Expired sorted sets
//     count until the engine has dropped them.
//   - A key whose expiry is after the year 9999 expires at the end of that year.
//   - A transaction loads a sorted set from the disk before it changes it: DEL does, FLUSHALL does not.
//   - OBJECT IDLETIME is 0 and OBJECT FREQ is refused: the server counts neither. MEMORY USAGE is this server's, not Redis's.
//
// # Strings and plain sets
//
// have few commands: SET, GET and STRLEN; SADD, SREM, SMEMBERS, SCARD and SISMEMBER. They exist so that set operations take plain sets, with
// score 1, and so that commands refuse other kinds with WRONGTYPE where Redis does. Each value is one private key of the engine, which is
// written whole with every change, and has at most 16 MiB: plain sets are for few members. SMEMBERS answers integers in their order, as Redis
// does for an intset, and other members in the order in which they were added. In an engine in memory only, MemoryLimit counts them too.
//
// # Boards
//
// Clients may read each ranking of the boards in Options.Boards, a period or a baseline, as a sorted set. Its key is
// board/<name>/<window>/<period>/v<version>; BOARD.INFO and BOARD.PERIODS answer it. Its scores are the first column as it was
// submitted, so where more is better ZREVRANGE 0 9 is the top ten, and in a race ZRANGE 0 9. As in Redis scores are float64: an int64
// beyond 2^53 may lose its last digits. A ranking has no ranges by member, and only the program and the commands BOARD.* and GROUP.* change it. The
// commands BOARD.*, GROUP.* and UNION.* answer what boards know, exactly. Most are made from the table of package ops: docs/operations.md has them with
// their words, COMMAND DOCS too. These are of this server alone:
//
//	BOARD.INFO [name]
//	BOARD.LIST
//	BOARD.MOVE name TO|FROM url [PREFIX text] [PARTITIONS n] [REPLICAS n] [PARTIAL] [ABORT]
//	BOARD.FEED position|0|$ [COUNT n] [BLOCK milliseconds] [BOARD name] [WINDOW window] [MEMBER member] [KIND kind]
//	GROUP.JOIN kind member group [member group ...]
//
// A reply has at most 10,000 rows, of rankings, journals, logs and lists. A request for more is refused before any is read; without COUNT there are so many, and AFTER,
// of the feed the position, goes on behind them. BOARD.AROUND counts n rows on each side, and GROUP.AMONG all members of the group.
//
// A kind of groups is guilds or countries; a member is in one group of each kind at most. Boards whose specs have Derived rank the groups, and follow these commands.
// GROUP.JOIN takes 256 members at most, who join all or not at all. GROUP.AMONG answers the rank among the members of the group beside each row. GROUP.OF answers
// null for a member that is in no group. GROUP.RENAME belongs to BOARD.RENAME: each changes its own part, in either order.
//
// BOARD.FEED answers the events behind a position, 0 for the oldest that is there, $ for the end, 100 at most unless COUNT says another number, up to 5,000. With BLOCK it waits for the
// first, 0 milliseconds for ever, and answers null in time. The last four words may be there several times. It is for users who may moderate.
//
// Without PERIOD they answer for the live period. With ASOF they answer for the ranking as it was at a time, of the period that contains it, or after a row of the
// journal of the board: see board.Board.AsOf. Each such reply copies the ranking. A row is an array: the rank from 1, the member, each column of the score, and after META
// the metadata. BOARD.CLAIM without an id answers what the member can claim.
// Moderators change what a board keeps of a member by the commands from BOARD.BAN on. Each adds an entry with the name of the user to the audit log, and
// answers the number of that entry and how many places have changed; BOARD.AUDIT with that number answers these places, and DRYRUN those that would
// change. A change of closed periods that is not done when the server closes goes on when it starts again: BOARD.JOBS shows it. Clients may read other sets with int64 scores that the program has made, and not change them either.
//
// # Transactions
//
// EXEC executes the commands after MULTI in one transaction of the engine, over their keys and the watched ones. WATCH notices every change
// by a client, the Go program or a board, but for a set that the program creates under an empty key and drops again before EXEC.
// BOARD.*, GROUP.*, MIGRATE, SAVE, SHUTDOWN, DEBUG and CLIENT REPLY cannot be part of a transaction.
//
// # Waiting
//
// BZPOPMIN, BZPOPMAX and BZMPOP share one queue with the program's calls of engine.PopMinWait: first come, first served, at the end of the
// command or EXEC that feeds a key. A client that disconnects leaves the queue at once; an entry that was popped for it at that moment is
// lost, as in Redis. The server disconnects a client that sends more than 1 MiB while it waits. When the server closes, it answers waiting
// clients UNBLOCKED, and disconnects them.
//
// There are no replicas: WAIT for one waits until its timeout, with timeout 0 for ever. CLIENT UNBLOCK ends it.
//
// # Users
//
// With Options.Users a client must authenticate, by AUTH or HELLO, before any other command. User.Kind says which commands a user may
// run; the server answers NOPERM to others.
//
//	ReadUser      reads keys and boards
//	WriteUser     also changes keys, submits to boards, claims awards, removes members from open periods, changes groups
//	ModerateUser  also changes what boards keep of a member, and reads audit logs, which tell the user's name
//	AnyCommand    also changes settings, takes snapshots, ends other clients, lists clients and users, and sends keys to other servers (MIGRATE)
//
// ACL LIST and COMMAND INFO have the category @moderation beside those of Redis. A check of a wrong password takes as long as that of a right
// one. No command changes users.
//
// An IP address, of IPv6 its first 64 bits, may send ten wrong passwords, and one a second after that. Beyond these the server delays the check
// of an AUTH or HELLO from there, by 5 s at most, and those that have no turn by then are refused without a look at the password: all its
// connections together try one password a second. All clients of Unix sockets, and all clients behind one proxy, are one address.
// Authenticated clients do not wait.
//
// # Differences to Redis
//
// Replies are those of Redis 7.0.15, with ZRANK WITHSCORE of 7.2, whose errors and COMMAND's description those of ZRANK and ZREVRANK are,
// and AGGREGATE COUNT of 8.8; HELLO and INFO say 7.2.0. Other than there:
//
//   - Scores are written as by Redis 7.2, in the shortest digits that read back as the same; Options.Scores asks for those of 7.0.
//   - There is one zero: -0 is 0. Redis keeps its sign in a skiplist.
//   - Where Redis has no order, or draws at random, this server's order and draws differ: KEYS, SCAN, ZSCAN, SMEMBERS, RANDOMKEY,
//     ZRANDMEMBER. A cursor of SCAN or ZSCAN that the server has not made may return nothing, where Redis returns a part of its hash table.
//   - A string that SET makes with an expiry that is past is gone at once. Redis's DBSIZE and INFO count it until a command reads it, or the
//     collector finds it.
//   - A listpack has at most 8 MiB of members, whatever zset-max-listpack-entries and -value say: OBJECT ENCODING answers skiplist from there on.
//   - RESTORE takes dumps of versions up to 12, and refuses damage that Redis without sanitize-dump-payload does not notice, such as a member twice in a listpack.
//     DUMP of a plain set that is no intset has its members in another order. MIGRATE does not block the server: a key that changes while it is moved is sent again,
//     up to five times, and then stays on both sides. It is refused between MULTI and EXEC.
//   - Strings and plain sets have few commands: see above. There are no other types, no scripts, channels, replicas.
//   - A transaction is undone as a whole, and EXEC answers EXECABORT, if one of its commands fails for a reason that only shows while it runs:
//     memory or disk are full, it changes more than engine.MaxTransaction, its reply is larger than Options.MaxReply.
//   - CLIENT REPLY is refused between MULTI and EXEC.
//   - If one EXEC feeds several keys, a client that waits for more than one of them is served from the first in its own order. Redis goes by
//     the order in which they were fed.
//   - CLIENT KILL answers before the connection has ended. CLIENT LIST has 0 for the sizes of buffers that this server lacks. NO-EVICT and
//     NO-TOUCH are accepted, and have no effect.
//   - COMMAND describes the commands of this server, in texts of its own, and their arguments as one text.
//   - Requests and replies have 64 MiB at most, where Redis has 512, and members engine.MaxTransaction where there is a disk. Times to live
//     end with the year 9999.
//   - Sets of boards, and others with int64 scores, are read only, and clients store nothing under a key of database 0 that begins with
//     "board/" or "board.": see engine.Reserved. FLUSHALL leaves these keys.
//   - SAVE and BGSAVE take a snapshot. Durability does not depend on it, but on the engine's Options.Durability. An engine in memory refuses them.
//   - No value is deleted to free memory: maxmemory-policy is noeviction. An engine with a disk evicts sets from memory when they exceed
//     engine.Options.MemoryLimit, and loads them again when they are used. An engine in memory only refuses writes above that limit.
//   - A user has a password and a kind: see Users. There are no further ACLs.
//   - A zero byte does not end a line of a request: Redis ignores the rest of such a line, and waits. A request has at most 1,048,576 words;
//     one larger than Options.MaxRequest is answered with "Protocol error: too big request". The name of a client has at most 1,024 bytes.
//   - A client that waits for members gets those of a result that is stored over a plain value; Redis lets it wait on.
//   - Ranges by member of a set with unequal scores are those of Redis's listpack, in both encodings. Redis's skiplist answers the same
//     where members ascend with their scores. Where they do not, its answer may depend on the heights of its towers, which are random:
//     see package zset. This server takes O(n) then, Redis O(log n).
//
// # Limits
//
// The server counts the memory that clients make it hold (P4), and Options.ClientMemory bounds it for all of them together, as Redis
// maxmemory-clients: the bytes of requests that have arrived and their words, replies that are written or wait, commands after MULTI, watched
// keys, and the memory of a command beside its reply: keys of KEYS, results of ZUNION, ZINTER and ZDIFF. Announced bytes that have not
// arrived do not count.
//
//   - When the budget is used up, the server disconnects the client that holds most. It tells that client why, if all earlier replies have
//     been sent; INFO counts it as evicted_clients. If no client holds more than the one that asks, its request ends its connection, its
//     large reply becomes an error, and its small replies wait.
//   - The memory of an evicted client counts until the client has given it back. Meanwhile all clients hold a quarter more than ClientMemory at
//     most. The memory of the process grows by a quarter more than ClientMemory, or by up to twice as much where clients send whole requests
//     of many MiB, which are garbage afterwards.
//   - A request has at most Options.MaxRequest bytes, and so have the commands between MULTI and EXEC together. A request of an
//     unauthenticated client has at most 10 words of 16 KiB.
//   - A reply that would be larger than Options.MaxReply becomes an error, and its command has changed nothing. If the number of its items
//     exceeds the limit, the command does not begin.
//   - Replies that the client's socket does not take wait in memory, up to Options.MaxPending bytes, while its next commands are executed:
//     so a client may send a pipeline of any length before it reads. Above that its commands wait too.
//   - As many clients as there are processors, and one, write a reply above 256 KiB at a time. Others wait for their turn, and lock no key
//     meanwhile. While a large reply is written, other clients are served after each 32 KiB.
//   - Options.SlowTimeout (60 s) ends clients that do not finish a request, take no replies, or do not authenticate;
//     Options.HandshakeTimeout (10 s) those that do not finish the handshake of TLS; Options.IdleTimeout those that send nothing. TCP
//     keepalive, which Listen turns on, ends connections whose other end is gone.
//   - Over Options.MaxClients a new client gets an error and is disconnected. A connection of TLS counts before its handshake.
//   - Wrong passwords are delayed: see Users.
//
// # Where things are
//
// This package is the interface for programs. Its files combine the packages below it:
//
//	options.go   Options, User, Validate
//	errors.go    ErrClosed, ErrNoPassword
//	bind.go      Options.Bind, and why a server refuses an address
//	server.go    Server, New, and the list of all commands
//	listen.go    Listen, Serve, Close
//
// The packages, from the top down; imports point down only:
//
//	internal/dispatch     executes the requests of a client in order
//	internal/zsetcmd      the commands on sorted sets
//	internal/keycmd       the commands on keys of any kind
//	internal/dumpcmd      DUMP, RESTORE, MIGRATE
//	internal/plaincmd     the commands on strings and plain sets
//	internal/boardcmd     the commands BOARD.* and GROUP.*
//	internal/txcmd        MULTI, EXEC, WATCH
//	internal/clientcmd    HELLO, AUTH, CLIENT, COMMAND
//	internal/servercmd    INFO, CONFIG, SAVE, DEBUG, WAIT
//	internal/session      clients as commands use them, with their transactions, queues, memory and waits; the type of commands
//	internal/keyspace     databases, keys, and the kinds of values, over the engine
//	internal/command      flags, words and refusals of commands
//	internal/conn         a client's connection: reader, sender, read deadline, handshake
//	internal/listen       addresses and listeners
//	internal/auth         users, and the delay of wrong passwords
//	internal/wire         bytes to words and back
//	internal/flow         replies to clients that may be slow
//	internal/budget       the memory of all clients, in blocks
//
// rdbfile imports and exports the keys of an engine as files of Redis. internal/sessiontest runs commands in tests. Package internal/resptest of the module compares the server with Redis.
package resp
