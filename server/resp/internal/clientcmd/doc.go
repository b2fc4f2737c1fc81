// Package clientcmd has the commands on connections and users, HELLO, AUTH, SELECT, CLIENT, ACL and others, and COMMAND, which describes
// all commands.
//
// # Where things are
//
//	connection.go   Commands: the rows; PING, ECHO, QUIT, RESET, SELECT, HELLO
//	acl.go          AUTH, ACL
//	client.go       CLIENT: names, library, settings, UNBLOCK
//	list.go         CLIENT LIST, CLIENT INFO
//	kill.go         CLIENT KILL
//	reply.go        CLIENT REPLY
//	commands.go     Introspection: COMMAND
//	describe.go     the description of a row of the table, for COMMAND
package clientcmd
