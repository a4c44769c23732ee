/** What of the journal still matters, kept up entry by entry. Times are milliseconds, amounts micro-USDT. */
import type { Entry, Of } from './entries.rules.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

type Signed = Of<'signed'>
export type Accepted = Of<'approved'> | Of<'decided'>
export type Memory = ReturnType<typeof createMemory>

export function createMemory() {
  const payments = createPayments()
  const proofs = createProofs()
  const memberKeys = createMemberKeys()
  const ended = new Set<string>()
  let genesis: string | null = null
  let begun: Of<'begun'> | null = null
  let keys: { readonly version: number; readonly policy: string } | null = null
  let acknowledged: Of<'acknowledged'> | null = null
  return {
    ...payments.read,
    ...proofs.read,
    ...memberKeys.read,
    begun: () => begun,
    /** The newest key file seen. */
    keys: () => keys,
    acknowledged: () => acknowledged,
    /** It was seen that this transfer can arrive no more. */
    hasEnded: (txid: string): boolean => ended.has(txid),
    /** The first block of the chain on which that was first seen; null before. */
    genesis: () => genesis,
    take(entry: Entry): void {
      payments.removeOld(entry.at)
      switch (entry.kind) {
        case 'begun':
          begun = entry
          break
        case 'keys':
          keys = entry
          break
        case 'acknowledged':
          acknowledged = entry
          keys = entry
          break
        case 'signed':
          payments.add(entry)
          memberKeys.use(entry)
          break
        case 'ended':
          ended.add(entry.txid)
          genesis ??= entry.genesis
          break
        case 'confirmed':
          ended.add(entry.txid)
          break
        case 'member_key':
          memberKeys.add(entry)
          break
        case 'approved':
        case 'decided':
          proofs.add(entry)
          break
        case 'wrong_code':
          proofs.addWrong(entry)
      }
    },
  }
}

/** Sums of what was signed since so long ago. */
function createWindow(lengthMs: number) {
  const kept = new Set<Signed>()
  let sum = 0n
  const remove = (entry: Signed): void => {
    if (kept.delete(entry)) sum -= BigInt(entry.amount)
  }
  return {
    remove,
    add(entry: Signed): void {
      kept.add(entry)
      sum += BigInt(entry.amount)
    },
    removeOld(now: number): void {
      for (const entry of kept) {
        if (entry.at > now - lengthMs) return
        remove(entry)
      }
    },
    sum: () => sum,
  }
}

/** Entries by one of their members. */
function createIndex(key: (entry: Signed) => string) {
  const lists = new Map<string, readonly Signed[]>()
  return {
    of: (name: string): readonly Signed[] => lists.get(name) ?? [],
    add: (entry: Signed) => void lists.set(key(entry), [...(lists.get(key(entry)) ?? []), entry]),
    remove(entry: Signed): void {
      const left = (lists.get(key(entry)) ?? []).filter((each) => each !== entry)
      if (left.length === 0) lists.delete(key(entry))
      else lists.set(key(entry), left)
    },
  }
}

/** A transfer is valid for a day at most: after two it counts for no limit. */
const KEPT_MS = 2 * DAY_MS

/** A signed transfer, for as long as the journal is: that it can no longer arrive does not say that it has not. */
export type Earlier = Pick<Signed, 'txid' | 'expires'>

/** A txid, and behind it its expiration. */
const TXID_BYTES = 32
const EXPIRES_BYTES = 6
const RECORD_BYTES = TXID_BYTES + EXPIRES_BYTES

function recordOf({ txid, expires }: Earlier): Buffer {
  const record = Buffer.alloc(RECORD_BYTES, txid, 'hex')
  record.writeUIntBE(expires, TXID_BYTES, EXPIRES_BYTES)
  return record
}

/** The transfers of each withdrawal in the bytes of one text: 120 MB of the heap for a million withdrawals; as objects they took 380. */
function createTransfers() {
  const byWithdrawal = new Map<string, string>()
  function of(withdrawal: string): readonly Earlier[] {
    const records = Buffer.from(byWithdrawal.get(withdrawal) ?? '', 'latin1')
    return Array.from({ length: records.length / RECORD_BYTES }, (_, place) => {
      const record = records.subarray(place * RECORD_BYTES, (place + 1) * RECORD_BYTES)
      return {
        txid: record.toString('hex', 0, TXID_BYTES),
        expires: record.readUIntBE(TXID_BYTES, EXPIRES_BYTES),
      }
    })
  }
  return {
    of,
    add({ txid, expires, withdrawal }: Signed): void {
      const others = of(withdrawal).filter((other) => other.txid !== txid)
      const records = [...others, { txid, expires }].map(recordOf)
      byWithdrawal.set(withdrawal, Buffer.concat(records).toString('latin1'))
    },
  }
}

