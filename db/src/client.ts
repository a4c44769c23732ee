/** Connections to the host of an address that takes writes. Everything of ours that connects to a database does it here. */
import pg from 'pg'
import { readAddress } from './address.ts'
import { DatabaseAway, Hosts, onReadOnly, PATIENT, type Patience, type Watched } from './hosts.ts'

interface Hosted {
  readonly hosts: Hosts
  /** No other connection uses these hosts. */
  readonly isAlone?: boolean
}

/** What a server says of a write when it has become a stand-by. */
const READ_ONLY = '25006'

class HostedClient extends pg.Client implements Watched {
  readonly #hosts: Hosts
  readonly #isAlone: boolean

  /** The parameter is missing for the types of the pool alone. */
  constructor(config?: pg.ClientConfig & Hosted) {
    super(config)
    if (config === undefined) throw new Error('a connection needs its hosts')
    this.#hosts = config.hosts
    this.#isAlone = config.isAlone ?? false
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) this.#leave()
    })
  }

  override connect(): Promise<pg.Client>
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void
  override connect(callback?: (error: never, client: never) => void): Promise<pg.Client> | undefined {
    const opened = this.#open()
    if (callback === undefined) return opened
    const done = callback as (error: Error | null, client?: pg.Client) => void
    opened.then(
      () => done(null, this),
      (error: Error) => done(error),
    )
    return undefined
  }

  override readonly query: pg.Client['query'] = ((...parameters: unknown[]) => {
    this.#hosts.waits(this)
    return Reflect.apply(super.query, this, parameters)
  }) as pg.Client['query']

  cut(error: Error): void {
    this.connection.stream.destroy(error)
  }

  async #open(): Promise<pg.Client> {
    const hosts = this.#hosts
    try {
      const { name, port } = await hosts.current()
      if (name !== '') Object.assign(this, { host: name, port })
      hosts.watch(this)
      hosts.waits(this)
      await this.#openThere()
      hosts.answered(this)
      return this
    } catch (error) {
      hosts.doubt(this)
      this.#over()
      throw error
    }
  }

  async #openThere(): Promise<void> {
    let isReadOnly = false
    onReadOnly(this, () => {
      isReadOnly = true
    })
    await super.connect()
    this.on('drain', () => this.#hosts.answered(this))
    this.on('error', () => this.#hosts.doubt(this))
    this.on('end', () => this.#over())
    if (!isReadOnly || !this.#hosts.writable) return
    await this.end()
    throw new DatabaseAway(`${this.host}:${this.port} takes no writes`)
  }

  /** Once the query that was refused has its answer. */
  #leave(): void {
    this.#hosts.doubt(this)
    setImmediate(() => this.cut(new DatabaseAway('the database takes no writes here')))
  }

  #over(): void {
    this.#hosts.ended(this)
    if (this.#isAlone) this.#hosts.close()
  }
}

class HostedPool extends pg.Pool {
  readonly #hosts: Hosts

  constructor(config: pg.PoolConfig & Hosted) {
    super(config)
    this.#hosts = config.hosts
    // An idle connection that the database drops is replaced by the pool at the next query; without a listener it ends us.
    this.on('error', () => undefined)
    // The same for a connection that is cut between two queries of a transaction: the next query fails, and that is reported.
    this.on('connect', (client) => client.on('error', () => undefined))
  }

  override end(): Promise<void>
  override end(callback: () => void): void
  override end(callback?: () => void): Promise<void> | undefined {
    this.#hosts.close()
    if (callback === undefined) return super.end()
    super.end(callback)
    return undefined
  }
}

/** A connection over which nothing travels is noticed when its host is gone. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 } as const

export type ClientOptions = pg.ClientConfig & { readonly patience?: Patience }

function settingsFor(url: string, { patience = PATIENT, ...options }: ClientOptions) {
  const address = readAddress(url)
  const config = { ...KEEP_ALIVE, ...options, connectionString: address.hosts[0].url }
  return { ...config, hosts: new Hosts(address, config, patience) }
}

/** One connection, not yet open. Errors between queries end nothing. */
export function openClient(url: string, options: ClientOptions = {}): pg.Client {
  return new HostedClient({ ...settingsFor(url, options), isAlone: true })
}

/** The address of the host that takes writes now, alone, for a connection that is not watched. */
export async function primaryOf(url: string): Promise<string> {
  const { hosts } = settingsFor(url, {})
  try {
    return (await hosts.current()).url
  } finally {
    hosts.close()
  }
}

/** Connections as they are needed; nothing connects until the first query. */
export function openPool(url: string, options: ClientOptions & pg.PoolConfig = {}): pg.Pool {
  return new HostedPool({ ...settingsFor(url, options), Client: HostedClient })
}
