/** Derives deposit addresses on a machine without a network, for `npm run addresses -- import` on the server. */
import { MOST_ADDRESSES, makeAddressFile } from '../address-files.ts'
import { openKeyFile } from '../keys/key-file.ts'
import { type CommandContext, CommandRefusal } from './command.ts'
import { writeNew } from './sign-offline.ts'

export async function exportAddresses(
  context: CommandContext,
  { from, count, out, keyFile }: Readonly<Record<'from' | 'count' | 'out' | 'keyFile', string>>,
): Promise<void> {
  const first = wholeNumber('--from', from, 2 ** 31 - 1)
  const wanted = wholeNumber('--count', count, MOST_ADDRESSES)
  if (wanted === 0) throw new CommandRefusal('--count is at least 1')
  const keys = await openKeyFile(keyFile, await context.passphrase(`of ${keyFile}`))
  const file = makeAddressFile(keys, first, wanted)
  await writeNew(out, file)
  const last = first + file.addresses.length - 1
  context.terminal.say(`${file.addresses.length} addresses, ${first} to ${last}, signed by the audit key`)
  context.terminal.say(`${file.audit_key}: ${out}`)
}

function wholeNumber(name: string, text: string, most: number): number {
  if (/^(0|[1-9]\d{0,9})$/.test(text) && Number(text) <= most) return Number(text)
  throw new CommandRefusal(`${name} is a whole number from 0 to ${most}`)
}
