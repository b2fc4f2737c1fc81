package zset

// BeforeImageOf is a set as it was when the image was made, while the set changes. It keeps what changed members had and what they have now:
// the image is the set, less the entries that changed members have, with those that they had. So making one takes O(1), and each change of a
// member O(log changes). Whoever changes the set says which members have changed. Make one with SetOf.BeforeImage.
type BeforeImageOf[S Score] struct {
	view ViewOf[S]
	beforeImage
}

// The two kinds of before-images.
type (
	BeforeImage    = BeforeImageOf[float64]
	IntBeforeImage = BeforeImageOf[int64]
)

// BeforeImage makes an image of the set as it is now, or as it was before changes that are noted later. It is valid as long as all changes are
// noted. O(1).
func (s *SetOf[S]) BeforeImage() *BeforeImageOf[S] {
	l := *s.limits()
	var own rare
	if l.rare != nil {
		own = *l.rare
	}
	changed := l
	if changed.rare, changed.dense = nil, false; own.shape.LeafSize != 0 || own.shape.Height != nil {
		changed.rare = &rare{shape: own.shape}
	}
	b := &BeforeImageOf[S]{beforeImage: beforeImage{now: &s.core, had: core{rest: changed.empty()}, has: core{rest: changed.empty()}}}
	own.image = &b.beforeImage
	l.rare = &own
	b.view.rest = &rest{limits: l}
	return b
}

// View returns the set as it was. A reader may use it until the next change of the set; the first reader after changes must have seen Changed
// and Again for all of them. Reads cost as much as in the set and O(log n log changes) more for each rank; Distinct of d scores takes
// O(d log n log changes) even with DenseRanks, and AppendScan returns everything at once. O(1).
func (b *BeforeImageOf[S]) View() *ViewOf[S] { return &b.view }

// Changed notes that a member has changed for the first time since the image was made, and what it had before: a score and a tie, or nothing
// if had is false. The call comes after the change. O(log n). Errors: those of SetOf.AddTied.
func (b *BeforeImageOf[S]) Changed(member, tie []byte, score S, had bool) error {
	if had {
		if isNaN(score) {
			return ErrNaN
		}
		if len(tie) != int(b.had.limits().tieWidth) {
			return ErrTieWidth
		}
		if _, err := b.had.put(member, tie, keyOf(score), true, nil); err != nil {
			return err
		}
	}
	return b.Again(member)
}

// Again notes that a member for which Changed was called has changed once more. The call comes after the change. O(log n). Errors: those of
// SetOf.AddTied.
func (b *BeforeImageOf[S]) Again(member []byte) error {
	if h, ok := b.now.find(member); ok {
		key, tie := b.now.record(h)
		_, err := b.has.put(member, tie, key, true, nil)
		return err
	}
	if h, ok := b.has.find(member); ok {
		b.has.delete(h)
	}
	return nil
}
