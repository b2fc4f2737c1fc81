// Package servercmd has the commands on the server itself: INFO, CONFIG, SAVE, SHUTDOWN, DEBUG, WAIT and others.
//
// # Where things are
//
//	commands.go    Commands: the rows; LASTSAVE, SAVE, BGSAVE, SHUTDOWN, TIME, FUNCTION
//	config.go      CONFIG
//	parameters.go  the settings that CONFIG reads and changes
//	info.go        INFO
//	cpu_unix.go    the processor time of the process
//	cpu_other.go   the same where it is unknown
//	debug.go       DEBUG
//	wait.go        WAIT
//	server.go      the state that the commands share; Options
package servercmd
