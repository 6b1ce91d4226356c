// How a sub-agent's state looks: a shape, a word, then a colour.
import CircleCheck from '@lucide/svelte/icons/circle-check'
import CircleMinus from '@lucide/svelte/icons/circle-minus'
import CircleX from '@lucide/svelte/icons/circle-x'
import LoaderCircle from '@lucide/svelte/icons/loader-circle'
import type { Frame } from '../lib/wire'
import type { StateLook } from '../ui/states'

export const frameLooks: Record<Frame['state'], StateLook> = {
  open: { word: 'at work', tone: 'run', icon: LoaderCircle, spin: true },
  done: { word: 'done', tone: 'good', icon: CircleCheck },
  failed: { word: 'failed', tone: 'bad', icon: CircleX },
  stopped: { word: 'stopped', tone: 'idle', icon: CircleMinus },
}
