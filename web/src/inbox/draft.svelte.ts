/** Words for an item while they are typed. */
export class WordsDraft {
  text = $state('')
  /** The field is open, where it is one that opens. */
  open = $state(false)
}
