/**
 * One run of the product: everything started in the order it needs, kept up, and stopped in the opposite order.
 *
 * Started in parallel where nothing waits for another: database, development chain and web app; then the processes.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SocketLock } from '../../apps/gateway/src/core/socket-lock.ts'
import { dropSlot, type Shipping, shipLog } from '../backup/ship.ts'
import type { StartConfig } from '../core/config.ts'
import { codeOf, lineOf, Refusal } from '../core/refusal.ts'
import { checkGiven, type Database, openDatabase } from './database.ts'
import { readSignIns, type SignIn, seedDemo } from './demo.ts'
import {
  apiEnvironments,
  approvalsEnvironment,
  auditorEnvironment,
  baseEnvironment,
  devnetAddresses,
  devnetEnvironment,
  gatewayEnvironment,
  type OpenedSigner,
  picturesEnvironment,
  serverEnvironment,
  signerEnvironment,
} from './environment.ts'
import type { Layout } from './layout.ts'
import { lockDataFolder } from './lock.ts'
import { accessOf, appOf, type Program } from './permissions.ts'
import { picturesSocket } from './pictures.ts'
import { checkPort } from './ports.ts'
import { pressedAt } from './pressed.ts'
import { askToLeave, type Child, keepRunning, type ProcessSpec } from './processes.ts'
import { clearLeftChildren, removeRunFile, writeRunFile } from './run-file.ts'
import { type Screen, summaryLines } from './screen.ts'
import { readSecrets, type Secrets } from './secrets.ts'
import { openSigner, pinDemoApprovers } from './signer.ts'
import { watchStalling } from './stalling.ts'
import { watchLedger } from './upkeep.ts'
import { buildApp, isStale } from './web-build.ts'

/** Stops in this order: the worker first, the database after all of them. */
const stopOrder = [
  'worker',
  'api',
  'pictures',
  'approvals',
  'auditor',
  'gateway',
  'signer',
  'devnet',
] as const satisfies Program[]

export class Run {
  readonly #config: StartConfig
  readonly #layout: Layout
  readonly #screen: Screen
  readonly #children = new Map<string, Child & { readonly program: Program }>()
  readonly #tasks = new Set<ChildProcess>()
  readonly #over = Promise.withResolvers<string | null>()
  #database: Promise<Database> | null = null
  #opened: Database | null = null
  #stalling: ReturnType<typeof watchStalling> | null = null
  #shipping: Shipping | null = null
  #upkeep: ReturnType<typeof watchLedger> | null = null
  #lock: SocketLock | null = null
  #isClosing = false
  readonly #started = pressedAt()

  constructor(config: StartConfig, layout: Layout, screen: Screen) {
    this.#config = config
    this.#layout = layout
    this.#screen = screen
  }

  /** Runs until it is asked to stop or cannot go on. @returns the exit code. */
  async run(): Promise<number> {
    this.#start().catch((error: unknown) => this.#over.resolve(this.#explain(error)))
    const problem = await this.#over.promise
    this.#isClosing = true
    this.#screen.done()
    if (problem !== null) this.#screen.error(problem)
    await this.#close()
    return problem === null ? 0 : 1
  }

  /** First request: in order. */
  requestStop(): void {
    this.#screen.line('Stopping …')
    this.#over.resolve(null)
  }

