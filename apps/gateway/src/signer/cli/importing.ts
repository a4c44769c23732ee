/** Runs a command that brings a file to the database from the machine with the keys, by the signer's own role and without its keys. */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { connect, type Database } from '@aval/db/connect'
import type { z } from 'zod'
import { describeError } from '../../core/log.ts'
import { readImportEnvironment } from '../config.ts'
import { ImportRefusal } from '../import-addresses.ts'

interface Import<File> {
  /** "which file? Name …" */
  readonly which: string
  readonly schema: z.ZodType<File>
  /** "no file of addresses" */
  readonly damaged: string
  /** What is said at the end. */
  readonly bring: (db: Database, file: File, auditKey: string | null) => Promise<string>
}

export async function runImport<File>(wanted: Import<File>): Promise<void> {
  try {
    console.log(await run(wanted))
  } catch (error) {
    console.error(describeError(error))
    process.exitCode = 1
  }
}

async function run<File>({ which, schema, damaged, bring }: Import<File>): Promise<string> {
  const environment = readImportEnvironment()
  if (!environment.ok) throw new ImportRefusal(environment.problems.join('\n'))
  const { values, positionals } = parseArgs({
    options: { 'audit-key': { type: 'string' } },
    allowPositionals: true,
  })
  const [path] = positionals
  if (path === undefined) throw new ImportRefusal(which)
  const parsed = schema.safeParse(readJson(await readFile(path, 'utf8')))
  if (!parsed.success) throw new ImportRefusal(`${path} is ${damaged}, or a damaged one`)
  const connection = connect(environment.config, 1, 'aval signer, import')
  const key = values['audit-key'] ?? null
  return bring(connection.db, parsed.data, key).finally(connection.close)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
