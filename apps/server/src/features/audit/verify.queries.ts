/** Going through the whole audit trail: rows against seals, seals against each other, signatures against both. */
import type { Db } from '@aval/db'
import {
  hashOf,
  headMessage,
  isHeadSigned,
  type Seal,
  sealFault,
  TRAILS,
  type Trail,
} from '@aval/db/audit-chain'
import { type HeadSignature, selectSeals, selectSignatures } from '@aval/db/audit-seals'
import { compareSealed, type TrailRow } from './audit.rules.ts'
import { type StoredRow, selectAuditKey, selectRows, selectUnsealed } from './audit.sql.ts'

export interface AuditReport {
  readonly seals: number
  readonly rows: number
  readonly erased: number
  /** Recorded after the last seal. */
  readonly unsealed: number
  /** Hexadecimal, to be compared with what `npm run keys -- show` says; null where no signer ever signed. */
  readonly publicKey: string | null
  readonly signedAt: Date | null
  /** The last seal that the signer signed. */
  readonly signedSeal: bigint | null
  /** In the order of the trail, the first comes first; none when nothing was changed. */
  readonly faults: readonly string[]
  /** What is no fault where nobody signs online. */
  readonly warnings: readonly string[]
}

const SIGNED_WITHIN_MS = 2 * 3_600_000
const SEALED_WITHIN_MS = 15 * 60_000
/** More say no more: the first is what matters. */
const MOST_FAULTS = 20
const MOST_SIGNATURES = 100_000
const BEFORE_ALL = -(2n ** 63n)

const EMPTY: Readonly<Record<Trail, string>> = {
  audit_event: hashOf('{}').toString('hex'),
  security_event: hashOf('', '', '{}').toString('hex'),
}

function rowOf(trail: Trail, { id, fields, details, details_hash, erased }: StoredRow): TrailRow {
  const shown = hashOf(...details).toString('hex')
  const detailsKept = erased === null ? shown === details_hash : erased && shown === EMPTY[trail]
  return { id, hash: hashOf(...fields).toString('hex'), detailsKept }
}

/** The rows of one trail that a seal is about. */
async function compareRows(db: Db, trail: Trail, seal: Seal, after: bigint) {
  const { ids, hashes, last } = seal.rows[trail]
  const sealed = new Map(
    ids.map((id, place) => [id, hashes.subarray(32 * place, 32 * place + 32).toString('hex')]),
  )
  const rows = await selectRows(db, trail, after, last)
  const faults = compareSealed(
    sealed,
    rows.map((row) => rowOf(trail, row)),
  )
  return {
    faults: faults.map((fault) => `${trail} ${fault}`),
    count: rows.length,
    erased: rows.filter(({ erased }) => erased !== null).length,
  }
}

/** Called after each seal with what was counted so far. */
type Tell = (checked: { readonly seals: number; readonly rows: number }) => Promise<void>

type Checked = { seals: number; rows: number; erased: number; last: Seal | null; faults: string[] }

async function checkSeals(db: Db, from: bigint, tell: Tell): Promise<Checked> {
  const [before] = from > 1n ? await selectSeals(db, from - 2n, 1) : []
  const checked: Checked = { seals: 0, rows: 0, erased: 0, last: before ?? null, faults: [] }
  let next = await selectSeals(db, from - 1n, 1)
  for (let [seal] = next; seal !== undefined; [seal] = next) {
    const { last } = checked
    const fault = sealFault(seal, last)
    if (fault === 'missing') checked.faults.push(`audit_seal ${(last?.id ?? 0n) + 1n}: missing`)
    if (fault === 'altered') checked.faults.push(`audit_seal ${seal.id}: altered`)
    for (const trail of TRAILS) {
      const found = await compareRows(db, trail, seal, last?.rows[trail].last ?? BEFORE_ALL)
      checked.rows += found.count
      checked.erased += found.erased
      checked.faults.push(...found.faults)
    }
    checked.seals += 1
    checked.last = seal
    await tell(checked)
    if (checked.faults.length >= MOST_FAULTS) break
    next = await selectSeals(db, seal.id, 1)
  }
  return checked
}

function signatureFault(
  network: string,
  key: Buffer,
  { sealId, at, signature, hash }: HeadSignature,
): string | null {
  if (hash === null) return `audit_seal ${sealId}: missing, and was signed`
  const message = headMessage(network, { id: sealId, hash }, at.getTime())
  return isHeadSigned(key, message, signature)
    ? null
    : `audit_seal ${sealId}: its signature is not of this seal by the signer’s key`
}

/** Signatures, newest first, and whether the newest is new enough. */
async function checkSignatures(db: Db, from: bigint, now: Date) {
  const { key, network } = await selectAuditKey(db)
  if (key === null)
    return {
      publicKey: null,
      signedAt: null,
      signedSeal: null,
      faults: [],
      warnings: ['No signer ever signed: seals stand unsigned.'],
    }
  const signatures = await selectSignatures(db, from, MOST_SIGNATURES)
  const faults = signatures
    .map((each) => signatureFault(network ?? '', key, each))
    .filter((fault) => fault !== null)
  const signedAt = signatures[0]?.at ?? null
  const isOld = signedAt === null || now.getTime() - signedAt.getTime() > SIGNED_WITHIN_MS
  const said = signedAt === null ? 'has signed no seal yet' : `signed last at ${signedAt.toISOString()}`
  return {
    publicKey: key.toString('hex'),
    signedAt,
    signedSeal: signatures[0]?.sealId ?? null,
    faults: faults.toReversed().slice(0, MOST_FAULTS),
    warnings: isOld ? [`The signer ${said}: it is to sign every hour, unless it works offline.`] : [],
  }
}

/**
 * Verifies the trail from a seal on; what came before is taken for right.
 *
 * @param now system time
 */
export async function verifyAudit(
  db: Db,
  from: bigint,
  now: Date,
  tell: Tell = async () => undefined,
): Promise<AuditReport> {
  const { last, ...checked } = await checkSeals(db, from, tell)
  const { audit_event, security_event } = last?.rows ?? {}
  const waiting = await selectUnsealed(db, audit_event?.last ?? 0n, security_event?.last ?? 0n)
  const signed = await checkSignatures(db, from, now)
  const isLate = (oldest: Date) => now.getTime() - oldest.getTime() > SEALED_WITHIN_MS
  const { count, oldest } = waiting
  const late =
    oldest !== null && isLate(oldest)
      ? [`${count} rows wait to be sealed, the first since ${oldest.toISOString()}.`]
      : []
  return {
    seals: checked.seals,
    rows: checked.rows,
    erased: checked.erased,
    unsealed: waiting.count,
    publicKey: signed.publicKey,
    signedAt: signed.signedAt,
    signedSeal: signed.signedSeal,
    faults: [...checked.faults, ...signed.faults],
    warnings: [...signed.warnings, ...late],
  }
}
