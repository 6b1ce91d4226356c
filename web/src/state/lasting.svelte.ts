/**
 * Makes an object whose `$derived` fields outlive the component that happens to ask for it first:
 * made while a component draws, they would go stale when it goes.
 */
export function lasting<T extends object>(make: () => T): T {
  let made: T | undefined
  $effect.root(() => {
    made = make()
  })
  if (!made) throw new Error('an effect root runs at once')
  return made
}
