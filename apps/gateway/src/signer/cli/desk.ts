import type { readKeysEnvironment } from '../config.ts'
import type { Terminal } from '../terminal.ts'

/** What a command has at hand. */
export interface Desk {
  readonly terminal: Terminal
  readonly environment: ReturnType<typeof readKeysEnvironment>
  readonly now: () => Date
  /** From the environment, or from the person. `what` ends the question: "for signer.json". */
  passphrase(what: string): Promise<string>
}

/** Why a command does nothing, for the person who gave it. */
export class CommandRefusal extends Error {
  override readonly name = 'CommandRefusal'
}
