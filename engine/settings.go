package engine

// Settings are those options of an engine that others ask for.
type Settings struct {
	Stored      bool       // it has a directory; otherwise it is in memory only
	Durability  Durability // of every commit, if it is stored
	MemoryLimit int64      // Options.MemoryLimit, in bytes; 0: there is none
	MaxSets     int        // Options.MaxSets; 0: any number
}

// Settings returns the options that the engine was made with. O(1).
func (e *Engine) Settings() Settings { return e.settings }
