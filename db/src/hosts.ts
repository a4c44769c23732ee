/**
 * Which host of a database's address takes writes now, and whether the database answers at all. A connection asks here before it is
 * opened. When one waits long for its answer, the database is asked on another connection, so that a slow query is not taken for a
 * database that is gone: then every connection is cut, and callers are answered at once until a host answers again.
 */
import { Socket } from 'node:net'
import { setImmediate as afterReading, setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Address, Host } from './address.ts'

/** The database does not answer, or none of its hosts takes writes. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
}

export interface Patience {
  /** Milliseconds that a connection waits for its answer until the database is asked on another one. */
  readonly slowMs: number
  /** Milliseconds that the database may then take to answer. */
  readonly silentMs: number
  /** Milliseconds that the first connection of all may take: a process that starts has everything else to do as well. */
  readonly firstMs: number
  /** Milliseconds after which a connection is given up although the database answers on others: its packets are lost, or its commit waits. */
  readonly mostMs: number
}

/** For work that nobody waits for: a database that is busy for seconds is left to it. */
export const PATIENT: Patience = {
  slowMs: 1_000,
  silentMs: 4_000,
  firstMs: 10_000,
  mostMs: Number.POSITIVE_INFINITY,
}
/** For calls, which are answered within a second. The database itself ends a statement of theirs after 60 seconds. */
export const IMPATIENT: Patience = { slowMs: 300, silentMs: 450, firstMs: 10_000, mostMs: 65_000 }

/** A connection as it is watched here. */
export interface Watched {
  readonly host: string
  readonly port: number
  cut(error: Error): void
}

const TICK_MS = 50
/** How long a host may take to let us in while the primary is searched for, and after what time it is tried again. */
const SEARCH_MS = 2_000
const SEARCH_AGAIN_MS = 500

interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

/** Both are reported when a session begins (PostgreSQL 14 and newer). */
const READ_ONLY = ['in_hot_standby', 'default_transaction_read_only']

/** Calls `heard` when the server of this connection says that it takes no writes. */
export function onReadOnly(client: pg.Client, heard: () => void): void {
  client.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
    if (READ_ONLY.includes(parameterName) && parameterValue === 'on') heard()
  })
}

/** A failure that says that a server is there, such as a wrong password, or too many connections. */
const isAnswer = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|57P0)/.test(error.code ?? '')

/**
 * Time is counted in ticks, after each of which what arrived is read: a process that stood still is not the database's fault.
 * @throws DatabaseAway when there is no answer in time
 */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const ended = new AbortController()
  const late = async () => {
    for (let spent = 0; spent < ms; spent += TICK_MS) {
      await pause(TICK_MS, undefined, { signal: ended.signal, ref: false })
      await afterReading()
    }
    throw new DatabaseAway('the database does not answer')
  }
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late()])
  } finally {
    ended.abort()
  }
}

/** A search for the host that takes writes. It goes on until one is found or it is ended. */
interface Search {
  readonly found: Promise<Host>
  /** Rejects as soon as every host has failed once. */
  readonly everyFailed: Promise<never>
}

export class Hosts {
  readonly #address: Address
  readonly #config: pg.ClientConfig
  readonly #patience: Patience
  readonly #watched = new Set<Watched>()
  /** For how many milliseconds of ticks a connection has waited for an answer. */
  readonly #waiting = new Map<Watched, number>()
  /** The same since the database was asked last. */
  #unasked = 0
  readonly #closed = new AbortController()
  #timer: NodeJS.Timeout | null = null
  #known: Host | null
  #search: Search | null = null
  /** Why nobody waits for the search any more. */
  #away: Error | null = null
  /** The connection on which the database is asked whether it answers. */
  #asked: pg.Client | null = null
  #isAsking = false
  #wasThere = false

  constructor(address: Address, config: pg.ClientConfig, patience: Patience) {
    const [first, ...others] = address.hosts
    this.#address = address
    this.#config = config
    this.#patience = patience
    this.#known = others.length === 0 ? first : null
  }

  /** Whether a server that takes no writes is passed over. */
  get writable(): boolean {
    return this.#address.writable
  }

