/** What a member may change of an account, and what of it takes a code from the mailbox. */
import type { ProfileBody } from '@aval/contract'
import { parseAddress } from '@aval/tron'

/** Absent fields stay as they are. */
export type ProfileChange = Partial<
  Pick<
    ProfileBody,
    'email' | 'usdt_wallet' | 'first_name' | 'last_name' | 'phone_number' | 'locale' | 'time_zone' | 'region'
  >
>

export interface Guarded {
  readonly email: string
  readonly usdt_wallet: string
}

/** The new e-mail and wallet; null where it stays. Both give access to the account or its money. */
export interface GuardedChange {
  readonly email: string | null
  readonly wallet: string | null
}

/** Null when nothing that needs a code differs. Clients send whole forms, so an equal value is no change. */
export function guardedChange(current: Guarded, change: ProfileChange): GuardedChange | null {
  const differs = (next: string | undefined, now: string) =>
    next === undefined || next === now ? null : next
  const email = differs(change.email, current.email)
  const wallet = differs(change.usdt_wallet, current.usdt_wallet)
  return email === null && wallet === null ? null : { email, wallet }
}

/** A code is valid for exactly this change. */
export function bindingOf({ email, wallet }: GuardedChange): string {
  return JSON.stringify([email, wallet])
}

export function nameOfChange({ email, wallet }: GuardedChange): 'email' | 'wallet' | 'both' {
  if (email === null) return 'wallet'
  return wallet === null ? 'email' : 'both'
}

/** Tron's burn address: nobody has its key. */
const BURN_ADDRESS = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'

/** Whether this can be the address of a wallet, as far as the text itself shows. @param token the USDT contract */
export function isPayable(address: string, token: string): boolean {
  return parseAddress(address) !== null && address !== token && address !== BURN_ADDRESS
}
