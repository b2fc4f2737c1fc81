package board

import "github.com/zrankdb/zrank/engine"

// Drop deletes a board, by one commit: with all its periods, baselines and metadata, which are cleared away before it returns, or after
// a crash when the boards are opened again, or a board of the same name is defined. O(sets + metadata). Errors: ErrNoBoard, ErrClosed,
// those of the engine: the board is there then, but for what Engine.Update says of ErrStalled and ErrPersistence.
func (bs *Boards) Drop(name string) error {
	if err := bs.outside(); err != nil {
		return err
	}
	bs.defining.Lock()
	defer bs.defining.Unlock()
	b, err := bs.Board(name)
	if err != nil {
		return err
	}
	defer b.freeze()()
	st, err := b.now()
	if err != nil {
		return err
	}
	err = bs.own.Update(nil, func(tx *engine.Tx) error {
		if err := tx.Put(goneKey(name, "", ""), nil); err != nil {
			return err
		}
		return tx.Delete(specKey(name))
	})
	if err != nil {
		if spec, cannot := bs.stored(specKey(name)); cannot != nil || spec != nil {
			return err
		}
	}
	b.dropped.Store(true)
	bs.remove(b)
	if err := bs.clear(name, "", "", st.keys()...); err != nil {
		bs.log.Error("board: what is left of a board that was dropped stays for now", "board", name, "err", err)
	}
	return err
}

// keys returns the keys of the sets that submissions may be about to make.
func (st *state) keys() []string {
	keys := []string{st.once}
	for _, s := range st.spans {
		keys = append(keys, s.keys()...)
	}
	return keys
}

func (s *span) keys() []string {
	keys := []string{s.best}
	for _, x := range s.slots() {
		keys = append(keys, x.key)
	}
	return keys
}