  /** Where to connect. @throws DatabaseAway, at once while the database is known to be away */
  async current(): Promise<Host> {
    if (this.#away !== null) throw this.#away
    if (this.#known !== null) return this.#known
    const { found, everyFailed } = this.#find()
    try {
      const { slowMs, silentMs, firstMs } = this.#patience
      return await within(this.#wasThere ? slowMs + silentMs : firstMs, Promise.race([found, everyFailed]))
    } catch (error) {
      if (this.#known === null && this.#search !== null) this.#away = error as Error
      throw error
    }
  }

  /** A connection to this host was lost, or it takes no writes: before the next one all hosts are looked at. */
  doubt(lost: Watched): void {
    if (this.#address.hosts.length > 1 && this.#isAt(this.#known, lost)) this.#known = null
  }

  /** From now on it is cut when the database is away or elsewhere. */
  watch(connection: Watched): void {
    this.#watched.add(connection)
    this.#timer ??= setInterval(() => this.#look(), TICK_MS).unref()
  }

  /** It waits for an answer. */
  waits(connection: Watched): void {
    if (this.#watched.has(connection) && !this.#waiting.has(connection)) this.#waiting.set(connection, 0)
  }

  /** It waits for none. */
  answered(connection: Watched): void {
    this.#wasThere = true
    this.#waiting.delete(connection)
  }

  ended(connection: Watched): void {
    this.#waiting.delete(connection)
    this.#watched.delete(connection)
    if (this.#watched.size === 0) this.#rest()
  }

  /** Nobody connects any more. */
  close(): void {
    this.#closed.abort()
    this.#rest()
  }

  /** Nobody waits: nothing is asked. */
  #rest(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#forgetAsked()
  }

  #keep(asked: pg.Client): void {
    this.#forgetAsked()
    if (this.#watched.size > 0) this.#asked = asked
    else asked.connection.stream.destroy()
  }

  #forgetAsked(): void {
    this.#asked?.connection.stream.destroy()
    this.#asked = null
  }

  #isAt(host: Host | null, { host: name, port }: Watched): boolean {
    return host?.name === name && host.port === port
  }

  #look(): void {
    const { slowMs, firstMs, mostMs } = this.#patience
    this.#unasked += TICK_MS
    let longest = 0
    for (const [connection, waited] of this.#waiting) {
      this.#waiting.set(connection, waited + TICK_MS)
      longest = Math.max(longest, waited + TICK_MS)
      if (waited > mostMs) connection.cut(new DatabaseAway('the database took too long'))
    }
    const due = this.#wasThere ? slowMs : firstMs
    if (longest < due || this.#unasked < due || this.#isAsking || this.#away !== null) return
    this.#isAsking = true
    void this.#ask()
      .catch((error: unknown) => this.#lose(error as Error))
      .finally(() => {
        this.#isAsking = false
        this.#unasked = 0
      })
  }

  async #ask(): Promise<void> {
    try {
      await within(this.#patience.silentMs, this.#question())
    } catch (error) {
      if (!isAnswer(error)) throw error
    }
  }

  /** Something small to do for the database. */
  async #question(): Promise<void> {
    if (this.#asked === null) {
      const host = this.#known ?? (await this.#find().found)
      this.#keep(await this.#open(host))
    }
    await this.#asked?.query('SELECT')
    this.#cutThoseElsewhere()
  }

  /** Of several hosts one takes writes; a connection to another one may wait for hours. */
  #cutThoseElsewhere(): void {
    const host = this.#known
    if (host === null || this.#address.hosts.length === 1) return
    for (const connection of this.#watched)
      if (!this.#isAt(host, connection))
        connection.cut(new DatabaseAway('the database is on another host now'))
  }

  #lose(error: Error): void {
    this.#away = error instanceof DatabaseAway ? error : new DatabaseAway(error.message)
    this.#forgetAsked()
    if (this.#address.hosts.length > 1) this.#known = null
    for (const connection of this.#watched) connection.cut(this.#away)
    this.#find().everyFailed.catch(() => undefined)
  }

  #find(): Search {
    this.#search ??= this.#begin()
    return this.#search
  }

  #begin(): Search {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, this.#closed.signal])
    const failures = new Map<Host, unknown>()
    const found = Promise.withResolvers<Host>()
    const everyFailed = Promise.withResolvers<never>()
    const failed = (host: Host, error: unknown) => {
      failures.set(host, error)
      if (failures.size < this.#address.hosts.length) return
      const answer = [...failures.values()].find(isAnswer)
      // A password that is wrong does not become right.
      if (answer !== undefined) end()
      everyFailed.reject(answer ?? new DatabaseAway(describe(failures)))
    }
    const end = () => {
      over.abort()
      this.#search = null
    }
    const succeeded = (host: Host) => {
      end()
      this.#known = host
      this.#away = null
      this.#cutThoseElsewhere()
      found.resolve(host)
    }
    for (const host of this.#address.hosts) void this.#try(host, signal, succeeded, failed)
    everyFailed.promise.catch(() => undefined)
    return { found: found.promise, everyFailed: everyFailed.promise }
  }

  /** Tries one host until any has been found. */
  async #try(
    host: Host,
    signal: AbortSignal,
    succeeded: (host: Host) => void,
    failed: (host: Host, error: unknown) => void,
  ): Promise<void> {
    while (!signal.aborted) {
      try {
        const client = await this.#open(host)
        if (signal.aborted) return void client.connection.stream.destroy()
        this.#wasThere = true
        this.#keep(client)
        return succeeded(host)
      } catch (error) {
        if (!signal.aborted) failed(host, error)
      }
      await pause(SEARCH_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** A connection for asking. @throws when the host does not let us in, or takes no writes and has to */
  async #open({ name, port, url }: Host): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#config, connectionString: url, connectionTimeoutMillis: 0 })
    let isReadOnly = false
    onReadOnly(client, () => {
      isReadOnly = true
    })
    client.on('error', () => {
      if (this.#asked === client) this.#asked = null
    })
    try {
      await within(SEARCH_MS, client.connect())
    } catch (error) {
      client.connection.stream.destroy()
      throw error
    }
    // A process may end while this is open.
    const { stream } = client.connection
    if (stream instanceof Socket) stream.unref()
    if (!isReadOnly || !this.writable) return client
    void client.end()
    throw new DatabaseAway(`${name}:${port} takes no writes`)
  }
}

const describe = (failures: ReadonlyMap<Host, unknown>): string =>
  [...failures].map(([{ name, port }, error]) => `${name}:${port}: ${(error as Error).message}`).join('; ')
