/** `node apps/gateway/src/signer/cli/import-addresses.ts <file> [--audit-key hex]`: stores addresses that another machine derived. */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { connect } from '@aval/db/connect'
import { describeError } from '../../core/log.ts'
import { addressFile } from '../address-files.ts'
import { readImportEnvironment } from '../config.ts'
import { ImportRefusal, importAddresses } from '../import-addresses.ts'

async function run(): Promise<string> {
  const environment = readImportEnvironment()
  if (!environment.ok) throw new ImportRefusal(environment.problems.join('\n'))
  const { values, positionals } = parseArgs({
    options: { 'audit-key': { type: 'string' } },
    allowPositionals: true,
  })
  const [path] = positionals
  if (path === undefined)
    throw new ImportRefusal('which file? Name the one that `npm run keys -- addresses` wrote')
  const parsed = addressFile.safeParse(readJson(await readFile(path, 'utf8')))
  if (!parsed.success) throw new ImportRefusal(`${path} is no file of addresses, or a damaged one`)
  const connection = connect(environment.config, 1, 'aval signer, import')
  const key = values['audit-key'] ?? null
  const stored = await importAddresses(connection.db, parsed.data, key, new Date()).finally(connection.close)
  return stored === 0 ? 'all of them are there already' : `${stored} addresses are stored`
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

try {
  console.log(await run())
} catch (error) {
  console.error(describeError(error))
  process.exitCode = 1
}
