/** Data folders of earlier versions, as `folders/make.ts` made them, open under this one; and what was under way goes on. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { zstdDecompressSync } from 'node:zlib'
import { pageOf, withdrawal } from '@aval/contract'
import { expect, test } from '@playwright/test'
import { handOver } from '../db/src/embedded.ts'
import { untar } from '../tools/backup/tar.ts'
import { PASSWORD, signIn } from '../tools/testing/client.ts'
import { createProduct, faultsOf, type Product } from '../tools/testing/product.ts'

const FOLDERS = join(import.meta.dirname, 'folders')
const archives = readdirSync(FOLDERS).filter((name) => name.endsWith('.tar.zst'))

async function unpack(name: string, dataDir: string): Promise<void> {
  await untar(Readable.from([zstdDecompressSync(readFileSync(join(FOLDERS, name)))]), dataDir)
  await handOver(join(dataDir, 'postgres'))
}

const withdrawalsOf = (product: Product) =>
  product.query<{ amount: string; state: string; transfers: number }>(`
    SELECT amount::text, state, (SELECT count(*)::int FROM outgoing_transfer t
      WHERE t.purpose = 'withdrawal' AND t.withdrawal_id = w.id AND t.member_id = w.member_id) AS transfers
    FROM withdrawal w JOIN member m ON m.id = w.member_id WHERE m.username = 'marta' ORDER BY w.amount`)

for (const name of archives)
  test(`${name}: sign-ins, history and money on its way are there`, async () => {
    test.setTimeout(240_000)
    const product = await createProduct({ COOLING_HOURS: '0' })
    try {
      await unpack(name, product.dataDir)
      await product.start()
      await product.dev('fault', { kind: 'solid_stall', on: false })
      await test.step('the withdrawal that was on the network arrives once; the one nobody approved waits', async () => {
        await expect
          .poll(() => withdrawalsOf(product), { timeout: 120_000 })
          .toEqual([
            { amount: '70000000', state: 'requested', transfers: 0 },
            { amount: '100000000', state: 'completed', transfers: 1 },
            { amount: '250000000', state: 'completed', transfers: 1 },
          ])
      })
      await test.step('who has an account signs in, and finds what was done', async () => {
        const marta = await signIn(product.url, 'marta', PASSWORD)
        const { results } = (await marta.get('withdrawals/withdrawals/')).as(pageOf(withdrawal))
        expect(results.map(({ amount, stage }) => `${amount} ${stage}`)).toEqual([
          '250.00 completed',
          '70.00 requested',
          '100.00 completed',
        ])
        await signIn(product.url, 'ana', 'demo-password')
      })
      await test.step('the ledger is clean, and every run replays', async () => {
        expect(faultsOf(await product.tool('ledger-check', '--whole'))).toBeNull()
        const replayed = await product.tool('replay', '--all')
        expect(replayed.code, replayed.output).toBe(0)
      })
    } finally {
      await product.remove()
    }
  })
