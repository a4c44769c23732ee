/** `node apps/gateway/src/cli/export-unsigned.ts <file>`: writes what is to be signed on a machine without a network. */
import { writeFile } from 'node:fs/promises'
import { exportUnsigned } from '../outgoing/offline.ts'
import { withOffline } from './offline-parts.ts'

await withOffline('export-unsigned.ts <file>', async (path, parts) => {
  const file = await exportUnsigned(parts, new Date())
  if (file.payments.length === 0) return 'nothing is to be signed'
  // Never over another export: it may be the one that was carried to the signer.
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`, { flag: 'wx' })
  return `${file.payments.length} payments are to be signed: ${path}`
})
