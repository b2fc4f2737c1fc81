package engine

// Settings returns the options that the engine was made with. O(1).
func (e *Engine) Settings() Settings { return e.settings }

// SetListpack sets the thresholds above which sets move from a listpack to a skiplist, as Redis CONFIG SET
// zset-max-listpack-entries and zset-max-listpack-value: the most entries that a listpack holds, and the bytes of its longest
// member. 0 means 0, unlike in Options; see zset.Set.SetListpack. It may be called at any time, in a transaction too. From then on
// sets that a member is added to follow them, and those that are read from the disk, or stored whole, get the encoding that they call for;
// others stay as they are. O(1).
func (e *Engine) SetListpack(entries, member int) { e.keys.Limits.Set(entries, member) }

// Listpack returns the thresholds that SetListpack, or Options, have set, as Redis CONFIG GET; what is above 2^31-1 as that. O(1).
func (e *Engine) Listpack() (entries, member int) { return e.keys.Limits.Get() }
