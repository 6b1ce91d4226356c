/** Where a resource is read or a prompt is rendered: both are on the Tools page. */
export function offerHref(server: string, offer: { uri: string } | { prompt: string }): string {
  const list = 'uri' in offer ? 'resources' : 'prompts'
  return `/tools?${new URLSearchParams({ list, server, ...offer }).toString()}`
}
