import { loadConsoleTexts } from './consoleTexts.ts'

/** The console and its texts, side by side. */
export async function loadConsole() {
  const [{ ConsoleApp }] = await Promise.all([import('./ConsoleApp.tsx'), loadConsoleTexts()])
  return ConsoleApp
}
