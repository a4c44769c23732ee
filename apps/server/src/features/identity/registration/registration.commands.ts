import { randomInt } from 'node:crypto'
import type { Locale, OperatorRole, RegisterBody } from '@aval/contract'
import type { Region } from '@aval/contract/regions'
import { type Db, inTransaction, type Tx } from '@aval/db'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { fold } from '../../../core/fold.rules.ts'
import { Refusal } from '../../../core/refusal.ts'
import { holdPlace, placeFirst, takePlace } from '../../genealogy/genealogy.commands.ts'
import { findRoot } from '../../genealogy/genealogy.queries.ts'
import { mailMember } from '../../mail/mail.commands.ts'
import { rememberDevice } from '../known-devices/known-devices.commands.ts'
import { claimIdentifiers, selectIdentifierOwner, updateMember } from '../members/members.sql.ts'
import { hashOfNoPassword, hashPassword } from '../members/password-hash.ts'
import { requireOwnName, requireOwnUsername } from '../names/names.ts'
import { skeletonOf } from '../names/skeleton.rules.ts'
import { requireGoodPassword } from '../passwords/new-password.ts'
import { type IssuedTokens, openSession } from '../sessions/sessions.commands.ts'
import { checkCaptcha, spendCaptcha } from './captcha.commands.ts'
import { REF_CODE_COUNT, readRefCode, refCodeOf } from './registration.rules.ts'
import { insertMember, lockRoot, openAccounts, selectTaken } from './registration.sql.ts'

const NO_NAME = { first_name: '', last_name: '' }
/** Draws for a free ref code; at a million members each draw misses one time in nine. */
const DRAWS = 50

export interface NewMember {
  readonly username: string
  readonly email: string
  readonly passwordHash: string
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly phoneNumber?: string | undefined
  readonly locale: Locale
  readonly timeZone?: string | undefined
  readonly region?: Region | null | undefined
  readonly isFundator?: boolean
  readonly operatorRole?: OperatorRole
}

const drawRefCode = () => refCodeOf(randomInt(REF_CODE_COUNT))

/** Replaces a ref code that another member has. */
async function changeRefCode(tx: Tx, memberId: bigint): Promise<void> {
  for (let draw = 1; draw <= DRAWS; draw += 1) {
    const code = drawRefCode()
    const claimed = await claimIdentifiers(tx, memberId, [['ref_code', code]])
    if (claimed.length > 0) return updateMember(tx, memberId, { ref_code: code })
  }
  throw new Error(`no free ref code in ${DRAWS} draws`)
}

/** A member without a place in the trees. @throws Refusal `username_taken`, `email_taken` */
async function createMember(tx: Tx, member: NewMember, at: Date): Promise<bigint> {
  const refCode = drawRefCode()
  const { id } = await insertMember(tx, {
    username: member.username,
    email: member.email,
    password_hash: member.passwordHash,
    ref_code: refCode,
    first_name: member.firstName ?? '',
    last_name: member.lastName ?? '',
    phone_number: member.phoneNumber ?? '',
    locale: member.locale,
    time_zone: member.timeZone ?? null,
    region: member.region ?? null,
    // Said by the owner of the tables alone.
    ...(member.isFundator === true && { is_fundator: true }),
    ...(member.operatorRole !== undefined && { is_operator: true, operator_role: member.operatorRole }),
    terms_accepted_at: at,
    joined_at: at,
  })
  const claimed = await claimIdentifiers(tx, id, [
    ['username', fold(member.username)],
    ['skeleton', skeletonOf(member.username)],
    ['email', fold(member.email)],
    ['ref_code', refCode],
  ])
  if (!claimed.includes('username') || !claimed.includes('skeleton')) throw new Refusal('username_taken')
  if (!claimed.includes('email')) throw new Refusal('email_taken')
  if (!claimed.includes('ref_code')) await changeRefCode(tx, id)
  await openAccounts(tx, id)
  return id
}

/**
 * Creates a member under a sponsor: accounts and a place in both trees, in one transaction. The number of
 * statements does not depend on the size or depth of the trees.
 * @param at business time
 * @throws Refusal `username_taken`, `email_taken`
 */
