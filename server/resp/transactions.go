package resp

var transactionCommands = []command{}
