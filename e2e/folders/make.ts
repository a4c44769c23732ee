/**
 * Makes `<name>.tar.zst`, a data folder of this version that later versions have to open (`e2e/upgrade.e2e.ts`). To be run once a
 * release: `node e2e/folders/make.ts 1.4`. A demo network of a month, an investment paid in part, and three withdrawals: one
 * completed, one asked for, one sent but not yet solid on the chain when everything stopped.
 */
import { execFileSync } from 'node:child_process'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { investmentPayment } from '@aval/contract'
import { devnetAddress } from '@aval/tron'
import pg from 'pg'
import { newMember, newOperator } from '../../simulation/processes/people.ts'
import {
  approve,
  newRequest,
  sendUntilAnswered,
  stateOf,
  transfersOf,
} from '../../simulation/processes/request.ts'
import { register } from '../../tools/testing/client.ts'
import { createProduct, type Product } from '../../tools/testing/product.ts'
import { superuserUrl } from '../../tools/testing/superuser.ts'
import { until } from '../../tools/testing/until.ts'

/** What the next start makes again, or what belongs to a run. */
const LEFT_OUT = ['cache', 'logs', 'outbox', 'socket', 'run.*', 'postgres/postmaster.*']
/** As far back as the compressor looks: the system databases of the cluster are much alike, some megabytes apart. */
const WINDOW = { [constants.ZSTD_c_enableLongDistanceMatching]: 1, [constants.ZSTD_c_windowLog]: 27 }

async function live(product: Product): Promise<void> {
  const operator = await newOperator(product, 'rosa')
  await product.dev('pay', { to: devnetAddress('hotWallet'), amount: '5000' })
  const marta = await newMember(product, 'marta')
  const request = async (amount: string) => sendUntilAnswered(await newRequest(product, marta, amount))
  const completed = await request('100.00')
  await approve(product, operator, completed)
  await until('a completed one', async () => (await stateOf(product, completed)) === 'completed')

  const pilar = await register(product.url, '0', 'pilar')
  const invoice = await pilar.post('plans/create-investment-payment/', { amount: 500 })
  const { address } = invoice.as(investmentPayment).result
  await product.dev('pay', { to: address, amount: '120', key: 'a part' })
  await until('the part of an investment', async () => {
    const seen = await product.query('SELECT FROM incoming_transfer WHERE to_address = $1', [address])
    return seen.length > 0
  })

  await request('70.00')
  await product.dev('fault', { kind: 'solid_stall', on: true })
  const sent = await request('250.00')
  await approve(product, operator, sent)
  await until('one sent', async () =>
    (await transfersOf(product, sent)).some(({ broadcasts }) => broadcasts > 0),
  )
}

/** Makes the newest file of the log an almost empty one. @returns its name; after a clean stop none before it counts */
async function leaveLittleLog(product: Product): Promise<string> {
  const client = new pg.Client({ connectionString: await superuserUrl(product.dataDir) })
  await client.connect()
  for (const text of ['CHECKPOINT', 'SELECT pg_switch_wal()', 'CHECKPOINT']) await client.query(text)
  const { rows } = await client.query<{ name: string }>(
    'SELECT pg_walfile_name(pg_current_wal_lsn()) AS name',
  )
  await client.end()
  return rows[0]?.name ?? ''
}

async function removeLogBefore(file: string, dataDir: string): Promise<void> {
  const folder = join(dataDir, 'postgres/pg_wal')
  const files = (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/.test(name))
  for (const name of files) if (name < file) await rm(join(folder, name))
}

function pack(dataDir: string): Buffer {
  const left = LEFT_OUT.flatMap((each) => ['--exclude', `./${each}`])
  const archive = execFileSync('tar', ['-c', '--format=ustar', ...left, '-C', dataDir, '.'], {
    maxBuffer: 2 ** 30,
  })
  return zstdCompressSync(archive, { params: { ...WINDOW, [constants.ZSTD_c_compressionLevel]: 19 } })
}

const [name] = process.argv.slice(2)
if (name === undefined || !/^[\w.-]+$/.test(name)) throw new Error('node e2e/folders/make.ts <name>')
const product = await createProduct({ DEMO: 'on', DEMO_PASSWORD: 'demo-password', COOLING_HOURS: '0' })
try {
  await product.start()
  await live(product)
  const newest = await leaveLittleLog(product)
  await product.stop()
  await removeLogBefore(newest, product.dataDir)
  await writeFile(join(import.meta.dirname, `${name}.tar.zst`), pack(product.dataDir))
} finally {
  await product.remove()
}
