/** `node apps/gateway/src/cli/export-unsigned.ts <file>`: exports what is to be signed on a machine without a network: transfers, and decisions that operators approved. */
import { writeFile } from 'node:fs/promises'
import { exportUnsigned } from '../outgoing/offline.ts'
import { runOffline } from './run-offline.ts'

await runOffline('export-unsigned.ts <file>', async (path, context) => {
  const { file, without } = await exportUnsigned(context, new Date())
  const { transfers, decisions } = file
  if (transfers.length + decisions.length === 0) return 'nothing is to be signed'
  // Never over another export: it may be the one that was carried to the signer.
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`, { flag: 'wx' })
  const said = `${transfers.length} transfers and ${decisions.length} lists of decisions are to be signed: ${path}`
  return without === null ? said : `${said}\n${without}`
})
