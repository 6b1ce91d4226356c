// What a model sees of the pictures that go along. internal/agent/attach.go decides; here
// it is said beforehand.
import type { LanguageModel, Media } from '../lib/wire'

/** As much of a file as decides whether a model sees it. */
export type Looked = Pick<Media, 'mime_type' | 'size'>

const shown = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const largestShown = 3_750_000

export function isPicture({ mime_type }: Pick<Media, 'mime_type'>): boolean {
  return mime_type.startsWith('image/')
}

/** Why the model won't see a picture, as a sentence; "" when it will, or when that isn't known. */
export function unseen(
  picture: Looked,
  kind: 'media' | 'resource',
  model: Pick<LanguageModel, 'name' | 'images'> | undefined,
): string {
  if (!isPicture(picture)) return ''
  if (kind === 'resource') return 'A picture of a resource is not shown to models.'
  if (!shown.includes(picture.mime_type))
    return `Models are not shown pictures of the type ${picture.mime_type}.`
  if (picture.size > largestShown) return 'The picture is over 3.75 MB, too large to be shown to models.'
  return model && !model.images ? notSetUp(model) : ''
}

/** The one reason that a switch in the settings changes. */
export function notSetUp({ name }: Pick<LanguageModel, 'name'>): string {
  return `${name} is not set up to see pictures.`
}

/** What a model gets in place of a picture. */
export const instead = 'Sent instead: its name, type and size.'
