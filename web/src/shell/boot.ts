import type { Boot } from '../lib/wire'

/** What the server's shell says in the script element #boot; defaults without it (`npm run dev`). */
export function readBoot(document: Document): Boot {
  const text = document.getElementById('boot')?.textContent
  if (text) return JSON.parse(text) as Boot
  return { version: '', theme: 'system', key: { state: 'ok', message: '', unreadable: [] } }
}
