/** `node apps/gateway/src/cli/import-signed.ts <file>`: stores signatures made on another machine. */
import { readFile } from 'node:fs/promises'
import { importSigned, OfflineRefusal } from '../outgoing/offline.ts'
import { signedFile } from '../signer/offline-files.ts'
import { runOffline } from './run-offline.ts'

await runOffline('import-signed.ts <file>', async (path, context) => {
  const parsed = signedFile.safeParse(readJson(await readFile(path, 'utf8')))
  if (!parsed.success) throw new OfflineRefusal(`${path} is no file of signatures`)
  return `${await importSigned(context, parsed.data, new Date())} signatures are stored`
})

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
