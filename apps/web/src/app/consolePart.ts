import { part } from './i18n.ts'

/** The operators' side, with all its texts. What it is made of is named in a file of its own: the list of files alone is half a kB. */
export const ConsoleApp = part(async () => (await import('./console/loadConsole.ts')).loadConsole())
