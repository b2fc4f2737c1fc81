// Package resptest compares a server that speaks the Redis protocol with a real redis-server: it sends the same commands to both, and compares
// every reply byte for byte.
//
//	redis := resptest.Redis(t)                  // a redis-server of the test's own, or the test is skipped
//	zrank := resptest.At("tcp", listener.Addr().String())
//	report := resptest.Differ(t, redis, zrank, resptest.Run{Seed: 1, Commands: 5000})
//
// It is for tests: nothing else imports it.
//
// # Terminology
//
//   - peer: a server to talk to.
//   - step: one command on one of a few connections.
//   - script: steps that are played in order on an empty server. It has a text: see Script.
//   - transcript: the replies to a script, each with the step after which it came. A blocked client's reply comes after the step that fed it.
//   - difference: a pair of replies that is not the same, and that no row of the table of differences allows.
//
// # How a script is played
//
//   - R1: it is played on the reference first. The other peer must then send the replies of the reference, each within ReplyTimeout, and
//     nothing else.
//   - R2: consecutive steps on one connection are sent together, as a pipeline, as long as no client is blocked.
//   - R3: the next step is sent after the peer has taken up a blocking pop, blocked or answered; INFO's blocked_clients shows it. Steps of a
//     connection that is blocked are left out.
//   - R4: no reply depends on time: times to live are long or past. The table of differences allows for replies that Redis draws at random.
//
// # Where things are
//
//	peer.go          Peer: a server
//	redis.go         Redis: a redis-server for a test
//	conn.go          a connection to a peer
//	reply.go         Reply, Value: a reply as bytes and parsed
//	script.go        Script, Step: their text
//	play.go          Player: plays scripts on a peer
//	differ.go        Differ: random scripts on two peers
//	compare.go       two transcripts
//	differences.go   the table of allowed differences
//	shrink.go        a smaller script that differs too
//	generate.go      random scripts
//	commands.go      random commands on sorted sets
//	command.go       command: a row of a table of commands
//	generator.go     generator: the random source of a script
//	keyspace.go      random commands on keys and settings
//	dumps.go         random dumps for RESTORE; dumps compared
//	walking.go       random ranges by member with deterministic replies
//	vocabulary.go    the words of random commands
//	tame.go          changes to random commands whose replies could not be compared
//	scan.go          whole walks of SCAN
//	recording.go     recorded replies
//	raw.go           bytes that are nearly requests
package resptest
