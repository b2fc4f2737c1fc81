package processes

// Pid is the number of the process that runs the engine.
func (m *process) Pid() int { return m.cmd.Process.Pid }
