package bench

import "syscall"

// endWithParent ends a subprocess with this program, even one that is stopped, and however this program ends.
var endWithParent = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
