package main

import "syscall"

// bound ends a subprocess with this program, even one that is stopped, and however this program ends.
var bound = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
