/** Signs an export of the gateway on a machine without a network: shows each transfer, asks, and writes the signatures. */
import { open, readFile } from 'node:fs/promises'
import { formatMicro, micro, parseMicro } from '@aval/money'
import { describeError } from '../../core/log.ts'
import { openKeyFile } from '../keys/key-file.ts'
import { checkExport, expirationOf } from '../offline-check.ts'
import { type ExportedTransfer, type ExportFile, exportFile, type SignedFile } from '../offline-files.ts'
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
  if (chosen.length === 0) throw new CommandRefusal('nothing was signed')
  const transfers = chosen.map(({ txid, raw }) => {
    const signature = keys.sign(new Uint8Array(Buffer.from(raw, 'hex')), 'hot', 0n)
    return { txid, raw, signature: Buffer.from(signature).toString('hex') }
  })
  await writeSigned(out, { transfers })
  context.terminal.say(`${transfers.length} signed, ${total(chosen)} USDT in all: ${out}`)
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
  const chosen: ExportedTransfer[] = []
  let all = false
  for (const [index, transfer] of transfers.entries()) {
    terminal.say(`\n${index + 1} of ${transfers.length}   ${describe(transfer)}`)
    terminal.say(`approved by ${approvedBy.get(transfer.withdrawal)?.join(', ') ?? 'nobody'}`)
    const answer: string | null = all
      ? 'y'
      : await terminal.ask('Sign it? (y)es, (n)o, (a)ll that follow, (q)uit: ')
    all ||= answer?.trim() === 'a'
    if (answer === null || answer.trim() === 'q') throw new CommandRefusal('nothing was signed')
    if (all || answer.trim() === 'y') chosen.push(transfer)
  }
  return chosen
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

async function writeSigned(path: string, content: SignedFile): Promise<void> {
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
