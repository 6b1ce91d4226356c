import { createContext } from 'svelte'
import type { App } from './app.svelte'

/** The one App, for every component below the root. */
export const [getApp, setApp] = createContext<App>()
