/**
 * Runs before every command, on whatever Node the machine has: brings node_modules up to date when it is not.
 * Plain JavaScript without dependencies, because at this point there may be none. Fresh, it costs a few file reads.
 *
 * `--stamp` only notes that the installed modules match (npm runs it after an install by hand).
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stampFile = join(root, 'node_modules', '.aval-stamp')
const ownNode = join(root, 'node_modules', 'node', 'bin', 'node')

main().catch((error) => fail(error instanceof Error ? error.message : String(error)))

async function main() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    return fail(`Aval needs Node 20.19 or newer; this is ${process.versions.node} (${process.execPath}).`)
  }
  const stamp = fingerprint()
  if (process.argv.includes('--stamp'))
    return existsSync(ownNode) ? writeFileSync(stampFile, stamp) : undefined
  if (process.env.npm_lifecycle_event === 'prestart') console.log('Aval: looking at what is installed …')
  if (isFresh(stamp)) return
  await install()
  if (nodeVersion() !== wantedNode()) repairNode()
  if (nodeVersion() !== wantedNode()) {
    return fail(
      `The package "node" did not bring Node ${wantedNode()} for ${process.platform}-${process.arch}.`,
    )
  }
  writeFileSync(stampFile, stamp)
}

/** Of everything that decides what belongs into node_modules. */
function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const folders = workspaces.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern]
    const parent = pattern.slice(0, -2)
    return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`)
  })
  const files = [
    'package-lock.json',
    'package.json',
    ...folders.sort().map((folder) => `${folder}/package.json`),
  ]
  for (const file of files) {
    if (existsSync(join(root, file))) hash.update(`\n${file}\n`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function isFresh(stamp) {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp && existsSync(ownNode)
}

function wantedNode() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.node
}

function nodeVersion() {
  const found = spawnSync(ownNode, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  return found.status === 0 ? found.stdout.trim() : ''
}

async function install() {
  const started = Date.now()
  const clock = () => {
    const seconds = Math.round((Date.now() - started) / 1000)
    return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  }
  const packages = expectedPackages()
  console.log(`Installing ${packages.length} packages (they are missing or out of date) …`)
  const showing = showProgress(packages, clock)
  const { code, output } = await runNpm([
    'ci',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  showing.stop()
  if (code !== 0) {
    const lines = output.trim().split('\n').slice(0, 12).join('\n')
    throw new Error(
      `${lines}\n\nThe dependencies could not be installed: "npm ci" ended with ${code} (above).`,
    )
  }
  console.log(`Installed in ${clock()}.`)
}

/** Their folders: those of the lockfile, without what is for some machines alone. */
function expectedPackages() {
  const lockFile = join(root, 'package-lock.json')
  const { packages = {} } = existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')) : {}
  const isEverywhere = ([path, { link, os, cpu, optional }]) =>
    path.includes('node_modules/') && !(link || os || cpu || optional)
  return Object.entries(packages)
    .filter(isEverywhere)
    .map(([path]) => path)
}

/** npm itself says nothing until its end: packages that are there, on a terminal by the second, elsewhere a line now and then. */
function showProgress(packages, clock) {
  const isTerminal = process.stdout.isTTY === true
  let said = { tenth: 0, at: Date.now() }
  let before = 0
  const look = () => {
    const there = packages.filter((path) => existsSync(join(root, path, 'package.json'))).length
    const isRemoving = there < before
    before = there
    const tenth = Math.floor((10 * there) / packages.length)
    if (!isTerminal && tenth === said.tenth && Date.now() - said.at < 15_000) return
    said = { tenth, at: Date.now() }
    const text = isRemoving
      ? `Removing the old packages, ${clock()}`
      : there < packages.length
        ? `${there} of ${packages.length} packages, ${clock()}`
        : `All ${there} packages are there and set themselves up, ${clock()}`
    process.stdout.write(isTerminal ? `\r\u001b[2K${text}` : `${text}\n`)
  }
  const timer = setInterval(look, 1_000)
  return {
    stop() {
      clearInterval(timer)
      if (isTerminal) process.stdout.write('\r\u001b[2K')
    },
  }
}

/** With the machine's own Node: the one in node_modules is about to be replaced. */
function runNpm(args) {
  const { npm_execpath: npmCli = '', npm_node_execpath: npmNode = '' } = process.env
  const direct = npmCli.endsWith('npm-cli.js') && existsSync(npmNode) && !npmNode.startsWith(root)
  const [command, all] = direct ? [npmNode, [npmCli, ...args]] : ['npm', args]
  const child = spawn(command, all, {
    cwd: root,
    env: machineEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let output = ''
  const keep = (part) => {
    output = (output + part).slice(-20_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: error.code, output: error.message }))
    child.once('close', (code, signal) => resolve({ code: code ?? signal, output }))
  })
}

/** npm 11 may leave out the package's own install step, which fetches the binary and links it. */
function repairNode() {
  const script = join(root, 'node_modules', 'node', 'installArchSpecificPackage.js')
  const { npm_node_execpath: npmNode = '' } = process.env
  const machineNode = existsSync(npmNode) ? npmNode : 'node'
  spawnSync(machineNode, [script], { cwd: dirname(script), env: machineEnvironment(), stdio: 'ignore' })
}

/** Without the folders npm put before PATH, in which `node` is ours. */
function machineEnvironment() {
  const path = (process.env.PATH ?? '').split(delimiter)
  const outside = path.filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  return { ...process.env, PATH: outside.join(delimiter) }
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
