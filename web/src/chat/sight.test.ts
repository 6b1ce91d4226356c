import { expect, it } from 'vitest'
import { unseen } from './sight'

const sees = { name: 'Eyes', images: true }
const blind = { name: 'Words', images: false }

it.each([
  ['image/png', 1000, 'media', sees, ''],
  ['image/png', 1000, 'media', undefined, ''],
  ['image/png', 1000, 'media', blind, 'Words is not set up to see pictures.'],
  ['image/webp', 3_750_000, 'media', sees, ''],
  ['image/webp', 3_750_001, 'media', sees, 'The picture is over 3.75 MB, too large to be shown to models.'],
  ['image/svg+xml', 1000, 'media', sees, 'Models are not shown pictures of the type image/svg+xml.'],
  ['image/png', 1000, 'resource', sees, 'A picture of a resource is not shown to models.'],
  ['image/png', 1000, 'resource', blind, 'A picture of a resource is not shown to models.'],
  ['text/plain', 1000, 'media', blind, ''],
] as const)('%s of %i bytes, as %s, for %o: %j', (mime_type, size, kind, model, want) => {
  expect(unseen({ mime_type, size }, kind, model)).toBe(want)
})
