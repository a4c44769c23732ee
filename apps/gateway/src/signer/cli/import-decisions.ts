/** `node apps/gateway/src/signer/cli/import-decisions.ts <file>`: applies decisions that another machine verified. */
import { importDecisions } from '../import-decisions.ts'
import { signedFile } from '../offline-files.ts'
import { runImport } from './importing.ts'

await runImport({
  which: 'which file? Name the one that `npm run keys -- sign-offline` wrote',
  schema: signedFile,
  damaged: 'no file of signatures',
  async bring(db, { decisions }) {
    const imported = decisions === null ? [] : await importDecisions(db, decisions, new Date())
    if (imported.some(({ verdict }) => !verdict.startsWith('accepted'))) process.exitCode = 1
    const lines = imported.map(
      ({ approval, operator, verdict }) =>
        `approval ${approval} of operator ${operator}: ${verdict.replaceAll('_', ' ')}`,
    )
    return [`${lines.length} approvals of decisions are in it`, ...lines].join('\n')
  },
})
