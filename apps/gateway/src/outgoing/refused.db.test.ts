import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { SignerPort, SignerReply } from '../signer/protocol.ts'
import { createWorld, USDT_UNIT, type World, walletOf } from '../testing/world.ts'

/** A signer that is away, has reached its limit, or will not sign one of many. */
let world: World
let wallet = 0
beforeAll(async () => {
  world = await createWorld(inject('ownerUrl'), { hot: 100_000n * USDT_UNIT, cap: 1_000_000n * USDT_UNIT })
})
afterAll(() => world.close())

const approve = () => {
  wallet += 1
  return world.approve(walletOf(wallet), 101n * USDT_UNIT)
}
const states = async (id: number) => (await world.payments(id)).map(({ state }) => state)
const prepared = async () => (await world.payments()).filter(({ state }) => state !== 'settled').length
const no = (code: string): SignerReply => ({ signed: false, code, message: 'in a test' })
/** The real signer, but for what `refuse` says. */
const signerThat = (refuse: (txid: string) => SignerReply | null): SignerPort => ({
  sign: async (txid) => refuse(txid) ?? (await world.signer.sign(txid)),
})

describe('while the signer is away', () => {
  it('only what was prepared before it was noticed waits, and all is paid when it is back', async () => {
    let away = true
    const signer = signerThat(() => (away ? no('signer_unavailable') : null))
    const gateway = world.gateway({ signer })
    const first = await approve()
    await gateway.live()
    expect(await states(first)).toEqual(['prepared'])
    expect(await world.obstacle(0)).toBe('signer_away')
    const others = [await approve(), await approve(), await approve()]
    for (let round = 0; round < 20; round += 1) {
      await world.mine()
      await gateway.live()
    }
    expect(await prepared()).toBe(1)
    away = false
    await world.mine(2)
    for (const id of [first, ...others]) {
      expect(await world.finish(gateway, id)).toMatchObject({ state: 'settled' })
    }
    expect(await world.obstacle(0)).toBeNull()
  })

  it('so long that the prepared ones expire, they are buried and made anew, one at a time', async () => {
    const gateway = world.gateway({ signer: signerThat(() => no('signer_unavailable')) })
    const id = await approve()
    for (let round = 0; round < 4; round += 1) {
      await gateway.live()
      await world.pass(70)
      await gateway.live()
      await world.mine(3)
    }
    const all = await states(id)
    expect(all.filter((state) => state === 'expired').length).toBeLessThanOrEqual(4)
    expect(all.length).toBeLessThanOrEqual(5)
    expect(await world.finish(world.gateway(), id)).toMatchObject({ state: 'settled' })
  })
})

describe('when the signer’s limit of the day is reached', () => {
  it('one is tried every so often, and no more are made in vain', async () => {
    let full = true
    const signer = signerThat(() => (full ? no('cap_reached') : null))
    const gateway = world.gateway({ signer })
    const ids = [await approve(), await approve()]
    await gateway.live()
    expect(await world.obstacle(0)).toBe('signer_cap')
    const before = await prepared()
    for (let round = 0; round < 25; round += 1) {
      await world.mine()
      await gateway.live()
    }
    expect((await prepared()) - before).toBe(0)
    full = false
    await world.pass(120)
    for (const id of ids) expect(await world.finish(gateway, id, 30)).toMatchObject({ state: 'settled' })
    expect(await world.obstacle(0)).toBeNull()
  })
})

describe('one that the signer will not sign', () => {
  it('is told to operators and tried again when it would have expired, and the others are paid', async () => {
    const bad = await approve()
    let refuses = true
    const signer: SignerPort = {
      async sign(txid) {
        const isBad = (await world.payments(bad)).some((each) => each.txid === txid)
        return isBad && refuses ? no('approvals_missing') : world.signer.sign(txid)
      },
    }
    const gateway = world.gateway({ signer })
    const good = await approve()
    expect(await world.finish(gateway, good)).toMatchObject({ state: 'settled' })
    expect(await states(bad)).toEqual(['expired'])
    expect(await world.obstacle(bad)).toBe('signer_refused')
    refuses = false
    await world.pass(60)
    expect(await world.finish(gateway, bad)).toMatchObject({ state: 'settled' })
    expect(await states(bad)).toEqual(['expired', 'settled'])
    expect(await world.obstacle(bad)).toBeNull()
  })

  it('a withdrawal that is refused meanwhile is no obstacle any more', async () => {
    const id = await approve()
    await world.gateway({ signer: signerThat(() => no('not_approved')) }).live()
    expect(await world.obstacle(id)).toBe('signer_refused')
    await world.owner.query(
      "UPDATE withdrawal SET state = 'refused', closed_at = now(), close_journal_id = 1 WHERE id = $1",
      [id],
    )
    await world.gateway().live()
    expect(await world.obstacle(id)).toBeNull()
  })
})
