// Package season plays a game season with players who do not exist: a stream of match results that looks like a real
// game's, always the same for the same seed.
//
// The game has three boards. "arena" is points won in a match, to be summed. "speedrun" is a time in seconds, with
// milliseconds, where the lowest counts. "ladder" is the player's rating after a match, where the last counts.
//
// A few players play all day and most play seldom. Each has a talent, favourite hours, and a week: some play mostly on
// weekends, some mostly between them. Some join late and some give up. Players get better with time.
//
// # Where things are
//
//	season.go   Season: the stream of results
//	config.go   Config, with its defaults and limits
//	players.go  players: talent, hours, weeks
//	match.go    the results of one match
//	names.go    names of players
package season
