/** `node apps/gateway/src/cli/export-unsigned.ts <file>`: exports the transfers to sign on a machine without a network. */
import { writeFile } from 'node:fs/promises'
import { exportUnsigned } from '../outgoing/offline.ts'
import { runOffline } from './run-offline.ts'

await runOffline('export-unsigned.ts <file>', async (path, context) => {
  const file = await exportUnsigned(context, new Date())
  if (file.transfers.length === 0) return 'nothing is to be signed'
  // Never over another export: it may be the one that was carried to the signer.
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`, { flag: 'wx' })
  return `${file.transfers.length} transfers are to be signed: ${path}`
})
