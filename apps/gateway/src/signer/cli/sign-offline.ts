/**
 * Signs an export of the gateway on a machine without a network: shows each transfer, asks, and writes the signatures. What was signed, and
 * what a person confirmed of earlier transfers, is in the journal of this machine first.
 */
import { open, readFile } from 'node:fs/promises'
import { formatMicro, micro, parseMicro } from '@aval/money'
import { decodeRaw } from '@aval/tron'
import { describeError } from '../../core/log.ts'
import { journalOf } from '../config.ts'
import { signOutcomes } from '../decision-files.ts'
import { decisionLines } from '../decision-lines.rules.ts'
import { type Entry, NOTHING } from '../journal/entries.rules.ts'
import { FAULT_SENTENCES } from '../journal/faults.rules.ts'
import { createJournal, type Journal } from '../journal/journal.ts'
import { fileStorage } from '../journal/storage.ts'
import { openKeyFile } from '../keys/key-file.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { checkExport, expirationOf } from '../offline-check.ts'
import { verifyDecisions } from '../offline-decisions.ts'
import {
  type ExportedTransfer,
  type ExportFile,
  exportFile,
  type Outcome,
  type SignedFile,
} from '../offline-files.ts'
import { identityOf } from '../rounds.ts'
import type { Terminal } from '../terminal.ts'
import { fingerprintOf } from './approvers.ts'
import { type CommandContext, CommandRefusal } from './command.ts'

export async function signOffline(
  context: CommandContext,
  { exported, out, keyFile }: Readonly<Record<'exported' | 'out' | 'keyFile', string>>,
): Promise<void> {
  const file = await readExport(exported)
  const keys = await openKeyFile(keyFile, await context.passphrase(`of ${keyFile}`))
  const { feeLimit } = context.environment
  if (feeLimit === null) throw new CommandRefusal('SIGNER_FEE_LIMIT_TRX is no whole number')
  const { wrong, approvedBy, ignored } = checkExport(file, keys, { feeLimit, topUp: 0n }, context.now())
  for (const line of ignored) context.terminal.say(`does not count: ${line}`)
  if (wrong !== null) throw new CommandRefusal(`nothing is signed: ${wrong}`)
  const chosen = await choose(context, file, approvedBy)
  const journal = await openJournal(context, keyFile, keys)
  const outcomes = await chooseDecisions(context, file.decisions, keys, journal)
  if (chosen.length + outcomes.length === 0) throw new CommandRefusal('nothing was signed')
  await confirmEarlier(context, journal, chosen)
  await Promise.all(chosen.map((transfer) => journal.append(entryOf(transfer, context.now().getTime()))))
  await journal.close()
  const transfers = chosen.map(({ txid, raw }) => {
    const signature = keys.sign(new Uint8Array(Buffer.from(raw, 'hex')), 'hot', 0n)
    return { txid, raw, signature: Buffer.from(signature).toString('hex') }
  })
  const decisions = outcomes.length === 0 ? null : signOutcomes(keys, outcomes)
  await writeNew(out, { transfers, decisions } satisfies SignedFile)
  context.terminal.say(`${transfers.length} signed, ${total(chosen)} USDT in all: ${out}`)
  if (decisions !== null) context.terminal.say(`${outcomes.length} lists of decisions are in it`)
}

async function openJournal(context: CommandContext, keyFile: string, keys: KeyRing): Promise<Journal> {
  const journal = createJournal(fileStorage(context.environment.journal ?? journalOf(keyFile)))
  const fault = await journal.open(NOTHING, identityOf(keys, keys.policy), context.now().getTime())
  if (fault !== null) throw new CommandRefusal(`nothing is signed: ${FAULT_SENTENCES[fault]}`)
  return journal
}

/** Digits of a txid that are typed: enough to show that it was looked up. */
const TYPED = 8

/** Before another transfer of the same money is signed, a person says of each one before that it can arrive no more. */
async function confirmEarlier(
  { terminal, now }: CommandContext,
  { memory, append }: Journal,
  chosen: readonly ExportedTransfer[],
): Promise<void> {
  for (const { txid, withdrawal, raw, earlier } of chosen) {
    const own = memory.signedFor(BigInt(withdrawal)).filter((each) => each.txid !== txid)
    const live = own.find(({ expires }) => expires >= momentOf(raw, now()))
    if (live !== undefined) throw new CommandRefusal(`nothing was signed: ${live.txid} is still valid`)
    const signed = own.map((each) => ({ txid: each.txid, withdrawal }))
    const others = new Map([...earlier, ...signed].map((other) => [other.txid, other]))
    for (const other of others.values()) {
      if (other.txid === txid || memory.hasEnded(other.txid)) continue
      terminal.say(
        `\nBefore withdrawal ${withdrawal}: a transfer of withdrawal ${other.withdrawal} may have been signed\n${other.txid}`,
      )
      terminal.say(
        'Look it up in two explorers. Only if both show it in no block, or as failed, its money may be sent again.',
      )
      const answer = await terminal.ask(`To confirm that, type the last ${TYPED} digits of it: `)
      if (answer?.trim() !== other.txid.slice(-TYPED))
        throw new CommandRefusal(`nothing was signed: that ${other.txid} can arrive no more is not confirmed`)
      const confirmed = { txid: other.txid, withdrawal: other.withdrawal }
      await append({ kind: 'confirmed', at: now().getTime(), ...confirmed })
    }
  }
}

