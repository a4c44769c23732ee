import { openKeyFile } from '../keys/key-file.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Desk } from './desk.ts'

/** Tells what a key file is for: addresses, nothing that could sign. */
export async function showKeyFile(desk: Desk, path: string): Promise<void> {
  tellAddresses(desk, await openKeyFile(path, await desk.passphrase(`of ${path}`)))
}

export function tellAddresses({ terminal }: Desk, keys: KeyRing): void {
  terminal.say(`network      ${keys.network}`)
  terminal.say(`USDT         ${keys.usdt}`)
  terminal.say(`hot wallet   ${keys.hot}`)
  terminal.say(`cold wallet  ${keys.cold}`)
  terminal.say(`deposits     ${keys.xpub}`)
  terminal.say(`the company's own deposit address is ${keys.depositAddress(0n)}`)
}
