/**
 * What the signer does by itself every two seconds, and when an approval comes: reads a changed key file, keeps its journal open, and
 * decides about approvals and members' keys.
 */
import { stat } from 'node:fs/promises'
import type { Database } from '@aval/db/connect'
import { recordAudit } from '../core/audit.sql.ts'
import { describeError, type Log } from '../core/log.ts'
import { type Acceptor, createAcceptor } from './approvals/accept.ts'
import { findRemembered, rememberJournal, reportSigned } from './approvals/approvals.sql.ts'
import type { JournalFault } from './journal/faults.rules.ts'
import { hashOf, type Identity, type Journal } from './journal/journal.ts'
import type { KeyRing } from './keys/key-ring.ts'
import { createMemberKeys, type MemberKeys } from './member-keys/seal.ts'
import { type Policy, writtenPolicy } from './policy.rules.ts'

export interface RoundsContext {
  readonly db: Database
  readonly keys: KeyRing
  readonly journal: Journal
  readonly log: Log
  readonly now: () => Date
  /** Reads the key file again; null where there is no file that could change. */
  readonly keyFile: { readonly path: string; readonly open: () => Promise<KeyRing> } | null
}

export interface Rounds {
  /** The key file's, as it is now. */
  policy(): Policy
  readonly acceptor: Acceptor
  readonly memberKeys: MemberKeys
  /** @throws what the database throws */
  step(): Promise<void>
}

export function createRounds(context: RoundsContext): Rounds {
  const { db, keys, journal, log, now, keyFile } = context
  let { policy } = keys
  let seen: string | null = null
  let told: JournalFault | null = null
  /** The key file that the audit trail has: operators are alerted of another one. */
  let recorded: string | null = null
  const shared = { db, network: keys.network, policy: () => policy, journal, log, now }
  const acceptor = createAcceptor(shared)
  const memberKeys = createMemberKeys(shared)

  const openJournal = async (): Promise<void> => {
    const remembered = await findRemembered(db)
    const fault = await journal.open(remembered, identityOf(keys, policy), now().getTime())
    if (fault === null) {
      // First what the database does not know: after a restore it is older than the journal.
      const lost = await reportSigned(db, journal.signedSince())
      if (lost > 0) log.error('journal.database_restored', { lost })
      if (journal.head().sequence > remembered.sequence) await rememberJournal(db, journal.head())
      if (told !== null) log.info('journal.mended', { before: told })
    } else if (fault !== told) log.error('journal.refused', { code: fault })
    told = fault
  }
  const readKeyFile = async (): Promise<void> => {
    if (keyFile === null) return
    const { mtimeMs, ino, size } = await stat(keyFile.path)
    const present = `${mtimeMs} ${ino} ${size}`
    if (seen === null || seen === present) {
      seen = present
      return
    }
    seen = present
    const read = await keyFile.open()
    if (read.hot !== keys.hot || read.xpub !== keys.xpub || read.network !== keys.network) {
      log.error('keys.other', { hot: read.hot })
      return
    }
    policy = read.policy
    log.info('keys.read', { version: policy.version, approvers: policy.approvers.length })
    await journal.use(identityOf(keys, policy), now().getTime())
  }
  const recordKeyFile = async (): Promise<void> => {
    const { version, policy: hash } = identityOf(keys, policy)
    if (recorded === hash) return
    const details = { version: String(version), policy: hash, ...approversOf(policy) }
    const entry = {
      action: 'key_file.use',
      outcome: 'done',
      subject: `key_file:${version}`,
      details,
    } as const
    await recordAudit(db, { at: now(), ...entry })
    recorded = hash
  }
  return {
    policy: () => policy,
    acceptor,
    memberKeys,
    async step() {
      await readKeyFile().catch((error: unknown) =>
        log.error('keys.unreadable', { error: describeError(error) }),
      )
      if (journal.fault() !== null) await openJournal()
      if (journal.fault() === null) await recordKeyFile()
      await acceptor.decideAll()
      await memberKeys.decideAll()
    },
  }
}

/** How many approve, and by number who: the console shows whose key is pinned. */
const approversOf = ({ approvers }: Policy) => ({
  approvers: String(approvers.length),
  members: approvers.map(({ memberId }) => memberId).join(','),
})

export function identityOf({ network, hot }: Pick<KeyRing, 'network' | 'hot'>, policy: Policy): Identity {
  return { network, hot, version: policy.version, policy: hashOf(JSON.stringify(writtenPolicy(policy))) }
}
