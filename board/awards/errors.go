package awards

import "errors"

var (
	// ErrPlan is returned for an impossible plan.
	ErrPlan = errors.New("board: impossible plan of awards")
	// ErrNoAward is returned when there is no award with the id asked for, or a period has none.
	ErrNoAward = errors.New("board: no such award")
	// ErrNotYours is returned when a member claims the award of another.
	ErrNotYours = errors.New("board: the award is another member's")
	// ErrGranted is returned for an award that has been delivered or claimed.
	ErrGranted = errors.New("board: the award has been granted")
	// ErrWithheld is returned for an award that is withheld.
	ErrWithheld = errors.New("board: the award is withheld")
	// ErrExpired is returned for an award that can be claimed no more.
	ErrExpired = errors.New("board: the award has expired")
	// ErrSettling is returned while the awards of a period are being settled again.
	ErrSettling = errors.New("board: the awards of the period are not settled yet")
	// ErrUndelivered is returned by Migrate when it would remove a window with awards that wait.
	ErrUndelivered = errors.New("board: awards have not been delivered")
)
