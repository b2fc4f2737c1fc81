package command

// RedisVersion is the version of Redis that HELLO and INFO name.
const RedisVersion = "7.2.0"
