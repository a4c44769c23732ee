/** Secrets of the demo's operators, which nobody types: they follow from what everybody knows, or from this installation. */
import { createHash } from 'node:crypto'
import type { OperatorRole } from '@aval/contract'
import type { Config } from '../../config.ts'
import { keyFor } from '../../core/seal.ts'
import { totpSecretOf } from '../identity/second-factor/totp.ts'

/** Signs in. Of this installation alone, and the same whenever it is asked for. */
export const signInSecret = (config: Pick<Config, 'sealKey'>, username: string): string =>
  totpSecretOf(keyFor(config.sealKey, `demo operator ${username}`, 20))

/** Whom the signer's key file lets approve: the money's roles. */
export const approvalRoles: readonly OperatorRole[] = ['treasurer', 'admin']

/** Approves withdrawals. The signer's key file of the development chain, whose keys everybody knows, has the same. */
export const approvalSecret = (memberId: bigint): string =>
  totpSecretOf(createHash('sha256').update(`aval devnet approver ${memberId}`).digest().subarray(0, 20))