  /** Second request: at once. What was committed is kept; the next start recovers. */
  force(): void {
    for (const child of this.#children.values()) child.kill()
    for (const task of this.#tasks) task.kill('SIGKILL')
    const pid = this.#opened?.pid()
    if (pid) process.kill(pid, 'SIGQUIT')
  }

  async #start(): Promise<void> {
    const config = this.#config
    const { dataDir } = config
    await makeDataFolder(dataDir)
    this.#lock = await lockDataFolder(dataDir, config.publicUrl)
    const { devnet, server, pictures, gateway, approvals, auditor, signer: signerEntry } = this.#layout
    await clearLeftChildren(dataDir, [devnet, server, pictures, gateway, approvals, auditor, signerEntry])
    await checkPort(config.host, config.port, 'PORT')
    if (config.network === 'devnet') await checkPort(config.host, config.devnet.port, 'DEVNET_PORT')
    await checkPort(config.approvals.host, config.approvals.port, 'APPROVALS_PORT')
    await mkdir(join(dataDir, 'logs'), { recursive: true })
    const secrets = await readSecrets(dataDir)
    if (config.databaseUrl !== null) await checkGiven(config.databaseUrl)
    // Asked before anything is started: a person may have to answer.
    const signer = await openSigner(config, secrets, this.#layout.keys, (child) => this.#track(child))
    await this.#startProcesses(secrets, signer)
    const signIns = await this.#demo(secrets, signer)
    await this.#pinApprovers(signer, signIns ?? [])
    await this.#writeRunFile()
    this.#announce(signIns)
  }

  async #startProcesses(secrets: Secrets, signer: OpenedSigner | null): Promise<void> {
    const config = this.#config
    const isLocal = config.network === 'devnet'
    const keep = (
      program: Program,
      entry: string,
      env: ProcessSpec['env'],
      heapMb: number,
      { name = program as string, socket }: Pick<Partial<ProcessSpec>, 'name' | 'socket'> = {},
    ) =>
      this.#keep(program, {
        name,
        entry,
        // Where libraries look for settings, up to the home folder, and find none.
        cwd: appOf(entry),
        env: { ...env, HOME: appOf(entry) },
        heapMb,
        ...(socket !== undefined && { socket }),
        access: accessOf(program, config, this.#layout, signer),
      })
    const devnet = isLocal ? keep('devnet', this.#layout.devnet, devnetEnvironment(config), 256) : null
    this.#screen.step('Starting the database …')
    this.#database = openDatabase(config, secrets, {
      changed: () => this.#changed(),
      struggles: (line) => this.#screen.line(`${line}; it is tried again every few seconds.`),
      say: (line) => this.#screen.line(line),
    })
    const [database] = await Promise.all([this.#database, this.#buildPages(), devnet?.ready])
    this.#opened = database
    if (this.#isClosing) return
    this.#stalling = watchStalling(database.ownerUrl, (line) => this.#screen.line(line))
    await this.#shipLog(database)
    this.#upkeep = watchLedger(database.ownerUrl, (line) => this.#screen.line(line))
    this.#screen.step('Starting the processes …', () => this.#waitedFor())
    const { server } = this.#layout
    const socket = await picturesSocket(config.dataDir)
    const processes = [
      ...apiEnvironments(config, secrets, database, this.#layout).map(({ name, env }) =>
        keep('api', server, { ...env, PICTURES_SOCKET: socket }, 256, { name }),
      ),
      keep('worker', server, serverEnvironment('worker', config, secrets, database, this.#layout), 256),
      keep('pictures', this.#layout.pictures, picturesEnvironment(config, socket), 64, { socket }),
      keep('approvals', this.#layout.approvals, approvalsEnvironment(config, database), 128),
      keep('auditor', this.#layout.auditor, auditorEnvironment(config, database), 256),
      ...(signer === null
        ? []
        : [keep('signer', this.#layout.signer, signerEnvironment(config, database, signer), 512)]),
      keep(
        'gateway',
        this.#layout.gateway,
        gatewayEnvironment(config, database, signer?.socket ?? config.custody.signer.socket),
        192,
      ),
    ]
    await Promise.all(processes.map(({ ready }) => ready))
  }

  /** Who is not ready, and what it says that it does. */
  #waitedFor(): string {
    const waited = [...this.#children.values()].flatMap(({ name, doing }) => {
      const step = doing()
      return step === null ? [] : [`${name}: ${step}`]
    })
    return waited.join(', ')
  }

  /** Without a folder a slot of an earlier start would keep the log for nobody. */
  async #shipLog({ superuserUrl: url }: Database): Promise<void> {
    if (url === null) return
    const { folder, passphrase } = this.#config.backup
    if (folder === null) return dropSlot(url)
    const say = (line: string) => this.#isClosing || this.#screen.line(line)
    this.#shipping = shipLog({ folder, passphrase, url, say })
  }

  #keep(program: Program, spec: ProcessSpec): Child {
    const events = {
      changed: () => this.#changed(),
      gaveUp: (line: string) => this.#over.resolve(line),
      struggles: (line: string) => this.#screen.line(`${line}; it is tried again every few seconds.`),
    }
    const child = keepRunning(spec, this.#config.dataDir, events)
    this.#children.set(spec.name, { ...child, program })
    return child
  }

  async #buildPages(): Promise<void> {
    const { web, approvalsPage } = this.#layout
    for (const app of [web, approvalsPage]) {
      if (app === null || !(await isStale(app))) continue
      this.#screen.step(app === web ? 'Building the web app …' : 'Building the approvals page …')
      await buildApp(app, this.#config.dataDir, baseEnvironment(this.#config, 'tasks'), (child) =>
        this.#track(child),
      )
    }
  }

  async #demo(secrets: Secrets, signer: OpenedSigner | null): Promise<readonly SignIn[] | null> {
    const config = this.#config
    if (!config.demo || this.#opened === null || this.#isClosing) return null
    const known = await readSignIns(config.dataDir)
    if (known !== null) return known
    this.#screen.step('Making the demo network …')
    const password = config.demoPassword ?? secrets.demoPassword
    const env = serverEnvironment('worker', config, secrets, this.#opened, this.#layout)
    return seedDemo({
      entry: this.#layout.seedDemo,
      dataDir: config.dataDir,
      // It does what people, operators and jobs do: no program of the product may do all of that.
      env: { ...env, DATABASE_URL: this.#opened.ownerUrl, DEMO_PASSWORD: password },
      started: (child) => this.#track(child),
      onProgress: (progress) => this.#screen.progress(progress),
      pinApprovers: (members) => this.#pinMembers(signer, members),
    })
  }

  async #pinApprovers(signer: OpenedSigner | null, signIns: readonly SignIn[]): Promise<void> {
    if (this.#isClosing) return
    const approvers = signIns.filter(({ approves }) => approves !== false)
    await this.#pinMembers(
      signer,
      approvers.flatMap(({ memberId }) => memberId ?? []),
    )
  }

  #pinMembers(signer: OpenedSigner | null, members: readonly string[]): Promise<boolean> {
    return pinDemoApprovers(this.#config, signer, members, this.#layout.keys, (child) => this.#track(child))
  }

  #track(child: ChildProcess): void {
    if (this.#isClosing) child.kill()
    this.#tasks.add(child)
    child.once('exit', () => this.#tasks.delete(child))
  }

  #announce(signIns: readonly SignIn[] | null): void {
    if (this.#isClosing) return
    const { publicUrl: url, approvals, dataDir } = this.#config
    const devnetUrl = devnetAddresses(this.#config)['EXPLORER_URL'] ?? null
    const seconds = (Date.now() - this.#started) / 1000
    this.#screen.done()
    this.#screen.line(
      summaryLines({ url, approvalsUrl: approvals.url, devnetUrl, dataDir, seconds, signIns }).join('\n'),
    )
  }

  #changed(): void {
    if (this.#isClosing || this.#opened === null) return
    this.#writeRunFile().catch(() => undefined)
  }

  async #writeRunFile(): Promise<void> {
    const database = this.#opened
    if (database === null || this.#isClosing) return
    const children = [...this.#children.values()].map((child) => [child.name, child.pid()] as const)
    const pids = [['supervisor', process.pid] as const, ['postgres', database.pid()] as const, ...children]
    const { port: web, approvals, devnet, network, publicUrl: url } = this.#config
    await writeRunFile(this.#config.dataDir, {
      url,
      databases: {
        owner: database.ownerUrl,
        api: database.apiUrl,
        worker: database.workerUrl,
        gateway: database.gatewayUrl,
        signer: database.signerUrl,
        approvals: database.approvalsUrl,
        auditor: database.auditorUrl,
      },
      ports: {
        web,
        approvals: approvals.port,
        devnet: network === 'devnet' ? devnet.port : null,
        postgres: database.port,
      },
      pids: Object.fromEntries(pids.flatMap(([name, pid]) => (pid === null ? [] : [[name, pid]]))),
    })
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#tasks].map(askToLeave))
    for (const each of stopOrder) {
      const children = [...this.#children.values()].filter(({ program }) => program === each)
      await Promise.all(children.map((child) => child.stop()))
    }
    const database = await this.#database?.catch(() => null)
    await this.#stalling?.stop()
    await this.#upkeep?.stop()
    await database?.stop()
    await this.#shipping?.stop()
    if (this.#lock === null) return
    await removeRunFile(this.#config.dataDir)
    await this.#lock.release()
  }

  #explain(error: unknown): string {
    if (error instanceof Refusal) return error.message
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return `Aval could not start: ${codeOf(error) ? lineOf(error) : detail}`
  }
}

async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
  } catch (error) {
    throw new Refusal(`DATA_DIR: ${dataDir} cannot be made: ${lineOf(error)}`)
  }
}
