import { headMessage, isHeadSigned } from '@aval/db/audit-chain'
import { selectSeals } from '@aval/db/audit-seals'
import { connect } from '@aval/db/connect'
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createInstallation } from '../testing/suite.ts'
import { createHeadSigner } from './head.ts'
import { devnetKeys } from './keys/devnet-keys.ts'
import { createKeyRing } from './keys/key-ring.ts'
import { KEYS, SYSTEM_NOW, XPUB } from './testing/fixtures.ts'

const installation = await createInstallation(inject('ownerUrl'), XPUB, [], 'signer')
const { rows, database, log } = installation
const { db, close } = connect(database.signerUrl, 2, 'aval signer in a test')
afterAll(async () => {
  await close()
  await installation.close()
})

const newSigner = (keys = KEYS) => createHeadSigner({ db, keys, log, now: () => SYSTEM_NOW })
let entries = 0
const seal = async () => {
  entries += 1
  await rows(`SELECT record_audit(now(), NULL, 'test.act', 'done', 'test:${entries}', '{}')`)
  // Not at the first try where transactions of other tests are under way in the cluster.
  while ((await rows<{ made: number }>('SELECT seal_audit(100) AS made'))[0]?.made === 0);
}
const signatures = () =>
  rows<{ seal_id: string; signature: Buffer }>('SELECT seal_id, signature FROM audit_signature ORDER BY id')
/** Behind every guard, as a thief with the owner's rights would. */
const tamper = (statement: string) => rows(`SET session_replication_role = replica; ${statement}`)
const forgedChain = (from: number) =>
  tamper(`UPDATE audit_seal SET at = at + interval '1 second' WHERE id >= ${from};
    DO $$ DECLARE s audit_seal; before bytea := (SELECT hash FROM audit_seal WHERE id = ${from - 1}); BEGIN
      FOR s IN SELECT * FROM audit_seal WHERE id >= ${from} ORDER BY id LOOP
        UPDATE audit_seal SET previous = coalesce(before, '\\x'), hash = sha256(netstrings(s.id::text, microseconds(s.at), s.audit_last::text,
          s.security_last::text, encode(s.root, 'hex'), encode(coalesce(before, '\\x'), 'hex'))) WHERE id = s.id RETURNING hash INTO before;
      END LOOP; END $$; SET session_replication_role = origin`)

beforeEach(async () => {
  await tamper('TRUNCATE audit_seal, audit_signature, audit_key; SET session_replication_role = origin')
  await rows('DELETE FROM audit_cut')
  await rows('INSERT INTO audit_cut DEFAULT VALUES')
})

describe('the head of the audit trail', () => {
  it('is signed for the network, by the key that the key file gives, and the next one follows from it', async () => {
    const signer = newSigner()
    expect(await signer.sign()).toBe('none')
    await seal()
    expect(await signer.sign()).toBe('signed')
    await seal()
    await seal()
    expect(await signer.sign()).toBe('signed')
    const stored = await signatures()
    expect(stored.map(({ seal_id }) => seal_id)).toEqual(['1', '3'])
    const [head] = await selectSeals(db, 2n, 1)
    if (head === undefined) throw new Error('no third seal')
    const message = headMessage('devnet', head, SYSTEM_NOW.getTime())
    expect(isHeadSigned(KEYS.audit.publicKey, message, stored[1]?.signature ?? Buffer.alloc(64))).toBe(true)
    expect(
      isHeadSigned(
        KEYS.audit.publicKey,
        headMessage('nile', head, SYSTEM_NOW.getTime()),
        stored[1]?.signature ?? Buffer.alloc(64),
      ),
    ).toBe(false)
    expect(await rows('SELECT public_key FROM audit_key')).toEqual([{ public_key: KEYS.audit.publicKey }])
  })

  it('is refused when the one that was signed is another now, also by a signer that was started again', async () => {
    const signer = newSigner()
    await seal()
    await seal()
    await signer.sign()
    await seal()
    await forgedChain(1)
    expect(await signer.sign()).toBe('head_altered')
    expect(await newSigner().sign()).toBe('signed')
  })

  it('is refused when it was cut off, or cut off and grown again', async () => {
    const signer = newSigner()
    await seal()
    await seal()
    await signer.sign()
    await tamper('DELETE FROM audit_seal WHERE id = 2; SET session_replication_role = origin')
    expect(await signer.sign()).toBe('head_missing')
    await seal()
    expect(await signer.sign()).toBe('head_altered')
  })

  it('is refused when a seal between does not follow, once in the trail', async () => {
    const signer = newSigner()
    await seal()
    await signer.sign()
    for (let number = 0; number < 3; number += 1) await seal()
    await tamper("UPDATE audit_seal SET root = '\\x00' WHERE id = 3; SET session_replication_role = origin")
    expect(await signer.sign()).toBe('chain_broken')
    expect(await signer.sign()).toBe('chain_broken')
    const said = await rows(
      `SELECT outcome, details->>'code' AS code FROM audit_event WHERE action = 'audit.sign' AND subject = 'audit_seal:3'`,
    )
    expect(said).toEqual([{ outcome: 'refused', code: 'chain_broken' }])
  })

  it('is signed by one key for ever', async () => {
    await seal()
    await newSigner().sign()
    const deposit = devnetKeys().depositKey
    const other = { ...KEYS, audit: createKeyRing({ ...devnetKeys(), depositKey: deposit }).audit }
    expect(other.audit.publicKey).toEqual(KEYS.audit.publicKey)
    const stranger = { ...KEYS, audit: { ...KEYS.audit, publicKey: Buffer.alloc(32, 7) } }
    expect(await newSigner(stranger).sign()).toBe('audit_key_other')
    expect(await signatures()).toHaveLength(1)
  })
})
