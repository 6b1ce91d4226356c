import type { Component } from 'svelte'
import About from './About.svelte'
import Access from './Access.svelte'
import Appearance from './Appearance.svelte'
import Models from './Models.svelte'
import Policies from './Policies.svelte'
import Secrets from './Secrets.svelte'

export interface SettingsSection {
  id: string
  label: string
  component: Component
}

/** The parts of the settings, in the order of their list. The first one is shown at /settings. */
export const sections: [SettingsSection, ...SettingsSection[]] = [
  { id: 'models', label: 'Models', component: Models },
  { id: 'access', label: 'Access', component: Access },
  { id: 'secrets', label: 'Secrets', component: Secrets },
  { id: 'policies', label: 'Policies', component: Policies },
  { id: 'appearance', label: 'Appearance', component: Appearance },
  { id: 'about', label: 'About', component: About },
]
