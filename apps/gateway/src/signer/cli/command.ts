import type { readKeysEnvironment } from '../config.ts'
import { openKeyFile } from '../keys/key-file.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Terminal } from '../terminal.ts'

export interface CommandContext {
  readonly terminal: Terminal
  readonly environment: ReturnType<typeof readKeysEnvironment>
  readonly now: () => Date
  /** From the environment, or typed. `what` ends the question: "of signer.json". */
  passphrase(what: string): Promise<string>
}

/** Why a command does nothing, for the person who gave it. */
export class CommandRefusal extends Error {
  override readonly name = 'CommandRefusal'
}

/** Shows what a key file is for: addresses, nothing that could sign. */
export async function showKeyFile(context: CommandContext, path: string): Promise<void> {
  showAddresses(context, await openKeyFile(path, await context.passphrase(`of ${path}`)))
}

export function showAddresses({ terminal }: CommandContext, keys: KeyRing): void {
  terminal.say(`network      ${keys.network}`)
  terminal.say(`USDT         ${keys.usdt}`)
  terminal.say(`hot wallet   ${keys.hot}`)
  terminal.say(`cold wallet  ${keys.cold}`)
  terminal.say(`deposits     ${keys.xpub}`)
  terminal.say(`the company's own deposit address is ${keys.depositAddress(0n)}`)
}
