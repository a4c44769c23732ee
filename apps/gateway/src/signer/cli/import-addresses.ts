/** `node apps/gateway/src/signer/cli/import-addresses.ts <file> [--audit-key hex]`: stores addresses that another machine derived. */
import { addressFile } from '../address-files.ts'
import { importAddresses } from '../import-addresses.ts'
import { runImport } from './importing.ts'

await runImport({
  which: 'which file? Name the one that `npm run keys -- addresses` wrote',
  schema: addressFile,
  damaged: 'no file of addresses',
  async bring(db, file, auditKey) {
    const stored = await importAddresses(db, file, auditKey, new Date())
    return stored === 0 ? 'all of them are there already' : `${stored} addresses are stored`
  },
})
