/** What the demo's operators would read in their authenticator apps now, so that trying the demo needs none. */
import type { Context } from '../../core/context.ts'
import { findByUsername } from '../identity/members/members.queries.ts'
import { totpCode } from '../identity/second-factor/totp.ts'
import { demoNetwork } from './demo-network.ts'
import { approvalRoles, approvalSecret, signInSecret } from './demo-secrets.ts'

export interface OperatorCodes {
  readonly username: string
  readonly memberId: bigint
  readonly signIn: string
  /** Null for who does not approve. */
  readonly approve: string | null
}

/** @param now of the system: codes know no other time */
export async function readOperatorCodes({ db, config }: Context, now: Date): Promise<OperatorCodes[]> {
  const operators = demoNetwork().filter(({ operatorRole }) => operatorRole !== undefined)
  const codes = operators.map(async ({ username, operatorRole: role }) => {
    const memberId = await findByUsername(db, username)
    if (memberId === null) return []
    const signIn = totpCode(signInSecret(config, username), now)
    const approves = role !== undefined && approvalRoles.includes(role)
    const approve = approves ? totpCode(approvalSecret(memberId), now) : null
    return [{ username, memberId, signIn, approve }]
  })
  return (await Promise.all(codes)).flat()
}
