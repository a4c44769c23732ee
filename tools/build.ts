/** `npm run build`: builds the web app and the approvals page, for a release that runs where it cannot write. */
import { lineOf } from './core/refusal.ts'
import { continueWithOwnNode } from './runtime.ts'
import { ensureWebBuild } from './supervisor/web-build.ts'

continueWithOwnNode()
try {
  await ensureWebBuild()
} catch (error) {
  console.error(lineOf(error))
  process.exitCode = 1
}
