package secret

// permissionless says that file modes mean nothing on this system: the data
// folder lies in the user's profile, whose access list guards it.
const permissionless = true
