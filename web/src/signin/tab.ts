// The script of the page that a sign-in ends on, in a tab of its own.
import { closeSoon } from './closing'

closeSoon(document, () => window.close())
