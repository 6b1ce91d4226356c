//go:build !windows

package secret

// permissionless says that file modes mean nothing on this system.
const permissionless = false
