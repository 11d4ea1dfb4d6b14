package scenario

// Traits are what the rules of a document need to know of a policy.
type Traits struct {
	ID    string // as results name it; a document may use an alias
	Racks bool   // it makes use of several racks
}

// traits finds them by an id or alias.
var traits = func(id string) Traits { return Traits{ID: id} }

// KnowPolicies hands in who knows the policies, this package does not: core/lab does so when a program begins. Without,
// ids stand as they are written and no policy has traits.
func KnowPolicies(find func(id string) Traits) { traits = find }