/** As for a signer with a network: neither its own clock nor the bytes' alone. */
const momentOf = (raw: string, now: Date): number =>
  Math.min(decodeRaw(new Uint8Array(Buffer.from(raw, 'hex'))).timestamp, now.getTime())

const microOf = (text: string): string => String(parseMicro(text) ?? 0n)

function entryOf({ txid, raw, withdrawal, member, amount, fee, to }: ExportedTransfer, at: number): Entry {
  const expires = expirationOf(new Uint8Array(Buffer.from(raw, 'hex')))
  const money = { amount: microOf(amount), fee: microOf(fee), wallet: to }
  return { kind: 'signed', at, txid, withdrawal, member, ...money, expires }
}

async function readExport(path: string): Promise<ExportFile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CommandRefusal(`the export cannot be read: ${describeError(error)}`)
  })
  try {
    return exportFile.parse(JSON.parse(text))
  } catch {
    throw new CommandRefusal(`${path} is no export of the gateway, or a damaged one`)
  }
}

/** Those that the person said yes to. */
async function choose(
  { terminal }: CommandContext,
  { network, made_at, transfers }: ExportFile,
  approvedBy: ReadonlyMap<string, readonly string[]>,
): Promise<ExportedTransfer[]> {
  terminal.say(
    `${transfers.length} transfers, ${total(transfers)} USDT in all, on ${network}; exported ${made_at}`,
  )
  const wanted = askingOneByOne(terminal)
  const chosen: ExportedTransfer[] = []
  for (const [index, transfer] of transfers.entries()) {
    terminal.say(`\n${index + 1} of ${transfers.length}   ${describe(transfer)}`)
    terminal.say(`approved by ${approvedBy.get(transfer.withdrawal)?.join(', ') ?? 'nobody'}`)
    if (await wanted()) chosen.push(transfer)
  }
  return chosen
}

/** Asks about one after the other, until the answer is for all that follow. @throws CommandRefusal where the person quits */
function askingOneByOne(terminal: Terminal): () => Promise<boolean> {
  let all = false
  return async () => {
    if (all) return true
    const answer = (await terminal.ask('Sign it? (y)es, (n)o, (a)ll that follow, (q)uit: '))?.trim()
    if (answer === undefined || answer === 'q') throw new CommandRefusal('nothing was signed')
    all = answer === 'a'
    return all || answer === 'y'
  }
}

/**
 * What becomes of approvals of decisions: verified, shown and agreed to, or refused by a name that travels back. One that the person says no to
 * is left out, and waits. Each that is accepted is in the journal when this returns.
 */
async function chooseDecisions(
  { terminal, now }: CommandContext,
  lists: ExportFile['decisions'],
  keys: KeyRing,
  journal: Journal,
): Promise<Outcome[]> {
  if (lists.length > 0) terminal.say(`\n${lists.length} lists of decisions`)
  const wanted = askingOneByOne(terminal)
  const outcomes: Outcome[] = []
  for (const [index, list] of lists.entries()) {
    const { rows, outcome, entry } = await verifyDecisions(list, keys, journal, now())
    const approver = keys.policy.approvers.find(({ memberId }) => String(memberId) === list.operator)
    terminal.say(
      `\n${index + 1} of ${lists.length}   approval ${list.approval}, signed by ${approver?.name ?? `operator ${list.operator}`}`,
    )
    for (const line of rows.flatMap(decisionLines)) terminal.say(line)
    const isAccepted = outcome.verdict === 'accepted'
    if (!isAccepted) terminal.say(`does not count: ${outcome.verdict.replaceAll('_', ' ')}`)
    else if (!(await wanted())) continue
    if (entry !== null) await journal.append(entry)
    outcomes.push(outcome)
  }
  return outcomes
}

/** Addresses in groups of four, as the member's screen shows them. */
function describe({ withdrawal, amount, to, raw, member_key }: ExportedTransfer): string {
  const until = new Date(expirationOf(new Uint8Array(Buffer.from(raw, 'hex')))).toISOString()
  return `withdrawal ${withdrawal}   ${amount} USDT\nto ${to.match(/.{1,4}/g)?.join(' ')}\nto be sent before ${until}${member_key === null ? '' : `\nsigned by the member’s passkey ${fingerprintOf(member_key.public_key)}`}`
}

function total(transfers: readonly ExportedTransfer[]): string {
  const sum = transfers.reduce((before, { amount }) => before + (parseMicro(amount) ?? 0n), 0n)
  return formatMicro(micro(sum))
}

/** Never over another file. @throws CommandRefusal */
export async function writeNew(path: string, content: object): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw new CommandRefusal(`nothing was written: ${describeError(error)}`)
  })
  try {
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}
