package routes

import "iter"

// page returns the first n elements of a sequence, and whether there are more.
func page[A any](r *Router, n int, all iter.Seq2[A, error]) (list []A, more bool, err error) {
	if err := r.rows(n); err != nil {
		return nil, false, err
	}
	list = []A{}
	for x, err := range all {
		if err != nil {
			return nil, false, err
		}
		if len(list) >= n {
			return list, true, nil
		}
		list = append(list, x)
	}
	return list, false, nil
}

// behind returns a sequence without its first n elements; an error is no element.
func behind[A any](n int, all iter.Seq2[A, error]) iter.Seq2[A, error] {
	return func(yield func(A, error) bool) {
		i := 0
		for x, err := range all {
			if i++; (err != nil || i > n) && !yield(x, err) {
				return
			}
		}
	}
}
