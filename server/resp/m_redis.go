package resp

// redisVersion is the version of Redis whose replies the server's are, as clients ask for it.
const redisVersion = "7.2.0"
