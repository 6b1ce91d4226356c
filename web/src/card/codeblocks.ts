import { mount, unmount } from 'svelte'
import Copy from '../ui/Copy.svelte'
import { scrollable } from './scroll'

/** Gives the code blocks of rendered Markdown a button that copies, and lets the keyboard scroll them. */
export function codeBlocks(box: HTMLElement): () => void {
  const ends = [...box.querySelectorAll<HTMLElement>('.code-frame')].map((frame) => {
    const block = frame.querySelector('pre') as HTMLElement
    const text = () => block.textContent.replace(/\n$/, '')
    const target = frame.querySelector('.code-head') as HTMLElement
    const copy = mount(Copy, { target, props: { text, label: 'Copy the code' } })
    const still = scrollable(block)
    return () => {
      still()
      void unmount(copy)
    }
  })
  return () => {
    for (const end of ends) end()
  }
}
