/** What the demo's operators would read in their authenticator apps now, so that trying the demo needs none. */
import type { Context } from '../../core/context.ts'
import { findByUsername } from '../identity/members/members.queries.ts'
import { totpCode } from '../identity/second-factor/totp.ts'
import { demoNetwork } from './demo-network.ts'
import { approvalSecret, signInSecret } from './demo-secrets.ts'

export interface OperatorCodes {
  readonly username: string
  readonly memberId: bigint
  readonly signIn: string
  readonly approve: string
}

/** @param now of the system: codes know no other time */
export async function readOperatorCodes({ db, config }: Context, now: Date): Promise<OperatorCodes[]> {
  const operators = demoNetwork().filter(({ operatorRole }) => operatorRole !== undefined)
  const codes = operators.map(async ({ username }) => {
    const memberId = await findByUsername(db, username)
    if (memberId === null) return []
    const signIn = totpCode(signInSecret(config, username), now)
    return [{ username, memberId, signIn, approve: totpCode(approvalSecret(memberId), now) }]
  })
  return (await Promise.all(codes)).flat()
}
