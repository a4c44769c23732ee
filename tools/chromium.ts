/** Finds the browser that drives the journeys; downloads nothing by itself but a package of the system's. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { childEnvironment, givenChromium } from './core/config.ts'
import { Refusal } from './core/refusal.ts'

/** The first has no window at all, takes a quarter less of the processor, and is what Playwright would download. */
const names =
  'chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable chrome'.split(' ')
const macPaths = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Switches for an unattended machine; without them the browser talks to its maker and wants a sandbox. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Of the switches that Playwright adds: it keeps what the browser's processes share in files, which costs 7 % more and is
 * right only where memory for it is as small as in most containers.
 */
export function unwantedArguments(): string[] {
  const { bavail, bsize } = existsSync('/dev/shm') ? statfsSync('/dev/shm') : { bavail: 0, bsize: 0 }
  return bavail * bsize > 2 ** 30 ? ['--disable-dev-shm-usage'] : []
}

/** Path of CHROMIUM_PATH, else of a browser on PATH; null when there is none. */
export function findChromium(): string | null {
  const given = givenChromium()
  if (given !== undefined) return given
  const folders = (childEnvironment()['PATH'] ?? '').split(delimiter)
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return [...candidates, ...macPaths].find(isExecutable) ?? null
}

/** As above, and installs the system's package when there is none and we may. @throws Refusal */
export async function ensureChromium(): Promise<string> {
  const found = findChromium()
  if (found !== null) {
    if (existsSync(found)) return found
    throw new Refusal(`CHROMIUM_PATH: there is no file ${found}.`)
  }
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    console.log('Installing Chromium for the browser journeys …')
    await aptInstall('chromium-headless-shell')
    // Not every system has that one.
    if (findChromium() === null) await aptInstall('chromium')
  }
  const installed = findChromium()
  if (installed !== null) return installed
  throw new Refusal(
    'The browser journeys need Chromium: install it (apt install chromium), or set CHROMIUM_PATH.',
  )
}

/** Quietly; the caller looks whether it helped. */
export async function aptInstall(name: string): Promise<void> {
  const env = childEnvironment({ DEBIAN_FRONTEND: 'noninteractive' })
  const aptGet = async (...args: string[]) => {
    const child = spawn('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const [code] = await once(child, 'exit')
    return code === 0
  }
  const install = () => aptGet('install', '-y', '-q', '--no-install-recommends', name)
  if (await install()) return
  await aptGet('update', '-q')
  await install()
}

export function isOnPath(name: string): boolean {
  return (childEnvironment()['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => isExecutable(join(folder, name)))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
