/** Operators as the console shows them. */
import {
  ABILITIES,
  ABILITY_NAMES,
  type AbilityTable,
  may,
  type OfferedRole,
  OPERATOR_ROLES,
  type OperatorAccount,
  type OperatorCandidate,
  type OperatorInvitation,
  type OperatorsPage,
} from '@aval/contract'
import type { Db } from '@aval/db'
import { fold } from '../../../core/fold.rules.ts'
import { networkOf } from '../../../core/networks.rules.ts'
import { Refusal } from '../../../core/refusal.ts'
import { selectAccount, selectMember } from '../members/members.sql.ts'
import { hasSecondFactor } from '../second-factor/second-factor.queries.ts'
import { listOperatorSessions } from '../sessions/sessions.queries.ts'
import { hashOfLink } from './changes.commands.ts'
import * as store from './operators.sql.ts'

interface Caller {
  readonly memberId: bigint
}

const SESSIONS_SHOWN = 20
const MOBILE: readonly (string | null)[] = ['iPhone', 'iPad', 'Android']

/** By operator. */
async function openSessions(db: Db, now: Date): Promise<Map<bigint, OperatorAccount['sessions']>> {
  const sessions = new Map<bigint, OperatorAccount['sessions']>()
  for (const { memberId, device, ip, started_at, last_used_at } of await listOperatorSessions(db, now)) {
    const mobile = MOBILE.includes(device.system)
    const open = { ...device, mobile, network: networkOf(ip), started_at, last_used_at }
    sessions.set(memberId, [...(sessions.get(memberId) ?? []), open].slice(0, SESSIONS_SHOWN))
  }
  return sessions
}

type KeyFile = Awaited<ReturnType<typeof store.selectKeyFile>>

/** Who is pinned in it; null where it was written down by a signer that did not say. */
function approversIn(file: KeyFile): ReadonlySet<string> | null {
  const members = file?.details['members']
  return typeof members === 'string' ? new Set(members.split(',').filter((id) => id !== '')) : null
}

const presentInvitation = (row: store.ChangeRow): OperatorInvitation => ({
  id: Number(row.id),
  member: { id: Number(row.member_id), username: row.username },
  role: row.role,
  invited_by: row.asked_by_name,
  invited_at: row.asked_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  accepted: row.state === 'accepted',
})

/** @param now system time */
export async function readOperators(db: Db, caller: Caller, now: Date): Promise<OperatorsPage> {
  const rows = await store.selectOperatorRows(db)
  const changes = await store.selectWaitingChanges(db, now)
  const file = await store.selectKeyFile(db)
  const approvers = approversIn(file)
  const admins = rows.filter(({ role }) => role === 'admin')
  const sessions = await openSessions(db, now)
  const operators = rows.map((row): OperatorAccount => {
    const next = changes.find(({ kind, member_id: id }) => kind === 'role' && id === row.id)
    return {
      id: Number(row.id),
      username: row.username,
      name: `${row.first_name} ${row.last_name}`.trim(),
      email: row.email,
      role: row.role,
      since: row.since?.toISOString() ?? null,
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
      approver: approvers === null ? 'unknown' : approvers.has(String(row.id)) ? 'pinned' : 'not_pinned',
      self: row.id === caller.memberId,
      last_admin: admins.length === 1 && row.role === 'admin',
      next_role: next?.role ?? null,
      sessions: sessions.get(row.id) ?? [],
    }
  })
  const version = file?.details['version']
  return {
    operators,
    invitations: changes.filter(({ kind }) => kind === 'invitation').map(presentInvitation),
    key_file: file === undefined ? null : { version: String(version ?? ''), noted_at: file.at.toISOString() },
  }
}

export const abilityTable = (): AbilityTable => ({
  roles: [...OPERATOR_ROLES],
  abilities: ABILITY_NAMES.map((name) => ({ name, roles: [...ABILITIES[name]] })),
})

/**
 * Whom a username or an e-mail means, and what stands in the way of inviting them.
 * @param now system time
 * @throws Refusal `member_not_found`
 */
export async function findCandidate(
  db: Db,
  caller: Caller,
  name: string,
  now: Date,
): Promise<OperatorCandidate> {
  const account = await selectAccount(db, fold(name))
  if (account === undefined) throw new Refusal('member_not_found')
  const { id } = account
  const member = await selectMember(db, id)
  const change = await store.selectWaitingChangeOf(db, id)
  const isWaiting = change !== undefined && change.expires_at > now
  const against = async () => {
    if (id === caller.memberId) return 'self'
    if (member.is_operator) return 'operator'
    if (await store.isFormerOperator(db, id)) return 'former'
    return isWaiting ? 'invited' : null
  }
  return {
    id: Number(id),
    username: member.username,
    name: `${member.first_name} ${member.last_name}`.trim(),
    email: member.email,
    joined_at: member.joined_at.toISOString(),
    two_factor: await hasSecondFactor(db, id),
    against: await against(),
  }
}

/**
 * What a link of an invitation offers.
 * @param now system time
 * @throws Refusal `invitation_ended`: also where it is another member's
 */
export async function readOffer(db: Db, memberId: bigint, token: string, now: Date): Promise<OfferedRole> {
  const invitation = await store.selectInvitation(db, memberId, hashOfLink(token), now)
  if (invitation === undefined) throw new Refusal('invitation_ended')
  const { role, asked_by_name, expires_at } = invitation
  return {
    role,
    invited_by: asked_by_name,
    expires_at: expires_at.toISOString(),
    two_factor: await hasSecondFactor(db, memberId),
    abilities: ABILITY_NAMES.filter((ability) => may(role, ability)),
  }
}
