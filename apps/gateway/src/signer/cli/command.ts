import type { readKeysEnvironment } from '../config.ts'
import { changePolicy, openKeyFile } from '../keys/key-file.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Policy } from '../policy.rules.ts'
import type { Terminal } from '../terminal.ts'

export interface CommandContext {
  readonly terminal: Terminal
  readonly environment: ReturnType<typeof readKeysEnvironment>
  readonly now: () => Date
  readonly policies: PolicyFiles
  /** From the environment, or typed. `what` ends the question: "of signer.json". */
  passphrase(what: string): Promise<string>
}

/** The policy in a key file, which its passphrase opens. */
export interface PolicyFiles {
  read(file: string): Promise<{ readonly network: string; readonly policy: Policy }>
  /** With a version one higher; gives the new one. */
  change(file: string, change: (policy: Policy) => Policy): Promise<Policy>
}

/** Each asks for the passphrase once. */
export function policyFiles(passphraseOf: (file: string) => Promise<string>): PolicyFiles {
  const asked = new Map<string, Promise<string>>()
  const passphrase = (file: string): Promise<string> => {
    const known = asked.get(file) ?? passphraseOf(file)
    asked.set(file, known)
    return known
  }
  return {
    read: async (file) => openKeyFile(file, await passphrase(file)),
    change: async (file, change) => changePolicy(file, await passphrase(file), change),
  }
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
  terminal.say(`audit key    ${keys.audit.publicKey.toString('hex')}`)
  terminal.say(`the company's own deposit address is ${keys.depositAddress(0n)}`)
}
