/**
 * Shows the offline page where there is no connection, and caches build files by their hashed names. No answer of the
 * API passes through it.
 *
 * A new version takes over when the last page of the old one has closed. Until then the old one serves the pages of
 * both, which is safe: pages come from the network, and hashed names never change their content.
 *
 * Workbox through vite-plugin-pwa would need 323 more packages and a worker of 7.0 kB (gzip) instead of 0.9 kB.
 */
import { handlingOf, isAway } from './handling.rules.ts'

/** Written by the build: what the offline page consists of, and a name for this version. */
declare const __OFFLINE_FILES__: readonly string[]
declare const __BUILD__: string

interface LifeEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface FetchEvent extends LifeEvent {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}

interface Worker {
  readonly location: Location
  readonly registration: ServiceWorkerRegistration
  readonly clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}

const worker = globalThis as unknown as Worker
const PREFIX = 'aval-'
const CACHE = `${PREFIX}${__BUILD__}`
const OFFLINE_PAGE = '/offline.html'
const SPARES = __OFFLINE_FILES__.filter((path) => !path.startsWith('/assets/'))

async function install(): Promise<void> {
  const cache = await caches.open(CACHE)
  const asked = __OFFLINE_FILES__.map(
    (path) => new Request(path, { cache: SPARES.includes(path) ? 'reload' : 'default' }),
  )
  await cache.addAll(asked)
}

async function activate(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
  // The browser requests the page while the worker starts.
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
}

/** A full or broken cache counts as empty. */
async function kept(request: Request | string): Promise<Response | undefined> {
  return caches.match(request, { ignoreVary: true }).catch(() => undefined)
}

async function keep(request: Request, answer: Response): Promise<void> {
  try {
    await (await caches.open(CACHE)).put(request, answer)
  } catch {}
}

async function page({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    const answer = (await preloadResponse) ?? (await fetch(request))
    return isAway(answer.status) ? ((await kept(OFFLINE_PAGE)) ?? answer) : answer
  } catch {
    return (await kept(OFFLINE_PAGE)) ?? Response.error()
  }
}

async function asset(event: FetchEvent): Promise<Response> {
  const { request } = event
  const known = await kept(request)
  if (known !== undefined) return known
  const answer = await fetch(request)
  if (answer.status === 200 && answer.type === 'basic') event.waitUntil(keep(request, answer.clone()))
  return answer
}

async function spare({ request }: FetchEvent): Promise<Response> {
  try {
    return await fetch(request)
  } catch {
    return (await kept(request)) ?? Response.error()
  }
}

const ANSWERS = { page, asset, spare }

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))
worker.addEventListener('fetch', (event) => {
  const handling = handlingOf(event.request, worker.location.origin, SPARES)
  if (handling !== 'untouched') event.respondWith(ANSWERS[handling](event))
})
