// Package resptest holds a server that speaks the Redis protocol against a real redis-server: the same commands to both, and
// every reply compared byte for byte.
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
//   - script: the steps that are played, in order, on a server that holds nothing before. It has a text: see Script.
//   - transcript: the replies to a script, each with the step after which it came. A blocked client's reply comes after
//     the step that fed it.
//   - difference: a pair of replies that is not the same, and that no row of the table of differences allows.
//
// # How a script is played
//
//   - R1: it is played on the reference first; the other peer is then given as much time as it wants to answer what
//     the reference has answered, and must answer nothing else.
//   - R2: steps that follow each other on one connection go out together, as a pipeline, as long as no client is blocked.
//   - R3: a blocking pop has been taken up by the server, blocked or answered, before the next step goes out. INFO's
//     blocked_clients tells. Steps of a connection that is blocked are left out.
//   - R4: no reply hangs on time: times to live are long or past, and what Redis does by chance is compared as the table
//     of differences says.
package resptest