function createPayments() {
  const byTxid = new Map<string, Signed>()
  const day = createWindow(DAY_MS)
  const hour = createWindow(HOUR_MS)
  const transfers = createTransfers()
  const byMember = createIndex(({ member }) => member)
  const byWallet = createIndex(({ wallet }) => wallet)
  const indexes = [byMember, byWallet]
  const firstPaid = new Map<string, number>()

  /** Its wallet stays one that was paid before: which payment was the first is no longer known. */
  const forget = (txid: string): void => {
    const entry = byTxid.get(txid)
    if (entry === undefined) return
    byTxid.delete(txid)
    for (const kept of [day, hour, ...indexes]) kept.remove(entry)
  }
  const removeOld = (now: number): void => {
    day.removeOld(now)
    hour.removeOld(now)
    for (const { at, txid } of byTxid.values()) {
      if (at > now - KEPT_MS) return
      forget(txid)
    }
  }
  const sumSince = (entries: readonly Signed[], since: number): bigint =>
    entries.reduce((sum, { at, amount }) => (at > since ? sum + BigInt(amount) : sum), 0n)
  return {
    removeOld,
    add(entry: Signed): void {
      forget(entry.txid)
      byTxid.set(entry.txid, entry)
      for (const kept of [day, hour, ...indexes]) kept.add(entry)
      transfers.add(entry)
      if (!firstPaid.has(entry.wallet)) firstPaid.set(entry.wallet, entry.at)
    },
    read: {
      isSigned: (txid: string): boolean => byTxid.has(txid),
      signedFor: (withdrawal: bigint): readonly Earlier[] => transfers.of(String(withdrawal)),
      /** What was signed in a day, an hour, and in a day for one member. */
      signedSums(now: number, member: bigint) {
        removeOld(now)
        return {
          day: day.sum(),
          hour: hour.sum(),
          memberDay: sumSince(byMember.of(String(member)), now - DAY_MS),
        }
      },
      /** Withdrawals of a member that were signed in a day, by number, with their fees; several transfers of one count once. */
      signedOf(member: bigint, now: number): ReadonlyMap<string, bigint> {
        const recent = byMember.of(String(member)).filter(({ at }) => at > now - DAY_MS)
        return new Map(
          recent.map(({ withdrawal, amount, fee }) => [withdrawal, BigInt(amount) + BigInt(fee)]),
        )
      },
      /** What a wallet was paid since it is new; null where its first payment was a day ago. */
      paidToNewWallet(wallet: string, now: number): bigint | null {
        const first = firstPaid.get(wallet)
        if (first !== undefined && first <= now - DAY_MS) return null
        return sumSince(byWallet.of(wallet), now - DAY_MS)
      },
    },
  }
}

/** A member's signature is good for thirty days at most after it was given. */
const NONCE_KEPT_MS = 31 * DAY_MS

function createMemberKeys() {
  const newest = new Map<string, Of<'member_key'>>()
  const usedFor = new Map<string, { readonly withdrawal: string; readonly at: number }>()
  return {
    add: (entry: Of<'member_key'>): void => void newest.set(entry.member, entry),
    use({ nonce, withdrawal, at }: Signed): void {
      for (const [name, used] of usedFor) {
        if (used.at > at - NONCE_KEPT_MS) break
        usedFor.delete(name)
      }
      if (nonce === undefined) return
      // Counted from its last transfer, and kept in the order of time.
      usedFor.delete(nonce)
      usedFor.set(nonce, { withdrawal, at })
    },
    read: {
      /** The newest key of a member; null where there never was one. */
      memberKey: (member: bigint): Of<'member_key'> | null => newest.get(String(member)) ?? null,
      /** The withdrawal that a member's signature was used for. */
      nonceUsedFor: (nonce: string): string | null => usedFor.get(nonce)?.withdrawal ?? null,
    },
  }
}

function createProofs() {
  const byNonce = new Map<string, Accepted>()
  const counters = new Map<string, number>()
  const wrongCodes = new Map<string, readonly number[]>()
  let byCode: { readonly at: number; readonly sum: bigint }[] = []
  return {
    add(entry: Accepted): void {
      byNonce.set(entry.nonce, entry)
      const name = `${entry.operator} ${entry.key}`
      counters.set(name, Math.max(entry.counter, counters.get(name) ?? 0))
      if (entry.kind !== 'approved' || entry.key !== 'code') return
      byCode = byCode.filter(({ at }) => at > entry.at - DAY_MS)
      byCode.push({ at: entry.at, sum: BigInt(entry.sum) })
    },
    addWrong({ operator, at }: Of<'wrong_code'>): void {
      const recent = (wrongCodes.get(operator) ?? []).filter((each) => each > at - DAY_MS)
      wrongCodes.set(operator, [...recent, at])
    },
    read: {
      accepted: (nonce: string): Accepted | null => byNonce.get(nonce) ?? null,
      /** The highest counter of a passkey, or the last half minute of a code; 0 for none. */
      counter: (operator: bigint, key: string): number => counters.get(`${operator} ${key}`) ?? 0,
      wrongCodes: (operator: bigint, now: number): number =>
        (wrongCodes.get(String(operator)) ?? []).filter((at) => at > now - DAY_MS).length,
      approvedByCode: (now: number): bigint =>
        byCode.reduce((sum, each) => (each.at > now - DAY_MS ? sum + each.sum : sum), 0n),
    },
  }
}
