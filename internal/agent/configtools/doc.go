// Package configtools is Kontor's own tools, of the group "config": with them an
// agent sees and changes how Kontor is set up. They run as calls do, so that what
// holds for a call, the policy, the approval, the row before it is sent, the card,
// holds for them.
//
// No tool takes the value of a secret from a model: the person types it.
package configtools
