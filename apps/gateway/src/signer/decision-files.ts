/**
 * The decisions' part of the file that comes back from a machine without a network. Its signature is by the audit key, which only who holds
 * the keys has: no program of the installation can say that an approval was verified.
 */
import { isHeadSigned, netstrings } from '@aval/db/audit-chain'
import type { Outcome, SignedDecisions } from './offline-files.ts'

const messageOf = (network: string, outcomes: readonly Outcome[]): Buffer =>
  netstrings(
    'aval decisions 1',
    network,
    ...outcomes.flatMap(({ approval, operator, nonce, root, verdict, needed }) => [
      approval,
      operator,
      nonce,
      root,
      verdict,
      needed.join(','),
    ]),
  )

/** Of the opened keys, what signs. */
interface FileKeys {
  readonly network: string
  readonly audit: { readonly publicKey: Buffer; sign(message: Buffer): Buffer }
}

export function signOutcomes({ network, audit }: FileKeys, outcomes: Outcome[]): SignedDecisions {
  return {
    network,
    outcomes,
    audit_key: audit.publicKey.toString('hex'),
    signature: audit.sign(messageOf(network, outcomes)).toString('hex'),
  }
}

/**
 * Why none of it counts, in one line; null where all of it was said by who holds this installation's keys.
 * @param auditKey in hex: the installation's
 */
export function signedDecisionsFault(
  { network, outcomes, audit_key, signature }: SignedDecisions,
  pins: { readonly network: string; readonly auditKey: string },
): string | null {
  if (network !== pins.network) return `it is of ${network}, and this installation of ${pins.network}`
  if (audit_key !== pins.auditKey) return 'it is signed by another audit key than this installation’s'
  const [key, signed] = [Buffer.from(audit_key, 'hex'), Buffer.from(signature, 'hex')]
  return isHeadSigned(key, messageOf(network, outcomes), signed)
    ? null
    : 'its signature does not fit what it says'
}
