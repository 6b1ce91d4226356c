/** Lets the keyboard reach a box that scrolls by itself, and pass by one that doesn't: {@attach scrollable}. */
export function scrollable(box: HTMLElement): () => void {
  const look = () => {
    const scrolls = box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1
    if (scrolls) box.tabIndex = 0
    else box.removeAttribute('tabindex')
  }
  const sizes = new ResizeObserver(look)
  sizes.observe(box)
  const content = new MutationObserver(look)
  content.observe(box, { childList: true, subtree: true, characterData: true })
  look()
  return () => {
    sizes.disconnect()
    content.disconnect()
  }
}
