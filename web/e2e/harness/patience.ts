/** How long to wait for what a person would see at once, on a busy machine: in milliseconds. */
export const patience = 20_000
