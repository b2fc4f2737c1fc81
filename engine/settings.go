package engine

// Settings returns the options that the engine was made with. O(1).
func (e *Engine) Settings() Settings { return e.settings }

// SetListpack sets the thresholds above which sets move from a listpack to a skiplist, as Redis CONFIG SET zset-max-listpack-entries and
// zset-max-listpack-value: the maximum number of entries of a listpack, and the length of its longest member in bytes. 0 means 0, unlike in
// Options; see zset.Set.SetListpack. It may be called at any time, in a transaction too. The thresholds apply to a set when a member is
// added to it, when it is read from the disk, and when it is stored whole; other sets stay as they are. O(1).
func (e *Engine) SetListpack(entries, member int) { e.keys.Limits.Set(entries, member) }

// Listpack returns the thresholds that SetListpack or Options have set, each at most 2^31-1, as Redis CONFIG GET. O(1).
func (e *Engine) Listpack() (entries, member int) { return e.keys.Limits.Get() }
