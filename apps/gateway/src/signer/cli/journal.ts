/** Takes what is wrong with a journal to be right, after a person has looked: from then on the signer goes on. */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { NOTHING, writeLine } from '../journal/entries.rules.ts'
import { FAULT_SENTENCES } from '../journal/faults.rules.ts'
import { hashOf, readJournal } from '../journal/journal.ts'
import { readFault, replaceJournal } from '../journal/storage.ts'
import { confirm } from './approvers.ts'
import { type CommandContext, CommandRefusal } from './command.ts'

/** As the signer wrote it next to its journal. */
const told = z.object({
  fault: z.enum([
    'journal_missing',
    'journal_damaged',
    'journal_behind',
    'journal_differs',
    'journal_of_other_keys',
    'key_file_older',
    'key_file_differs',
  ]),
  sequence: z.int().min(0),
  hash: z.string(),
  identity: z.object({ network: z.string(), hot: z.string(), version: z.int(), policy: z.string() }),
})

export async function acknowledgeJournal(context: CommandContext, path: string): Promise<void> {
  const { terminal } = context
  const text = await readFault(path)
  if (text === null)
    throw new CommandRefusal(`the signer says nothing against ${path}: nothing is acknowledged`)
  const parsed = told.safeParse(JSON.parse(text))
  if (!parsed.success)
    throw new CommandRefusal(`what is wrong with ${path} is mended on its disk, not acknowledged: ${text}`)
  const { fault, sequence, hash, identity } = parsed.data
  const isThere = await readFile(path).then(
    () => true,
    () => false,
  )
  const read = await readJournal(isThere ? createReadStream(path, 'utf8') : nothing(), 0)
  const isOfOthers = fault === 'journal_of_other_keys'
  const kept = isThere && !isOfOthers ? (await readFile(path, 'utf8')).slice(0, read.intact) : ''
  const end = isOfOthers ? NOTHING : read.head
  terminal.say(FAULT_SENTENCES[fault])
  terminal.say(`the journal has ${end.sequence} entries, the database remembers ${sequence}`)
  terminal.say(
    'What the journal does not know is forgotten: approvals must be given again, and today’s limits start from zero.',
  )
  terminal.say('Before: look at what left the hot wallet, and find out who restored or changed this file.')
  await confirm(context, 'Acknowledge it, and let the signer go on')
  const at = context.now().getTime()
  const { version, policy } = identity
  const remembered = { sequence, hash }
  const entry = { kind: 'acknowledged', at, fault, remembered, version, policy } as const
  const { line } = writeLine(entry, end, hashOf, Math.max(end.sequence, sequence) + 1)
  const keepAs = `${path}.before-${at}`
  await replaceJournal(path, `${kept}${line}\n`, keepAs)
  terminal.say(`acknowledged; ${isThere ? `the file of before is ${keepAs}` : 'there was no file'}`)
}

async function* nothing(): AsyncGenerator<string> {}
