/** A network of members in a database, with pools to pay from and its history paid: what a measured day begins with. */
import pg from 'pg'
import { ENDOWED_AT, LOAD_DATES, PAID } from './dates.ts'
import { markHistoryPaid } from './day.sql.ts'
import { endow } from './endow.ts'
import { type Loaded, loadNetwork } from './load.ts'
import { generateNetwork, type Shape } from './network.ts'

export interface NetworkOptions {
  readonly ownerUrl: string
  readonly serverUrl: string
  readonly gatewayUrl: string
  readonly members: number
  readonly shape: Shape
  readonly seed: number
  /** Without people, invoices and transfers. */
  readonly thin: boolean
  readonly tell: (line: string) => void
}

export async function prepareNetwork(options: NetworkOptions): Promise<Loaded> {
  const network = generateNetwork(options.members, options.shape, options.seed)
  const loaded = await loadNetwork({ ...options, network, dates: LOAD_DATES })
  await endow(options, loaded.invested, ENDOWED_AT)
  const owner = new pg.Client({ connectionString: options.ownerUrl })
  await owner.connect()
  await markHistoryPaid(owner, PAID, loaded.earlier).finally(() => owner.end())
  return loaded
}
