import { part } from './i18n.ts'

/** The operators' side, with all its texts. */
export const ConsoleApp = part(async () => {
  const [{ ConsoleApp }, { loadConsoleTexts }] = await Promise.all([
    import('./console/ConsoleApp.tsx'),
    import('./console/consoleTexts.ts'),
  ])
  await loadConsoleTexts()
  return ConsoleApp
})