export async function registerMember(db: Db, member: NewMember & { readonly sponsorId: bigint }, at: Date) {
  return inTransaction(db, async (tx) => {
    const place = await holdPlace(tx, member.sponsorId)
    const id = await createMember(tx, member, at)
    await takePlace(tx, id, place)
    return id
  })
}

/** Creates the first member, who has no sponsor. @returns the existing one if there is one */
export async function createRoot(db: Db, member: NewMember, at: Date): Promise<bigint> {
  return inTransaction(db, async (tx) => {
    await lockRoot(tx)
    const existing = await findRoot(tx)
    if (existing !== null) return existing
    const id = await createMember(tx, member, at)
    await placeFirst(tx, id)
    return id
  })
}

/**
 * Makes sure that there is a first member: the company itself, at the top of both trees and the sponsor of everybody whom
 * nobody referred. Nobody knows its password.
 */
export async function ensureRoot(db: Db, at: Date): Promise<void> {
  if ((await findRoot(db)) !== null) return
  const passwordHash = hashOfNoPassword()
  await createRoot(
    db,
    { username: 'Aval', email: 'root@aval.invalid', passwordHash, firstName: 'Aval', locale: 'es' },
    at,
  )
}

/** The sponsor that a registration link names. @throws Refusal `ref_code_unknown` */
async function sponsorOf(db: Db, text: string): Promise<bigint> {
  const code = readRefCode(text)
  const id =
    code?.kind === 'member'
      ? await selectIdentifierOwner(db, 'ref_code', code.code)
      : code && (await findRoot(db))
  if (id === null) throw new Refusal('ref_code_unknown')
  return id
}

/** Refuses what the transaction would refuse, before a password is hashed in vain. */
async function refuseTaken(db: Db, username: string, email: string): Promise<void> {
  const taken = await selectTaken(db, skeletonOf(username), fold(email))
  if (taken.includes('skeleton')) throw new Refusal('username_taken')
  if (taken.includes('email')) throw new Refusal('email_taken')
}

/**
 * Registers a visitor and signs them in. The captcha is spent in the registration's transaction: after a refusal for
 * another reason (a taken username, a common password) it is still valid.
 * @param now system time, which sessions use; the member joins at business time
 */
export async function register(
  context: Context,
  visitor: {
    readonly refCode: string
    readonly body: RegisterBody
    readonly locale: Locale
    /** As the browser's languages say. */
    readonly region: Region | null
    readonly device: Device
    readonly deviceToken: string | null
  },
  now: Date,
): Promise<{ readonly pair: IssuedTokens; readonly deviceToken: string }> {
  const { body } = visitor
  const captcha = await checkCaptcha(context, body.captcha, now)
  const sponsorId = await sponsorOf(context.db, visitor.refCode)
  const { username, email, first_name: firstName = '', last_name: lastName = '' } = body
  requireOwnUsername(username)
  requireOwnName(NO_NAME, { first_name: firstName, last_name: lastName })
  await refuseTaken(context.db, username, email)
  await requireGoodPassword(context, body.password, { username, email, firstName, lastName })
  const passwordHash = await hashPassword(body.password, 'proven')
  const at = await context.clock.now()
  return inTransaction(context.db, async (tx) => {
    if (captcha !== null) await spendCaptcha(tx, captcha)
    const memberId = await registerMember(
      tx,
      {
        username,
        email,
        passwordHash,
        firstName: body.first_name,
        lastName: body.last_name,
        phoneNumber: body.phone_number,
        locale: visitor.locale,
        timeZone: body.time_zone,
        region: body.region ?? visitor.region,
        sponsorId,
      },
      at,
    )
    const welcome = { username, link: `${context.config.publicUrl}/dashboard`, at: now }
    await mailMember(tx, { memberId, event: 'welcome', template: 'welcome', params: welcome }, now)
    const deviceToken = await rememberDevice(tx, memberId, visitor.deviceToken, now)
    return { pair: await openSession(context, tx, { memberId, ...visitor.device }, now), deviceToken }
  })
}
