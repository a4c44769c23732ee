/** What a member may change of an account, and what of it takes a code from the e-mail. */
import { parseAddress } from '@aval/tron'

/** What is asked for; absent is as it was. */
export interface ProfileChange {
  readonly email?: string | undefined
  readonly usdtWallet?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly phoneNumber?: string | undefined
  readonly locale?: string | undefined
}

export interface Guarded {
  readonly email: string
  readonly usdt_wallet: string
}

/** What is new of what money and access hang on; null where it stays. */
export interface GuardedChange {
  readonly email: string | null
  readonly wallet: string | null
}

/** Null when nothing that needs a code is different. Clients send whole forms: what is as it was is no change. */
export function guardedChange(current: Guarded, change: ProfileChange): GuardedChange | null {
  const differs = (next: string | undefined, now: string) =>
    next === undefined || next === now ? null : next
  const email = differs(change.email, current.email)
  const wallet = differs(change.usdtWallet, current.usdt_wallet)
  return email === null && wallet === null ? null : { email, wallet }
}

/** What a code for this change is good for, and for nothing else. */
export function bindingOf({ email, wallet }: GuardedChange): string {
  return JSON.stringify([email, wallet])
}

export function nameOfChange({ email, wallet }: GuardedChange): 'email' | 'wallet' | 'both' {
  if (email === null) return 'wallet'
  return wallet === null ? 'email' : 'both'
}

/** The account whose key nobody has: what is sent there is gone. */
const BLACK_HOLE = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'

/** Whether money could be paid to this address, as far as the address itself tells. @param token the USDT contract */
export function isPayable(address: string, token: string): boolean {
  return parseAddress(address) !== null && address !== token && address !== BLACK_HOLE
}
